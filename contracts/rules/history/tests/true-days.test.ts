import { describe, expect, test } from 'vitest'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { createFilter, judgeFix, markFixes, type Reason } from '#contracts/rules/history/filter.ts'
import { toFixColumns } from '#contracts/rules/history/fixes.ts'
import { createTrack, SCENARIOS, STOP_TOLERANCE_MS } from '#contracts/rules/history/test-tracks.ts'
import { computeTotals, measureMotions } from '#contracts/rules/history/trips.ts'
import { finish } from '#contracts/rules/work.ts'

const SEEDS = [11, 12, 13, 14, 15]
const markAll = (fixes: readonly Fix[]) => finish(markFixes(toFixColumns(fixes)))

const measure = (fixes: readonly Fix[]) => {
  const marks = markAll(fixes)
  return finish(measureMotions(toFixColumns(fixes.filter((_, index) => marks[index] === null))))
}

type Period = { start: number; end: number }
const overlapMs = (a: Period, b: Period) => Math.min(a.end, b.end) - Math.max(a.start, b.start)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Noise rarely adds more than 15 % to a walker's speed, and only in short trips; 1.5 km/h is within the noise. */
const TOP_MARGIN_KMH = 1.5

describe.each(SCENARIOS)('the day of $name', (scenario) => {
  const days = SEEDS.map((seed) => createTrack(scenario, seed))
  const measured = days.map(({ fixes }) => measure(fixes))

  test('the history has its true distance within 5 %', () => {
    const [meters, truth] = [sum(measured.map(({ legs }) => computeTotals(legs).meters)), sum(days.map((day) => day.truth.meters))]
    expect(Math.abs(meters / truth - 1)).toBeLessThan(0.05)
  })

  test('neither the top speed nor any speed in the chart is more than 15 % above the true one', () => {
    for (const [index, { legs, kmh }] of measured.entries()) {
      const { topKmh } = days[index]?.truth ?? { topKmh: 0 }
      const limit = Math.max(1.15 * topKmh, topKmh + TOP_MARGIN_KMH)
      expect(Math.max(...legs.map(({ topSpeedKmh }) => topSpeedKmh))).toBeLessThan(limit)
      expect(Math.max(...kmh)).toBeLessThan(limit)
    }
  })

  test('the history has every true stop and no false one', () => {
    for (const [index, { legs }] of measured.entries()) {
      const { stops } = days[index]?.truth ?? { stops: [] }
      const found = legs.filter(({ kind }) => kind === 'stop')
      const tolerance = STOP_TOLERANCE_MS + scenario.interval * 1000
      expect(stops.filter((stop) => !found.some((leg) => overlapMs(leg, stop) > 0.8 * (stop.end - stop.start) - tolerance))).toEqual([])
      expect(found.filter((leg) => !stops.some((stop) => overlapMs(leg, stop) > 0.5 * leg.durationMs))).toEqual([])
    }
  })

  test('95 % of the planted faults are marked, and at most 0.5 % of the valid fixes', () => {
    let [bad, caught, good, lost] = [0, 0, 0, 0]
    for (const { fixes, truth } of days)
      for (const [index, mark] of markAll(fixes).entries()) {
        if (truth.isBad[index]) [bad, caught] = [bad + 1, caught + Number(mark !== null)]
        else [good, lost] = [good + 1, lost + Number(mark !== null)]
      }
    expect(caught).toBeGreaterThanOrEqual(0.95 * bad)
    expect(lost).toBeLessThanOrEqual(0.005 * good)
  })
})

test.each(SCENARIOS.filter(({ name }) => /passenger|car,|car in|once an hour/.test(name)))(
  'every fix of $name is good, whatever its speed',
  (scenario) => {
    for (const seed of SEEDS) expect(markAll(createTrack(scenario, seed).fixes).filter((mark) => mark !== null)).toEqual([])
  },
)

test('judging fix by fix ends with the marks of the whole day, and its state can be saved after each', () => {
  for (const scenario of SCENARIOS.filter(({ jumps, zeros }) => jumps || zeros)) {
    const { fixes } = createTrack(scenario, 21)
    const marks: (Reason | null)[] = fixes.map(() => null)
    let state = createFilter()
    for (const fix of fixes) {
      for (const { first, last, reason } of judgeFix(state, fix))
        for (let index = first; index <= last; index++) if (marks[index] !== 'zero' && marks[index] !== 'vague') marks[index] = reason
      state = JSON.parse(JSON.stringify(state))
    }
    expect(marks).toEqual(markAll(fixes))
  }
})
