import { describe, expect, test } from 'vitest'
import { REGION_BOUNDS } from '#server/mock/city/frame.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { readRegion, readWorld } from './natural-earth.ts'

const world = readWorld()

describe('world map', () => {
  test('the world map has enough shapes of every kind', async () => {
    const rows = [
      ['coarse', 100],
      ['fine', 1000],
      ['border', 1],
      ['large', 20],
      ['small', 150],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([kind, least]) => {
          expect(world.filter((shape) => shape.kind === kind).length).toBeGreaterThanOrEqual(least)
        },
      ),
    ).toEqual([])
  })

  test('no ring jumps across the map', () => {
    for (const { lines, geometry } of world.filter(({ geometry }) => geometry === 'area')) {
      for (const ring of lines) {
        ring.slice(1).forEach(([lng, lat], index) => {
          // Edges along the pole may jump; the map does not show them.
          if (lat > -89) expect(Math.abs(lng - ring[index]![0]), geometry).toBeLessThan(180)
        })
      }
    }
  })

  test('countries are named at a point', async () => {
    expect(
      await collectFailures(['Uruguay', 'Argentina', 'Japan', 'Finland'], String, (name) => {
        expect(world.find((shape) => shape.name === name)?.geometry).toBe('point')
      }),
    ).toEqual([])
  })

  test("a country's name is placed on its largest part", () => {
    const [lng, lat] = world.find(({ name }) => name === 'United States of America')!.lines[0]![0]!
    expect(lng).toBeGreaterThan(-125)
    expect(lng).toBeLessThan(-65)
    expect(lat).toBeLessThan(50)
  })
})

describe('region around the city', () => {
  const positions = readRegion().flatMap(({ lines }) => lines.flat())

  test("the region's land stays within its bounds", () => {
    for (const [lng, lat] of positions) {
      expect(lng).toBeGreaterThanOrEqual(REGION_BOUNDS.west)
      expect(lng).toBeLessThanOrEqual(REGION_BOUNDS.east)
      expect(lat).toBeGreaterThanOrEqual(REGION_BOUNDS.south)
      expect(lat).toBeLessThanOrEqual(REGION_BOUNDS.north)
    }
  })

  test('the region is drawn finer than the world', () => expect(positions.length).toBeGreaterThan(500))
})
