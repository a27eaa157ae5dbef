import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distanceMeters, type Fix, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { toFixColumns } from '#contracts/rules/history/fixes.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { RuleState } from '#contracts/rules/tracking/rules/rule.ts'
import { finish } from '#contracts/rules/work.ts'
import { cellOf, cellsAround, centerOf, distanceToCell, isNearCells, packCells, unpackCells } from './cells.ts'
import { followUsual } from './follow-usual.ts'
import { findReadyDay, learnUsual } from './learn.ts'
import { HOME, MONDAY, move, type Outing, repeatWeeks } from './test-weeks.ts'

const PARK = move(HOME, 900, 400)
const learn = (fixes: readonly Fix[], zone = 'UTC') => finish(learnUsual(toFixColumns(fixes), zone))
const daily = (to: LatLng, hour = 8): Outing[] => [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, hour, to }))

/** The metres with which the rule fires on the fixes. */
function fire(cells: ReadonlySet<number>, fixes: readonly Fix[]) {
  let state: RuleState = {}
  return fixes.flatMap((fix) => {
    const next = followUsual(cells, state, fix)
    state = next.state
    return next.meters ?? []
  })
}

describe('learning', () => {
  test('where a dog sleeps and where it is walked are its places, with the days and the usual hours', () => {
    const { places } = learn(repeatWeeks(3, daily(PARK)))
    expect(places.map(({ days, hours }) => ({ days, hours }))).toEqual([
      { days: 21, hours: { from: 10, to: 8 } },
      { days: 21, hours: { from: 8, to: 10 } },
    ])
    expect(distanceMeters(places[0]!, HOME)).toBeLessThan(30)
    expect(distanceMeters(places[1]!, PARK)).toBeLessThan(60)
  })

  test('the ways there and back are two ways of 21 days, along the points of the latest trip', () => {
    const { ways } = learn(repeatWeeks(3, daily(PARK)))
    expect(ways.map(({ days, width }) => ({ days, width }))).toEqual([
      { days: 21, width: 100 },
      { days: 21, width: 100 },
    ])
    for (const { points } of ways) expect(points.length).toBeGreaterThan(8)
  })

  test('what was done on two days only is not usual, and on a third day it is', () => {
    const twice = repeatWeeks(2, [{ day: 2, hour: 8, to: PARK }])
    expect(learn(twice).places).toHaveLength(1)
    expect(learn(twice).cells.has(cellOf(PARK))).toBe(false)
    const thrice = learn(repeatWeeks(3, [{ day: 2, hour: 8, to: PARK }]))
    expect(thrice.places.map(({ days }) => days)).toEqual([21, 3])
    expect(thrice.cells.has(cellOf(PARK))).toBe(true)
  })

  test('two walks on one day count as one day', () => {
    const walks = [8, 12, 16, 20].map((hour) => ({ day: 0, hour, to: PARK }))
    expect(learn(repeatWeeks(2, walks)).places).toHaveLength(1)
  })

  test('the time zone decides to which day and hour a stay belongs', () => {
    const [, park] = learn(repeatWeeks(3, daily(PARK)), 'America/Montevideo').places
    expect(park?.hours).toEqual({ from: 5, to: 7 })
  })

  test('vague fixes are in no cell', () => {
    const vague = repeatWeeks(3, []).map((fix) => ({ ...fix, precision: 800 }))
    expect(learn(vague).cells.size).toBe(0)
  })

  test('without positions nothing is usual', () => expect(learn([])).toEqual({ places: [], ways: [], cells: new Set() }))

  test('a tracker is ready three weeks after its first position', () =>
    expect(findReadyDay(MONDAY + 23 * HOUR_MS, 'Europe/Berlin')).toBe('2026-03-24'))
})

