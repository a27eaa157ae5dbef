import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { finish } from '#contracts/rules/work.ts'
import { toFixColumns } from './fixes.ts'
import { computeTotals, splitIntoLegs as split } from './trips.ts'

const splitIntoLegs = (fixes: readonly Fix[]) => finish(split(toFixColumns(fixes)))

const METER = 1 / 111_195.08
/** A fix at a minute, the given number of metres north and east of the start. */
const at = (minute: number, north: number, precision = 10, east = 0): Fix => ({
  lat: north * METER,
  lng: east * METER,
  datetime: minute * 60_000,
  precision,
})
const stay = (from: number, to: number, north: number, step = 2) =>
  Array.from({ length: (to - from) / step + 1 }, (_, index) => at(from + index * step, north + (index % 3) * 10))
const shape = (fixes: Fix[]) => splitIntoLegs(fixes).map(({ kind, first, last }) => [kind, first, last])
const minutes = (fixes: Fix[]) => splitIntoLegs(fixes).map(({ kind, start, end }) => `${kind} ${start / 60_000}-${end / 60_000}`)

const commute = [...stay(0, 10, 0), at(11, 800), at(12, 1800), at(13, 2600), ...stay(14, 24, 3000)]

test('a history splits into a stop, a trip and a stop', () => {
  expect(minutes(commute)).toEqual(['stop 0-10', 'trip 10-14', 'stop 14-24'])
  expect(shape(commute)).toEqual([
    ['stop', 0, 5],
    ['trip', 5, 9],
    ['stop', 9, 14],
  ])
})

test('a trip has the distance between its stops and the top speed', () => {
  const [home, trip] = splitIntoLegs(commute)
  expect(home).toMatchObject({ meters: 0, topSpeedKmh: 0, durationMs: 600_000 })
  expect(trip?.meters).toBeCloseTo(2980, -1)
  expect(trip?.topSpeedKmh).toBeCloseTo(60, 1)
})

test('totals are distance, moving time, longest stop and number of stops', () => {
  const totals = computeTotals(splitIntoLegs([...commute, ...stay(26, 60, 0)]))
  expect(totals).toMatchObject({ movingMs: 6 * 60_000, longestStopMs: 34 * 60_000, stops: 3 })
  expect(totals.meters / 1000).toBeCloseTo(6, 1)
})

test.each([
  ['an empty history', []],
  ['a single fix', [at(0, 0)]],
  ['two fixes at one place within 5 minutes', [at(0, 0), at(4, 5)]],
])('%s gives no legs', (_words, fixes) => {
  expect(splitIntoLegs(fixes)).toEqual([])
  expect(computeTotals(splitIntoLegs(fixes))).toEqual({ meters: 0, movingMs: 0, longestStopMs: 0, stops: 0 })
})

test.each([
  ['standing for 5 minutes is a stop', [at(0, 0), at(5, 0)], ['stop 0-5']],
  ['4-hourly reports from one place are one stop', [at(0, 0), at(240, 20), at(480, 5), at(720, 40)], ['stop 0-720']],
  ['a short halt belongs to the trip', [at(0, 0), at(1, 500), at(4, 505), at(5, 1000)], ['trip 0-5']],
  [
    'sparse stops have a trip between them',
    [at(0, 0), at(60, 5), at(120, 3000), at(180, 3005)],
    ['stop 0-60', 'trip 60-120', 'stop 120-180'],
  ],
  ['6 hours of silence are no gap', [at(0, 0), at(360, 0)], ['stop 0-360']],
  [
    'more than 6 hours of silence are a gap, even at one place',
    [at(0, 0), at(10, 0), at(371, 0), at(381, 0)],
    ['stop 0-10', 'gap 10-371', 'stop 371-381'],
  ],
  ['a gap connects two trips', [at(0, 0), at(1, 900), at(400, 9000), at(401, 9900)], ['trip 0-1', 'gap 1-400', 'trip 400-401']],
  ['a lone fix nearby is drift however long it took', [at(0, 0), at(10, 0), at(20, 140), at(30, 0), at(40, 0)], ['stop 0-40']],
  [
    'a lone fix far away is a trip there and back',
    [at(0, 0), at(10, 0), at(20, 900), at(30, 0), at(40, 0)],
    ['stop 0-10', 'trip 10-30', 'stop 30-40'],
  ],
  ['an inaccurate fix makes no trip', [at(0, 0), at(10, 0), at(20, 900, 1000), at(30, 0)], ['stop 0-30']],
])('%s', (_words, fixes, expected) => {
  expect(minutes(fixes)).toEqual(expected)
})

test('an inaccurate fix on a trip adds neither distance nor speed', () => {
  const trip = [at(0, 0), at(1, 1000), at(2, 2000, 3000, 2500), at(3, 3000), at(4, 4000)]
  expect(computeTotals(splitIntoLegs(trip)).meters).toBeCloseTo(4000, -1)
  expect(splitIntoLegs(trip)[0]?.topSpeedKmh).toBeCloseTo(60, 1)
})

test('the metres of a gap count only for the gap, not for the totals', () => {
  const legs = splitIntoLegs([at(0, 0), at(10, 0), at(400, 5000), at(410, 5000)])
  expect(legs[1]?.meters).toBeCloseTo(5000, -1)
  expect(computeTotals(legs)).toMatchObject({ meters: 0, movingMs: 0, stops: 2 })
})

test('a day of drift around one place is one stop of 0 metres', () => {
  const noise = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 }))
  fc.assert(
    fc.property(fc.array(noise, { minLength: 30, maxLength: 200 }), (drift) => {
      const legs = splitIntoLegs(drift.map(([north, east], index) => at(index * 5, north, 15, east)))
      expect(computeTotals(legs)).toMatchObject({ meters: 0, stops: 1 })
      expect(legs).toHaveLength(1)
    }),
    { numRuns: 30 },
  )
})

test('legs follow each other in time and never overlap', () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: -400, max: 400 }), fc.integer({ min: 1, max: 100 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let [minute, north] = [0, 0]
      const fixes = steps.map(([after, moved, precision]) => {
        minute += after
        north += moved
        return at(minute, north, precision)
      })
      const legs = splitIntoLegs(fixes)
      for (const [index, leg] of legs.entries()) {
        expect(leg.durationMs).toBe(leg.end - leg.start)
        expect(leg.first).toBeLessThan(leg.last)
        expect(leg.first).toBeGreaterThanOrEqual(legs[index - 1]?.last ?? 0)
      }
    }),
  )
})

test('a day with a fix per second pauses often while it is computed', () => {
  const fixes = Array.from({ length: 20_000 }, (_, second) => {
    const isDriving = Math.floor(second / 900) % 2 === 1
    const meters = Math.floor(second / 1800) * 9000 + (isDriving ? (second % 900) * 10 : 0)
    return {
      ...at(0, meters + ((second * 7919) % 13), 5, ((second * 104_729) % 17) + Math.sin(second / 200) * 40),
      datetime: second * 1000,
    }
  })
  const work = split(toFixColumns(fixes))
  let pauses = 0
  let step = work.next()
  for (; !step.done; step = work.next()) pauses++
  expect(step.value.length).toBeGreaterThan(20)
  expect(pauses).toBeGreaterThan(100)
})
