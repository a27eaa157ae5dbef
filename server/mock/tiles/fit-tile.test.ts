import fc from 'fast-check'
import type { LegacyTile } from 'geojson-vt'
import { expect, test } from 'vitest'
import { fitTile, formatPath, type Point } from './fit-tile.ts'

const extent = 4096
const tile: LegacyTile = {
  features: [
    {
      type: 2,
      tags: { layer: 'road', kind: 'primary', name: 'Rambla' },
      geometry: [
        [
          [0, 1024],
          [4096, 1024],
        ],
      ],
    },
    { type: 1, tags: { layer: 'place', kind: 'suburb', name: null }, geometry: [[3072, 3072]] },
    {
      type: 3,
      tags: { layer: 'land', kind: 'coast' },
      geometry: [
        [
          [0, 0],
          [4096, 0],
          [4096, 4096],
          [0, 4096],
          [0, 0],
        ],
      ],
    },
  ],
}

test('a whole tile is scaled to its units', () => {
  const [road, place, land] = fitTile(tile, { extent, halvings: 0, column: 0, row: 0 })
  expect(road).toEqual({
    layer: 'road',
    kind: 'primary',
    name: 'Rambla',
    geometry: 'line',
    lines: [
      [
        [0, 256],
        [1024, 256],
      ],
    ],
  })
  expect(place).toMatchObject({ name: null, geometry: 'point', lines: [[[768, 768]]] })
  expect(land?.geometry).toBe('area')
})

test('a part of a tile contains only features that reach it', () => {
  const layers = (column: number, row: number) => fitTile(tile, { extent, halvings: 3, column, row }).map(({ layer }) => layer)
  expect(layers(0, 2)).toEqual(['road', 'land'])
  expect(layers(6, 6)).toEqual(['place', 'land'])
  expect(layers(4, 4)).toEqual(['land'])
})

test('an area is clipped to its part plus a margin', () => {
  const [land] = fitTile(tile, { extent, halvings: 6, column: 20, row: 20 })
  const numbers = land!.lines.flat(2)
  expect(Math.min(...numbers)).toBe(-192)
  expect(Math.max(...numbers)).toBe(1216)
})

function read(data: string): Point[][] {
  const lines: Point[][] = []
  let pen: Point = [0, 0]
  for (const [, start = '', steps = '', close] of data.matchAll(/m([^l]*)l([^mz]*)(z?)/g)) {
    const numbers = `${start} ${steps}`.match(/-?\d+/g)!.map(Number)
    const line: Point[] = []
    for (let at = 0; at < numbers.length; at += 2) {
      pen = [pen[0] + numbers[at]!, pen[1] + numbers[at + 1]!]
      line.push(pen)
    }
    if (close) pen = line[0]!
    lines.push(line)
  }
  return lines
}

test('a path consists of relative steps without needless spaces', () => {
  expect(
    formatPath(
      [
        [
          [0, 0],
          [10, -5],
          [20, 5],
        ],
      ],
      false,
    ),
  ).toBe('m0 0l10-5 10 10')
})

test('lines smaller than a unit are left out', () => {
  const tiny: Point[] = [
    [3.1, 3],
    [3.2, 3.1],
  ]
  expect(formatPath([tiny], false)).toBe('')
  expect(formatPath([[]], true)).toBe('')
})

test('random lines survive a round trip through path data', () => {
  const point = fc.tuple(fc.integer({ min: -500, max: 1500 }), fc.integer({ min: -500, max: 1500 }))
  const line = fc.uniqueArray(point, { minLength: 2, maxLength: 6, selector: String })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), fc.boolean(), (lines, isClosed) => {
      expect(read(formatPath(lines, isClosed))).toEqual(lines)
    }),
  )
})
