import { describe, expect, test } from 'vitest'
import { drawLabels } from './draw-labels.ts'
import type { Point, TileFeature } from './fit-tile.ts'
import { createRoom } from './label-room.ts'
import { labelPlaces } from './place-labels.ts'
import { labelStreets } from './street-labels.ts'
import { palettes } from './style.ts'

const street = (name: string, kind: string, ...lines: Point[][]): TileFeature => ({ layer: 'road', kind, name, geometry: 'line', lines })
const place = (name: string, kind: string, at: Point): TileFeature => ({ layer: 'place', kind, name, geometry: 'point', lines: [[at]] })
const across: Point[] = [
  [-50, 500],
  [1100, 500],
]
const room = () => createRoom(12)

describe('the name of a street', () => {
  test('stands on it, in the middle of the tile, to be read from the left', () => {
    const [label] = labelStreets([street('Grecia', 'residential', across.toReversed())], 16, room())
    expect(label?.line[0]?.[1]).toBe(500)
    expect(label!.line[0]![0]).toBeLessThan(label!.line.at(-1)![0])
    expect((label!.line[0]![0] + label!.line.at(-1)![0]) / 2).toBeCloseTo(512, -2)
  })

  test('stands once, though the street is drawn in pieces', () => {
    const pieces: Point[][] = [
      [
        [0, 300],
        [500, 300],
      ],
      [
        [500, 300],
        [1024, 300],
      ],
    ]
    expect(labelStreets([street('Grecia', 'residential', ...pieces), street('Grecia', 'tertiary', across)], 16, room())).toHaveLength(1)
  })

  test.each<[string, Point[]]>([
    [
      'the street is too short',
      [
        [400, 500],
        [500, 500],
      ],
    ],
    [
      'only a corner of the tile sees it',
      [
        [-300, 60],
        [60, -300],
      ],
    ],
    ['it winds too much', Array.from({ length: 40 }, (_, index): Point => [index * 25, index % 2 ? 480 : 520])],
    [
      'it runs along the border',
      [
        [0, 6],
        [1024, 6],
      ],
    ],
  ])('is left out when %s', (_, line) => {
    expect(labelStreets([street('Bulevar General Artigas', 'primary', line)], 16, room())).toEqual([])
  })

  test.each([
    ['primary', 12, 0],
    ['primary', 13, 1],
    ['residential', 14, 0],
    ['residential', 15, 1],
    ['footway', 17, 0],
    ['footway', 18, 1],
  ])('of a %s at zoom %i comes %i times', (kind, zoom, count) => {
    expect(labelStreets([street('Grecia', kind, across)], zoom, room())).toHaveLength(count)
  })

  test('of the larger street wins the room', () => {
    const beside: Point[] = across.map(([x, y]) => [x, y + 20])
    const found = labelStreets([street('Abajo', 'residential', across), street('Zabala', 'primary', beside)], 16, room())
    expect(found[0]?.name).toBe('Zabala')
  })

  test('does not come again for a street without one', () => {
    expect(labelStreets([{ ...street('x', 'primary', across), name: null }], 16, room())).toEqual([])
  })
})

describe('the name of a district', () => {
  test('stands on its point', () => {
    expect(labelPlaces([place('Goes', 'suburb', [512, 400])], 13, room())).toMatchObject([{ name: 'Goes', at: [512, 400], ink: 'place' }])
  })

  test('moves in where the border would cut it', () => {
    const [label] = labelPlaces([place('Jardines del Hipódromo', 'suburb', [10, 1020])], 13, room())
    expect(label!.at[0]).toBeGreaterThan(300)
    expect(label!.at[1]).toBeLessThan(1000)
  })

  test.each<Point>([
    [-1, 500],
    [1024, 500],
    [500, -1],
    [500, 1024],
  ])('belongs to the tile that holds its point, not the one beside: %i, %i', (...at) => {
    expect(labelPlaces([place('Goes', 'suburb', at)], 13, room())).toEqual([])
  })

  test('is left out when it is wider than a tile', () => {
    expect(labelPlaces([place('Asentamiento de los Amigos del Arroyo Miguelete', 'suburb', [512, 512])], 13, room())).toEqual([])
  })

  test.each([
    ['capital', 10, 1],
    ['capital', 14, 0],
    ['suburb', 11, 0],
    ['suburb', 14, 1],
    ['suburb', 17, 0],
  ])('of a %s at zoom %i comes %i times', (kind, zoom, count) => {
    expect(labelPlaces([place('Goes', kind, [512, 512])], zoom, room())).toHaveLength(count)
  })

  test('keeps a street from being written over it', () => {
    const shared = room()
    labelPlaces([place('La Blanqueada', 'suburb', [512, 500])], 14, shared)
    const [label] = labelStreets([street('Monte Caseros', 'tertiary', across)], 14, shared)
    const middle = label && (label.line[0]![0] + label.line.at(-1)![0]) / 2
    expect(middle === undefined || Math.abs(middle - 512) > 200).toBe(true)
  })
})

describe('drawing names', () => {
  const draw = (name: string, line: Point[]) => drawLabels([{ name, line, size: 40 }], [], palettes.light)

  test('is nothing without names', () => expect(drawLabels([], [], palettes.light)).toBe(''))

  test('sets a name straight on a straight street', () => {
    expect(draw('Grecia', across)).toContain('rotate(0)')
    expect(draw('Grecia', across)).not.toContain('textPath')
  })

  test('bends a name with its street', () => {
    const bent: Point[] = [
      [0, 500],
      [200, 470],
      [400, 500],
    ]
    expect(draw('Grecia', bent)).toMatch(/<path id="s0"[^>]*\/><text[^>]*><textPath href="#s0" startOffset="50%">Grecia</)
  })

  test('cannot be broken by a name', () => {
    expect(draw('A & B <script>', across)).toContain('A &amp; B &lt;script&gt;')
  })
})
