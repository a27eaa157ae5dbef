import { beforeAll, describe, expect, test } from 'vitest'
import { openTestCity } from '#server/mock/city/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createTiles, MAX_ZOOM, type Tiles } from './render.ts'
import { palettes, type Theme } from './style.ts'

let tiles: Tiles
beforeAll(async () => {
  tiles = createTiles(await openTestCity())
})

const tileAt = (z: number, lat: number, lng: number) => {
  const scale = 2 ** z
  return {
    z,
    x: Math.floor(((lng + 180) / 360) * scale),
    y: Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * scale),
  }
}
const draw = (z: number, lat: number, lng: number, theme: Theme = 'light') => {
  const { x, y } = tileAt(z, lat, lng)
  return tiles.render(z, x, y, theme)
}
const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>(?:<textPath[^>]*>)?([^<]+)</g)].map(([, text]) => text!)
const centre = [-34.9055, -56.187] as const

/** Checks nesting and references like an XML parser, as far as tiles need it. */
function checkSvg(svg: string) {
  const open: string[] = []
  for (const [, closing, name, rest] of svg.matchAll(/<(\/?)([a-zA-Z]+)((?:\s[^<>]*?)?\/?)>/g)) {
    if (closing) expect(open.pop()).toBe(name)
    else if (!rest!.endsWith('/')) open.push(name!)
    expect((rest!.match(/"/g) ?? []).length % 2).toBe(0)
  }
  expect(open).toEqual([])
  expect(svg).not.toMatch(/NaN|undefined|Infinity|null/)
  const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, id] of svg.matchAll(/(?:href="#|url\(#)([^")]+)/g)) expect(ids).toContain(id)
}

describe('tiles', () => {
  test('the city tile at every zoom is a well-formed SVG of 256 pixels', async () => {
    const rows = Array.from({ length: MAX_ZOOM + 1 }, (_, z) => z)
    expect(
      await collectFailures(
        rows,
        (z) => `zoom ${z}`,
        (z) => {
          for (const theme of ['light', 'dark'] as const) {
            const svg = draw(z, ...centre, theme)
            expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="256" height="256" viewBox="0 0 1024 1024">/)
            checkSvg(svg)
          }
        },
      ),
    ).toEqual([])
  })

  test('a tile is identical each time, even after it was evicted from the cache', async () => {
    const fresh = createTiles(await openTestCity())
    expect(fresh.render(0, 0, 0, 'light')).toBe(tiles.render(0, 0, 0, 'light'))
    const { x, y } = tileAt(15, ...centre)
    expect(fresh.render(15, x, y, 'dark')).toBe(draw(15, ...centre, 'dark'))
  })

  test('light and dark tiles differ in their colours only', () => {
    const [light, dark] = [draw(15, ...centre), draw(15, ...centre, 'dark')]
    expect(light).toContain(palettes.light.land)
    expect(dark).toContain(palettes.dark.land)
    expect(light.replaceAll(/#[0-9a-f]{6}/g, '')).toBe(dark.replaceAll(/#[0-9a-f]{6}/g, ''))
  })

  test('tiles in the centre stay below their size limit at every zoom', async () => {
    const rows = [
      [12, 130],
      [13, 70],
      [14, 60],
      [15, 40],
      [16, 25],
      [18, 15],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([z]) => `zoom ${z}`,
        ([z, limit]) => {
          const { x, y } = tileAt(z, ...centre)
          for (const dx of [-1, 0, 1])
            for (const dy of [-1, 0, 1]) expect(tiles.render(z, x + dx, y + dy, 'light').length).toBeLessThan(limit * 1000)
        },
      ),
    ).toEqual([])
  })

  test('a tile of open water contains only water', () => {
    const svg = draw(15, -34.99, -56.2)
    expect(svg).toContain(palettes.light.sea)
    expect(svg).not.toContain(palettes.light.land)
    expect(svg.length).toBeLessThan(700)
  })

  test('features extend beyond the border of a tile, so that no edges show', () => {
    const { x, y } = tileAt(18, ...centre)
    const numbers = [...tiles.render(18, x, y, 'light').matchAll(/ d="[mM](-?\d+)[ ]?(-?\d+)/g)].flatMap(([, a, b]) => [
      Number(a),
      Number(b),
    ])
    expect(numbers.some((number) => number < 0 || number > 1024)).toBe(true)
  })
})

describe('labels on tiles', () => {
  test('streets in the centre are named at zoom 16', () => {
    expect(textsOf(draw(16, ...centre))).toEqual(expect.arrayContaining(['Avenida 18 de Julio']))
    expect(textsOf(draw(16, ...centre)).length).toBeGreaterThan(4)
  })

  test('districts are named at zoom 13', () => {
    expect(textsOf(draw(13, -34.912, -56.15))).toContain('Pocitos')
  })

  test('no name repeats within a tile', async () => {
    const rows = [13, 14, 15, 16, 17]
    expect(
      await collectFailures(
        rows,
        (z) => `zoom ${z}`,
        (z) => {
          for (const [lat, lng] of [centre, [-34.893, -56.1155], [-34.87, -56.2]] as const) {
            const names = textsOf(draw(z, lat, lng)).map((name) => name.toLowerCase())
            expect(new Set(names).size).toBe(names.length)
          }
        },
      ),
    ).toEqual([])
  })

  test('countries are named on the world map', () => {
    expect(textsOf(draw(3, -10, -55))).toContain('Brazil')
  })

  test("labels have a halo and the portal's typeface", () => {
    expect(draw(16, ...centre)).toMatch(/font-family="Inter, system-ui, sans-serif"[^>]*paint-order="stroke"/)
  })
})

describe('world map', () => {
  test('the world at zoom 2 has land, sea and borders', () => {
    const svg = draw(2, -15, -50)
    expect(svg).toContain(`fill="${palettes.light.land}"`)
    expect(svg).toContain(palettes.light.sea)
    expect(svg).toContain(palettes.light.border)
  })

  test('land that crosses the date line draws no bands across the world', () => {
    const svg = tiles.render(1, 0, 0, 'light')
    const path = svg.match(/fill-rule="evenodd" d="([^"]+)"/g) ?? []
    expect(path.length).toBeGreaterThan(3)
    for (const data of path) expect(data).not.toMatch(/l-?1\d{3} 0m/)
  })

  test('the land continues around the city without a gap', () => {
    expect(draw(13, -34.75, -56.15)).toContain(palettes.light.land)
    expect(draw(13, -34.75, -56.15)).not.toContain('<use')
  })

  test('the city appears from zoom 7', () => {
    expect(textsOf(draw(6, ...centre))).not.toContain('Montevideo')
    expect(textsOf(draw(9, ...centre))).toContain('Montevideo')
  })

  test('streets fade out where the data of the city ends', () => {
    expect(draw(13, -34.815, -56.2)).toContain('linearGradient')
    expect(draw(14, ...centre)).not.toContain('linearGradient')
  })
})

test('cached tiles take less than 15 ms', () => {
  const { x, y } = tileAt(16, ...centre)
  const around = Array.from({ length: 60 }, (_, index) => [x + (index % 10), y + Math.floor(index / 10)] as const)
  for (const [column, row] of around) tiles.render(16, column, row, 'light')
  const start = performance.now()
  for (const [column, row] of around) tiles.render(16, column, row, 'light')
  expect((performance.now() - start) / around.length).toBeLessThan(15)
})
