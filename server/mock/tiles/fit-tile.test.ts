import type { LegacyTile } from 'geojson-vt'
import { expect, test } from 'vitest'
import { fitTile } from './fit-tile.ts'

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
