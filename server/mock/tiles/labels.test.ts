import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { drawLabels } from './draw-map.ts'
import type { Point, TileFeature } from './fit-tile.ts'
import { createLabelRoom, discsAlong, textWidth } from './label-room.ts'
import { labelPlaces, labelStreets } from './labels.ts'
import { palettes } from './style.ts'

const street = (name: string, kind: string, ...lines: Point[][]): TileFeature => ({ layer: 'road', kind, name, geometry: 'line', lines })
const place = (name: string, kind: string, at: Point): TileFeature => ({ layer: 'place', kind, name, geometry: 'point', lines: [[at]] })
const across: Point[] = [
  [-50, 500],
  [1100, 500],
]
const room = () => createLabelRoom(12)

describe('street names', () => {
  test('a street name is placed in the middle of the tile and reads from left to right', () => {
    const [label] = labelStreets([street('Grecia', 'residential', across.toReversed())], 16, room())
    expect(label?.line[0]?.[1]).toBe(500)
    expect(label!.line[0]![0]).toBeLessThan(label!.line.at(-1)![0])
    expect((label!.line[0]![0] + label!.line.at(-1)![0]) / 2).toBeCloseTo(512, -2)
  })

  test('a street drawn in pieces is named once', () => {
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

  test('a street that is too short, too winding or at the border is not named', async () => {
    const rows: [string, Point[]][] = [
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
    ]
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([, line]) => {
          expect(labelStreets([street('Bulevar General Artigas', 'primary', line)], 16, room())).toEqual([])
        },
      ),
    ).toEqual([])
  })

  test('streets are named from the first zoom of their class', async () => {
    const rows = [
      ['primary', 12, 0],
      ['primary', 13, 1],
      ['residential', 14, 0],
      ['residential', 15, 1],
      ['footway', 17, 0],
      ['footway', 18, 1],
    ] as const
    expect(
      await collectFailures(
        rows,
        (row) => row.join(' '),
        ([kind, zoom, count]) => {
          expect(labelStreets([street('Grecia', kind, across)], zoom, room())).toHaveLength(count)
        },
      ),
    ).toEqual([])
  })

  test('of two crossing streets the larger one is named first', () => {
    const beside: Point[] = across.map(([x, y]) => [x, y + 20])
    const found = labelStreets([street('Abajo', 'residential', across), street('Zabala', 'primary', beside)], 16, room())
    expect(found[0]?.name).toBe('Zabala')
  })

  test('a street without a name gets no label', () => {
    expect(labelStreets([{ ...street('x', 'primary', across), name: null }], 16, room())).toEqual([])
  })
})

describe('place names', () => {
  test('a district is named at its point', () => {
    expect(labelPlaces([place('Goes', 'suburb', [512, 400])], 13, room())).toMatchObject([{ name: 'Goes', at: [512, 400], ink: 'place' }])
  })

  test('a name that the border would cut is moved inside', () => {
    const [label] = labelPlaces([place('Jardines del Hipódromo', 'suburb', [10, 1020])], 13, room())
    expect(label!.at[0]).toBeGreaterThan(300)
    expect(label!.at[1]).toBeLessThan(1000)
  })

  test('a point outside the tile is named by the neighbouring tile only', async () => {
    const rows: Point[] = [
      [-1, 500],
      [1024, 500],
      [500, -1],
      [500, 1024],
    ]
    expect(
      await collectFailures(rows, String, (at) => {
        expect(labelPlaces([place('Goes', 'suburb', at)], 13, room())).toEqual([])
      }),
    ).toEqual([])
  })

  test('a place name wider than a tile is omitted', () => {
    expect(labelPlaces([place('Asentamiento de los Amigos del Arroyo Miguelete', 'suburb', [512, 512])], 13, room())).toEqual([])
  })

  test('places are named at the zooms of their kind', async () => {
    const rows = [
      ['capital', 10, 1],
      ['capital', 14, 0],
      ['suburb', 11, 0],
      ['suburb', 14, 1],
      ['suburb', 17, 0],
    ] as const
    expect(
      await collectFailures(
        rows,
        (row) => row.join(' '),
        ([kind, zoom, count]) => {
          expect(labelPlaces([place('Goes', kind, [512, 512])], zoom, room())).toHaveLength(count)
        },
      ),
    ).toEqual([])
  })

  test('a street name is not placed over a district name', () => {
    const shared = room()
    labelPlaces([place('La Blanqueada', 'suburb', [512, 500])], 14, shared)
    const [label] = labelStreets([street('Monte Caseros', 'tertiary', across)], 14, shared)
    const middle = label && (label.line[0]![0] + label.line.at(-1)![0]) / 2
    expect(middle === undefined || Math.abs(middle - 512) > 200).toBe(true)
  })
})

describe('drawing labels', () => {
  const draw = (name: string, line: Point[]) => drawLabels([{ name, line, size: 40 }], [], palettes.light)

  test('without labels nothing is drawn', () => expect(drawLabels([], [], palettes.light)).toBe(''))

  test('a name on a straight street is drawn straight', () => {
    expect(draw('Grecia', across)).toContain('rotate(0)')
    expect(draw('Grecia', across)).not.toContain('textPath')
  })

  test('a name on a curved street follows the curve', () => {
    const bent: Point[] = [
      [0, 500],
      [200, 470],
      [400, 500],
    ]
    expect(draw('Grecia', bent)).toMatch(/<path id="s0"[^>]*\/><text[^>]*><textPath href="#s0" startOffset="50%">Grecia</)
  })

  test('special characters in a name are escaped', () => {
    expect(draw('A & B <script>', across)).toContain('A &amp; B &lt;script&gt;')
  })
})

test('a placed label is known by name, in any case', () => {
  const room = createLabelRoom(10)
  expect(room.place('Goes', [[500, 500]], 20)).toBe(true)
  expect(room.has('Goes')).toBe(true)
  expect(room.has('GOES')).toBe(true)
  expect(room.has('Reducto')).toBe(false)
})

test('labels do not overlap', () => {
  const room = createLabelRoom(10)
  room.place('Goes', [[500, 500]], 20)
  expect(room.place('Reducto', [[530, 500]], 20)).toBe(false)
  expect(room.has('Reducto')).toBe(false)
  expect(room.place('Reducto', [[541, 500]], 20)).toBe(true)
})

test('a label that the border would cut is not placed', async () => {
  const rows = [
    [29, 500],
    [500, 29],
    [996, 500],
    [500, 996],
  ] as const
  expect(
    await collectFailures(rows, String, ([x, y]) => {
      expect(createLabelRoom(10).place('Goes', [[x, y]], 20)).toBe(false)
    }),
  ).toEqual([])
})

test('the discs of a label cover its text from end to end', () => {
  const discs = discsAlong(100, 10, (distance) => [distance, 0])
  expect(discs[0]).toEqual([0, 0])
  expect(discs.at(-1)).toEqual([100, 0])
  discs.slice(1).forEach(([x], index) => {
    expect(x - discs[index]![0]).toBeLessThanOrEqual(15)
  })
})

test('longer names and capitals are wider', () => {
  expect(textWidth('Avenida Italia')).toBeGreaterThan(textWidth('Avenida'))
  expect(textWidth('GOES')).toBeGreaterThan(textWidth('goes'))
  expect(textWidth('')).toBe(0)
})
