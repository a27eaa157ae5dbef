import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { fixAt, noisyVisits, PLACE, playVisits } from '#contracts/rules/history/test-noisy-visits.ts'
import { advancePace, type Border, type Dwell, followBorder, followDwell, type Pace, rateStep, UNKNOWN_PACE } from './crossing.ts'

const OUTSIDE = 500

/** Processes fixes at the border of `PLACE` like ingest: older ones change nothing. The state survives JSON. */
function playBorder(fixes: Fix[]) {
  let border: Border = { inside: null, leaning: null }
  let pace: Pace = UNKNOWN_PACE
  let dwell: Dwell | null = null
  const events: [event: string, second: number][] = []
  for (const fix of fixes) {
    if (pace.seenAt !== null && fix.datetime <= pace.seenAt) continue
    const step = rateStep(pace, dwell, fix)
    pace = advancePace(pace, fix.datetime)
    dwell = followDwell(dwell, fix, step)
    const next = followBorder(JSON.parse(JSON.stringify(border)), fix, PLACE, step)
    border = next.border
    if (next.event) events.push([next.event, fix.datetime / 1000])
  }
  return events
}

/** Fixes every `interval` seconds at these distances north of the middle of `PLACE`. */
const every = (interval: number, meters: number[], precision = 10) =>
  meters.map((north, index) => fixAt(index * interval, north, precision))
const repeat = (meters: number, times: number) => Array.from({ length: times }, () => meters)