describe('following', () => {
  const { cells } = learn(repeatWeeks(3, daily(PARK)))
  const at = (minute: number, north: number, precision = 10): Fix => ({
    ...move(HOME, north, 0),
    datetime: MONDAY + minute * MINUTE_MS,
    precision,
  })

  test.each<[string, Fix[], number]>([
    ['two fixes away are not enough', [at(0, -5000), at(1, -5000)], 0],
    ['three fixes away are', [at(0, -5000), at(1, -5000), at(2, -5000)], 1],
    ['two fixes away that are ten minutes apart are', [at(0, -5000), at(10, -5000)], 1],
    ['a fix at home between them begins anew', [at(0, -5000), at(1, -5000), at(2, 0), at(3, -5000), at(4, -5000)], 0],
    ['250 m beside everything usual is not away', [0, 1, 2, 3].map((minute) => at(minute, -250)), 0],
    ['fixes that may be on either side say nothing', [0, 1, 2, 3].map((minute) => at(minute, -700, 600)), 0],
    ['nor do fixes of several kilometres', [0, 1, 2, 3].map((minute) => at(minute, -9000, 3000)), 0],
    ['it fires once while the tracker stays away', Array.from({ length: 60 }, (_, minute) => at(minute, -5000 - minute)), 1],
    ['it fires again after the tracker was back', [0, 1, 2, 20, 30, 31, 32].map((minute) => at(minute, minute === 20 ? 0 : -5000)), 2],
  ])('%s', (_, fixes, times) => expect(fire(cells, fixes)).toHaveLength(times))

  test('it says how far the nearest usual cell is', () => {
    const [meters] = fire(
      cells,
      [0, 1, 2].map((minute) => at(minute, -5000)),
    )
    expect(meters).toBeGreaterThan(4850)
    expect(meters).toBeLessThan(5001)
  })

  test('without usual cells nothing fires', () =>
    expect(
      fire(
        new Set(),
        [0, 1, 2, 3].map((minute) => at(minute, -5000)),
      ),
    ).toEqual([]))
})

describe('cells', () => {
  const point = fc.record({ lat: fc.double({ min: -85, max: 85, noNaN: true }), lng: fc.double({ min: -180, max: 180, noNaN: true }) })

  test('a point lies in its cell, and its cell is among those around it', () => {
    fc.assert(
      fc.property(point, (at) => {
        expect(distanceToCell(at, cellOf(at))).toBeLessThan(1)
        expect([...cellsAround(at, 2)]).toContain(cellOf(at))
        expect(cellOf(centerOf(cellOf(at)))).toBe(cellOf(at))
      }),
    )
  })

  test('a point near a cell is found as far as it is, and no farther, also across the date line', () => {
    fc.assert(
      fc.property(point, fc.integer({ min: -900, max: 900 }), fc.integer({ min: -900, max: 900 }), (at, north, east) => {
        const there = move(at, north, east)
        const cells = new Set([cellOf(at)])
        const meters = distanceToCell(there, cellOf(at))
        expect(isNearCells(cells, there, meters + 1)).toBe(true)
        if (meters > 2) expect(isNearCells(cells, there, meters - 1)).toBe(false)
      }),
    )
  })

  test('cells are the same after they were packed', () => {
    fc.assert(
      fc.property(fc.array(point), (points) => {
        const cells = new Set(points.map(cellOf))
        expect(unpackCells(packCells(cells))).toEqual(new Set([...cells].sort((a, b) => a - b)))
      }),
    )
  })
})

describe('any weeks', () => {
  const outing = fc.record({
    day: fc.integer({ min: 0, max: 6 }),
    hour: fc.integer({ min: 6, max: 19 }),
    to: fc
      .record({ north: fc.integer({ min: -3000, max: 3000 }), east: fc.integer({ min: -3000, max: 3000 }) })
      .map(({ north, east }) => move(HOME, north, east)),
  })
  const week = fc
    .array(outing, { maxLength: 6 })
    .map((outings) =>
      outings.filter(({ day, hour }, nth) => outings.slice(0, nth).every((other) => other.day !== day || Math.abs(other.hour - hour) > 2)),
    )

  test('a tracker that repeats its weeks is never unusual', () => {
    fc.assert(
      fc.property(week, fc.integer({ min: 4, max: 6 }), (outings, weeks) => {
        const fixes = repeatWeeks(weeks, outings)
        const learnt = fixes.filter(({ datetime }) => datetime < MONDAY + 21 * DAY_MS)
        expect(fire(learn(learnt).cells, fixes)).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  test('a tracker that goes 5 km off once is unusual once', () => {
    fc.assert(
      fc.property(week, fc.integer({ min: 0, max: 359 }), (outings, direction) => {
        const { cells } = learn(repeatWeeks(3, outings))
        const angle = (direction * Math.PI) / 180
        const off = { day: 0, hour: 12, to: move(HOME, 9500 * Math.cos(angle), 9500 * Math.sin(angle)) }
        const trip = repeatWeeks(1, [off]).filter(({ datetime }) => datetime < MONDAY + DAY_MS)
        expect(fire(cells, trip)).toHaveLength(1)
      }),
      { numRuns: 25 },
    )
  })
})
