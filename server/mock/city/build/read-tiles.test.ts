import { describe, expect, test } from 'vitest'
import type { Position } from '#server/mock/city/city.ts'
import { CITY_BOUNDS } from '#server/mock/city/frame.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { joinLines, joinPieces, type OsmFeature, readTiles } from './read-tiles.ts'

const west: Position[] = [
  [0, 0],
  [1, 0],
]
const east: Position[] = [
  [1.000001, 0],
  [2, 0],
]
const far: Position[] = [
  [5, 5],
  [6, 6],
]
const raw = (id: number, geometry: OsmFeature['geometry'], lines: Position[][]): OsmFeature => ({ id, geometry, tags: {}, lines })

describe('lines cut at a tile border', () => {
  test('the pieces of a line are joined, in whichever order they come', () => {
    const whole = [[...west, east[1]]]
    expect(joinLines([west, east])).toEqual(whole)
    expect(joinLines([east, west])).toEqual(whole)
  })

  test('lines that do not meet stay apart', () => {
    expect(joinLines([west, far])).toEqual([west, far])
  })

  test('lines of a single point are dropped', () => {
    expect(joinLines([[[0, 0]], west])).toEqual([west])
  })

  test('lines that form a ring are joined only once', () => {
    const back: Position[] = [
      [2, 0],
      [0, 0],
    ]
    expect(joinLines([west, east, back])).toEqual([[...west, east[1], back[1]]])
  })
})

describe('features that span several tiles', () => {
  test('the pieces of an object become one feature', () => {
    const [line] = joinPieces([raw(7, 'line', [east]), raw(7, 'line', [west])])
    expect(line?.lines).toHaveLength(1)
  })

  test('objects of different geometry may share an id', () => {
    expect(joinPieces([raw(7, 'line', [west]), raw(7, 'area', [west]), raw(7, 'point', [[[0, 0]]])])).toHaveLength(3)
  })

  test('a duplicated point is kept once, and every piece of an area is kept', () => {
    expect(joinPieces([raw(1, 'point', [[[0, 0]]]), raw(1, 'point', [[[0, 0]]])])[0]?.lines).toEqual([[[0, 0]]])
    expect(joinPieces([raw(1, 'area', [west]), raw(1, 'area', [far])])[0]?.lines).toEqual([west, far])
  })

  test('features are ordered by id', () => {
    expect(joinPieces([raw(3, 'line', [far]), raw(2, 'line', [west])]).map(({ id }) => id)).toEqual([2, 3])
  })
})

const features = readTiles()
const having = (tag: string, value?: string) => features.filter(({ tags }) => (value ? tags[tag] === value : tags[tag]))

describe('fixture tiles', () => {
  test('the tiles contain the expected number of features', async () => {
    const rows = [
      ['highway', undefined, 13_000, 15_000],
      ['addr:street', undefined, 200_000, 210_000],
      ['building', undefined, 4000, 5000],
      ['landuse', 'grass', 1400, 1700],
      ['place', 'suburb', 60, 70],
      ['natural', 'beach', 10, 20],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([tag, value]) => `${tag} ${value}`,
        ([tag, value, least, most]) => {
          const count = having(tag, value).length
          expect(count).toBeGreaterThan(least)
          expect(count).toBeLessThan(most)
        },
      ),
    ).toEqual([])
  })

  test('each object is returned once', () => {
    const ids = features.map(({ id, geometry }) => `${geometry} ${id}`)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('tags that name contributors are left out', () => {
    const tags = new Set(features.flatMap(({ tags }) => Object.keys(tags)))
    expect([...tags].filter((tag) => tag.startsWith('@'))).toEqual([])
  })

  test('all places lie within the bounds', () => {
    const { south, west, north, east } = CITY_BOUNDS
    for (const { lines } of having('place')) {
      for (const [lng, lat] of lines.flat())
        expect(lng > west - 1e-5 && lng < east + 1e-5 && lat > south - 1e-5 && lat < north + 1e-5).toBe(true)
    }
  })

  test('streets cut at a tile border are joined across it', () => {
    const border = CITY_BOUNDS.west + (CITY_BOUNDS.east - CITY_BOUNDS.west) / 2
    const crossing = having('highway').filter(({ lines }) =>
      lines.some((line) => line.some(([lng]) => lng < border) && line.some(([lng]) => lng > border)),
    )
    expect(crossing.length).toBeGreaterThan(10)
  })
})
