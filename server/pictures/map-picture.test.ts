import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawMapPicture, fitCamera, project } from './map-picture.ts'

const size = { width: 1200, height: 630 }
const REX = { lat: -34.9058, lng: -56.1594 }

test('a single point is drawn at the nearest zoom, in the middle of the picture, below the space for its pin', () => {
  const { zoom, left, top } = fitCamera([REX], size)
  const { x, y } = project(REX, zoom)
  expect(zoom).toBe(15)
  expect([Math.round(x - left), Math.round(y - top)]).toEqual([600, 343])
})

test('the zoom of a track leaves space around all its points', () => {
  const track = [REX, { lat: -34.8, lng: -56.4 }, { lat: -34.95, lng: -56 }]
  const { zoom, left, top } = fitCamera(track, size)
  for (const point of track) {
    const { x, y } = project(point, zoom)
    expect(x - left).toBeGreaterThanOrEqual(69)
    expect(x - left).toBeLessThanOrEqual(1131)
    expect(y - top).toBeGreaterThanOrEqual(99)
    expect(y - top).toBeLessThanOrEqual(587)
  }
})

test.each(['png', 'jpeg'] as const)(
  'a %s picture shows the tiles, the pin in the colour of its kind, and the attribution',
  async (format) => {
    const asked: string[] = []
    const source = {
      drawTile(z: number, x: number, y: number) {
        asked.push(`${z}/${x}/${y}`)
        return '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><path fill="#00ff00" d="M0 0h256v256h-256z"/></svg>'
      },
      attribution: '© Someone',
    }
    const picture = await drawMapPicture(source, { ...size, format, pins: [{ ...REX, kind: 'cat', precision: 8 }] })
    const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const colourAt = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
    const isNear = (colour: number[], wanted: number[]) => colour.every((value, index) => Math.abs(value - wanted[index]!) < 24)
    expect([info.width, info.height, (await sharp(picture).metadata()).format]).toEqual([1200, 630, format])
    expect(isNear(colourAt(60, 60), [0, 255, 0])).toBe(true)
    expect(isNear(colourAt(600, 343 - 26), [0x9d, 0x4f, 0xc4])).toBe(true)
    expect(isNear(colourAt(1198, 606), [204, 255, 204])).toBe(true)
    expect(new Set(asked).size).toBe(asked.length)
  },
)

test('a picture at the date line repeats the map instead of requesting tiles that do not exist', async () => {
  const columns = new Set<number>()
  const source = {
    drawTile(_: number, x: number) {
      columns.add(x)
      return '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"/>'
    },
    attribution: '',
  }
  await drawMapPicture(source, { ...size, pins: [{ lat: 0, lng: 180, kind: 'other', precision: null }] })
  expect(columns).toContain(0)
  expect(Math.max(...columns)).toBe(2 ** 15 - 1)
})
