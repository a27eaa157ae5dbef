import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { bounds } from './frame.ts'
import { readTiles } from './read-tiles.ts'

const features = readTiles()
const having = (tag: string, value?: string) => features.filter(({ tags }) => (value ? tags[tag] === value : tags[tag]))

describe('fixture tiles', () => {
  test('the tiles hold the expected number of features', async () => {
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
    const { south, west, north, east } = bounds
    for (const { lines } of having('place')) {
      for (const [lng, lat] of lines.flat())
        expect(lng > west - 1e-5 && lng < east + 1e-5 && lat > south - 1e-5 && lat < north + 1e-5).toBe(true)
    }
  })

  test('streets cut at a tile border are joined across it', () => {
    const border = bounds.west + (bounds.east - bounds.west) / 2
    const crossing = having('highway').filter(({ lines }) =>
      lines.some((line) => line.some(([lng]) => lng < border) && line.some(([lng]) => lng > border)),
    )
    expect(crossing.length).toBeGreaterThan(10)
  })
})