describe('the border of a place', () => {
  test.each([
    ['a tracker that reports every 10 minutes enters with its first fix inside', every(600, [OUTSIDE, 0, 0]), [['enter', 600]]],
    ['a tracker that reports every 10 minutes leaves with its first fix 3.5 precisions outside', every(600, [0, 236]), [['leave', 600]]],
    ['one fix two precisions outside is not enough', every(600, [0, 220, 190, 221]), []],
    ['three such fixes are', every(600, [0, 220, 221, 220]), [['leave', 1800]]],
    ['at one precision outside it takes ten fixes', every(600, [0, ...repeat(211, 10)]), [['leave', 6000]]],
    ['closer to the border it cannot be known', every(600, [0, ...repeat(202, 100)]), []],
    ['two imprecise fixes in the middle of a place are enough', every(600, [500, 500, 10, 20], 150), [['enter', 1800]]],
    ['a tracker that reports every 30 seconds needs two fixes inside', every(30, [OUTSIDE, OUTSIDE, 0, 0, 0]), [['enter', 90]]],
    ['one fix on the other side of a tracker that reports every 30 seconds fires nothing', every(30, [0, 0, OUTSIDE, 0, 0, 0]), []],
    ['at 1 Hz a minute far on the other side confirms', every(1, [...repeat(0, 30), ...repeat(OUTSIDE, 90)]), [['leave', 89]]],
    ['at 1 Hz half a minute on the other side fires nothing', every(1, [...repeat(0, 60), ...repeat(OUTSIDE, 30), ...repeat(0, 90)]), []],
    ['closer to the border than the precision it takes longer', every(10, [...repeat(0, 6), ...repeat(215, 30)], 20), [['leave', 290]]],
    [
      'a silence is no evidence for the fix after it',
      [...every(1, repeat(0, 60)), fixAt(4000, OUTSIDE), fixAt(4001, 0), fixAt(4002, 0)],
      [],
    ],
    ['fixes each minute that come back to the place fire nothing', every(60, [0, 0, 0, 600, 320, 0, 0]), []],
    ['nor do fixes each half minute', every(30, [0, 0, 0, 1230, 580, 320, 0, 0]), []],
    ['a tracker that comes back but stays outside leaves with its next fix', every(60, [0, 0, 0, 600, 320, 320]), [['leave', 300]]],
    ['a tracker that comes back slowly leaves with its second fix', every(60, [0, 0, 0, 600, 520]), [['leave', 240]]],
    ['a tracker that goes to the middle of a place enters with its second fix', every(60, [500, 500, 0, 140]), [['enter', 180]]],
    ['a first fix at a wrong place fires nothing', every(10, [4000, ...repeat(0, 20)]), []],
    ['the first known side fires nothing', every(10, repeat(0, 20)), []],
    ['a fix that is less precise than the radius is ignored', every(600, [0, 5000, 0]).map((fix) => ({ ...fix, precision: 300 })), []],
    ['an old fix that arrives late fires nothing', [...every(600, [0, 0, 0]), fixAt(700, OUTSIDE)], []],
  ])('%s', (_words, fixes, expected) => {
    expect(playBorder(fixes)).toEqual(expected)
  })

  const RESTING = every(1, repeat(0, 600))
  const then = (second: number, meters: number[]) => meters.map((north, index) => fixAt(second + index, north))

  test.each([
    ['one fix within 500 m of where it rested is not enough', every(600, [0, 0, 300, 0, 300, 0]), []],
    ['two fixes are', every(600, [0, 0, 300, 300]), [['leave', 1800]]],
    ['one fix further away is enough', every(600, [0, 0, 600]), [['leave', 1200]]],
    ['a tracker that rested nearby does not enter with one fix', every(600, [450, 450, 0, 450]), []],
    [
      'wrong fixes for 100 seconds of a tracker that reports often fire nothing',
      [...RESTING, ...then(600, repeat(300, 100)), ...then(700, repeat(0, 60))],
      [],
    ],
    ['it leaves after three minutes within 500 m', [...RESTING, ...then(600, repeat(300, 200))], [['leave', 779]]],
    ['it leaves after one minute further away', [...RESTING, ...then(600, repeat(600, 200))], [['leave', 659]]],
  ])('of a tracker that rested: %s', (_words, fixes, expected) => {
    expect(playBorder(fixes)).toEqual(expected)
  })

  test('drift around the border within the precision fires nothing', () => {
    const drift = Array.from({ length: 600 }, (_, index) => 200 + 12 * Math.sin(index / 9))
    expect(playBorder(every(5, [...repeat(0, 20), ...drift]))).toEqual([])
  })

  test('D-41 each stay of two minutes or more of a noisy tracker fires once within two minutes, with or without late fixes', () => {
    fc.assert(
      fc.property(noisyVisits, (visits) => {
        const { fixes, crossings } = playVisits(visits)
        const delayed = fixes.flatMap((fix, index) => {
          const isLate = index > 20 && visits.late[index % visits.late.length]
          return isLate ? [fix, { ...fix, datetime: fix.datetime - 15_000, lat: fix.lat + 0.01 }] : [fix]
        })
        const events = playBorder(delayed)
        expect(events.map(([event]) => event)).toEqual(crossings.map((_, index) => (index % 2 === 0 ? 'enter' : 'leave')))
        for (const [index, [, second]] of events.entries()) {
          expect(second).toBeGreaterThanOrEqual(crossings[index]! - visits.precision)
          expect(second - crossings[index]!).toBeLessThanOrEqual(120)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('a dwell', () => {
  function playDwell(fixes: Fix[]) {
    let dwell: Dwell | null = null
    let pace: Pace = UNKNOWN_PACE
    return fixes.map((fix): number | null => {
      const step = rateStep(pace, dwell, fix)
      pace = advancePace(pace, fix.datetime)
      dwell = followDwell(dwell && JSON.parse(JSON.stringify(dwell)), fix, step)
      return dwell.since === null ? null : dwell.since / 1000
    })
  }

  test.each([
    ['with its second fix elsewhere', [0, 0, 90, 90, 90], [null, 0, 0, null, 1800]],
    ['with its first fix more than 500 m away', [0, 0, 600, 600], [null, 0, null, 1200]],
    ['not with one fix elsewhere', [0, 0, 300, 0, 300, 0], [null, 0, 0, 0, 0, 0]],
    ['not with fixes that are hardly beyond 60 m', [0, 0, 62, 62, 62], [null, 0, 0, 0, 0]],
  ])('a parked tracker that reports every 10 minutes has moved %s', (_words, meters, expected) => {
    expect(playDwell(every(600, meters))).toEqual(expected)
  })

  test('a parked tracker that reports often has not moved with one fix elsewhere', () => {
    expect(playDwell(every(20, [...repeat(0, 40), 900, ...repeat(0, 5)])).slice(1)).toEqual(repeat(0, 45))
  })

  test('D-41 a parked tracker that reports often has moved after a minute elsewhere', () => {
    expect(playDwell(every(20, [...repeat(0, 40), 900, 1200, 1500, 1800]))).toEqual([null, ...repeat(0, 41), null, null])
  })

  test('drift of 100 metres indoors does not end a stay', () => {
    const drift = Array.from({ length: 720 }, (_, index) => fixAt(index * 10, 70 * Math.sin(index / 20), 15, 70 * Math.cos(index / 33)))
    expect(new Set(playDwell(drift).slice(1))).toEqual(new Set([0]))
  })

  test('a loop of 2 km ends a stay', () => {
    const loop = [...repeat(0, 60), ...Array.from({ length: 60 }, (_, index) => 500 * Math.sin((index / 60) * Math.PI))]
    expect(playDwell(every(10, loop))).toContain(null)
    expect(playDwell(every(10, loop)).slice(60)).toContain(null)
  })

  test('a place across the date line is one place', () => {
    const fixes = Array.from({ length: 100 }, (_, index) => ({
      lat: 0,
      lng: index % 2 ? 180 : -179.9999,
      precision: 10,
      datetime: index * 10_000,
    }))
    expect(new Set(playDwell(fixes).slice(1))).toEqual(new Set([0]))
  })
})

/** Normally distributed numbers, the same in each run. */
function createNoise(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 1) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())
}

/** In two dimensions, 68 % of all fixes lie within this many standard deviations of each coordinate. */
const DEVIATIONS_OF_PRECISION = 1.51

test('a stationary tracker near a border that reports rarely fires at most once a month', () => {
  const DAYS_SECONDS = 30 * 86_400
  const failed: string[] = []
  for (const interval of [180, 600, 3600])
    for (const north of [170, 190, 195, 198, 202, 205, 210])
      for (const precision of [8, 15, 30]) {
        const noise = createNoise(interval + 10 * north + precision)
        const meters = Array.from({ length: DAYS_SECONDS / interval }, () => north + (noise() * precision) / DEVIATIONS_OF_PRECISION)
        const { length } = playBorder(every(interval, meters, precision))
        if (length > 1) failed.push(`${length} at ${north} m each ${interval} s with ${precision} m`)
      }
  expect(failed).toEqual([])
})

test('a tracker that reports rarely and moves beyond the noise leaves and enters once each time', () => {
  for (const interval of [180, 600, 3600])
    for (const precision of [8, 15, 30]) {
      const noise = createNoise(interval + precision)
      const days = Array.from(
        { length: 30 * 12 },
        (_, index) => (index % 12 < 6 ? 40 : 600) + (noise() * precision) / DEVIATIONS_OF_PRECISION,
      )
      expect(playBorder(every(interval, days, precision)), `each ${interval} s with ${precision} m`).toHaveLength(59)
    }
})
