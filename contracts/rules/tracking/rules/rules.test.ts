import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { followBattery } from './battery.ts'
import { findLevelErrors, findRuleErrors } from './faults.ts'
import type { Rule, RuleState } from './rule.ts'
import { isScheduled, nextDeadline } from './schedule.ts'
import { type Reporter, silenceDue } from './silence.ts'
import { followSpeed, readSpeed } from './speed.ts'
import { advanceTimed, nextDue, type TimedFacts } from './timed.ts'

const at = (instant: string) => Date.parse(instant)

describe('battery', () => {
  const run = (below: number, type: 'tracker_01' | 'tracker_02', levels: (number | null)[]) => {
    let state: RuleState = {}
    return levels.map((level) => {
      const result = followBattery(below, state, type, level)
      state = result.state
      return result.fires
    })
  }

  test.each<[string, number, 'tracker_01' | 'tracker_02', (number | null)[], number[]]>([
    ['falling below the limit fires once', 20, 'tracker_01', [25, 20, 19, 12, 5], [2]],
    ['a rise of less than ten points does not let it fire again', 20, 'tracker_01', [19, 29, 18], [0]],
    ['a rise of ten points lets it fire again', 20, 'tracker_01', [19, 30, 18], [0, 2]],
    ['unknown levels change nothing', 20, 'tracker_01', [null, -1, 19, -1, null, 18], [2]],
    ['an empty battery is below every limit', 5, 'tracker_01', [0], [0]],
    ['in millivolts ten points are 120 mV', 3300, 'tracker_02', [3299, 3419, 3290, 3420, 3290], [0, 4]],
  ])('%s', (_, below, type, levels, fired) => {
    expect(run(below, type, levels).flatMap((fires, nth) => (fires ? [nth] : []))).toEqual(fired)
  })
})

describe('speed', () => {
  const LIMIT = { kind: 'speed', over: 60, seconds: 30 } as const

  /** Readings as [second, km/h]. */
  const run = (rule: typeof LIMIT | { kind: 'speed'; over: number; seconds: number }, readings: [number, number][]) => {
    let state: RuleState = {}
    let last: number | null = null
    return readings.flatMap(([second, speed]) => {
      const time = second * 1000
      const result = followSpeed(rule, state, { speed, since: time, at: time }, last)
      ;[state, last] = [result.state, time]
      return result.fires ? [second] : []
    })
  }

  test.each<[string, { kind: 'speed'; over: number; seconds: number }, [number, number][], number[]]>([
    [
      'fires once the speed has held for the seconds',
      LIMIT,
      [
        [0, 70],
        [20, 70],
        [30, 70],
        [40, 70],
      ],
      [30],
    ],
    [
      'a moment above the limit does not fire',
      LIMIT,
      [
        [0, 70],
        [20, 50],
        [40, 70],
        [60, 70],
      ],
      [],
    ],
    [
      'the limit itself is not faster',
      LIMIT,
      [
        [0, 60],
        [30, 60],
        [60, 60],
      ],
      [],
    ],
    [
      'does not fire again without a pause below the limit',
      LIMIT,
      [
        [0, 70],
        [30, 70],
        [60, 70],
        [90, 50],
        [100, 70],
        [140, 70],
      ],
      [30],
    ],
    [
      'fires again after as long a time below the limit',
      LIMIT,
      [
        [0, 70],
        [30, 70],
        [60, 50],
        [90, 50],
        [100, 70],
        [130, 70],
      ],
      [30, 130],
    ],
    [
      'readings more than 20 minutes apart do not add up',
      LIMIT,
      [
        [0, 70],
        [1201, 70],
        [1231, 70],
      ],
      [1231],
    ],
    [
      'without seconds one reading is enough',
      { ...LIMIT, seconds: 0 },
      [
        [0, 61],
        [1, 61],
        [2, 60],
        [3, 61],
      ],
      [0, 3],
    ],
  ])('%s', (_, rule, readings, fired) => expect(run(rule, readings)).toEqual(fired))

  const fix = (meters: number, seconds: number, precision = 5) => ({ lat: meters / 111_195, lng: 0, precision, datetime: seconds * 1000 })

  test('the speed that the tracker sent counts before a computed one', () => {
    expect(readSpeed(fix(0, 0), fix(1000, 60), 12)).toEqual({ speed: 12, since: 60_000, at: 60_000 })
  })

  test('a computed speed is the mean since the fix before, less the precision of both', () => {
    const reading = readSpeed(fix(0, 0), fix(1010, 60), null)
    expect(reading).toMatchObject({ since: 0, at: 60_000 })
    expect(reading?.speed).toBeCloseTo(60, 1)
  })

  test('drift within the precision is no speed', () => expect(readSpeed(fix(0, 0, 30), fix(50, 1, 30), null)?.speed).toBe(0))

  test('the first fix has no speed', () => expect(readSpeed(null, fix(0, 0), null)).toBeNull())
})

const TRACKER: Reporter = {
  type: 'tracker_01',
  boardName: 'TRK1-A',
  mode: 1,
  pace: null,
  lastMessageAt: at('2026-03-02T09:00:00Z'),
  stationarySince: null,
}

describe('silence', () => {
  const standing = { stationarySince: at('2026-03-02T08:00:00Z') }
  const sct2 = { boardName: 'SCT2-A', mode: 50, pace: { frequency: 10, keepalivePeriod: 60 } }

  test.each<[string, Partial<Reporter>, number | null]>([
    ['a moving tracker that reports every 10 to 15 minutes is silent after 35 minutes', {}, 35],
    ['a standing one reports every 4 hours, and is silent after 8 h 48 min', standing, 528],
    ['a stay of less than eight minutes still counts as moving', { stationarySince: at('2026-03-02T08:53:00Z') }, 35],
    ['in lost mode a tracker reports every 3 minutes', { mode: 7 }, 11],
    ['a collar in standard mode reports every hour', { type: 'tracker_06', mode: 21 }, 132],
    ['a configurable tracker that moves uses its own frequency', sct2, 25],
    ['a configurable tracker that stands uses its keepalive period', { ...sct2, ...standing }, 132],
    ['a configurable tracker without parameters is never silent', { ...sct2, pace: null }, null],
    ['in plane mode a tracker is never silent', { mode: 4 }, null],
    ['in an unknown mode a tracker is never silent', { mode: 99 }, null],
    ['a tracker that never sent a message is not silent', { lastMessageAt: null }, null],
  ])('%s', (_, change, minutes) => {
    const due = silenceDue({ ...TRACKER, ...change })
    expect(due === null ? null : (due - at('2026-03-02T09:00:00Z')) / MINUTE_MS).toBe(minutes)
  })
})

describe('schedule', () => {
  const WORK = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }
  const NIGHT = { days: [5], from: '22:00', to: '06:00' }
  const WEEKEND = { days: [6, 7], from: '00:00', to: '00:00' }

  test.each<[string, typeof WORK, string, string, boolean]>([
    ['the first minute is within', WORK, '2026-03-02T08:00:00Z', 'UTC', true],
    ['the end is not', WORK, '2026-03-02T18:00:00Z', 'UTC', false],
    ['other days are not', WORK, '2026-03-01T12:00:00Z', 'UTC', false],
    ['the time zone decides', WORK, '2026-03-02T07:30:00Z', 'Europe/Berlin', true],
    ['the night after its day is within', NIGHT, '2026-03-07T05:59:00Z', 'UTC', true],
    ['the morning of its own day is not', NIGHT, '2026-03-06T05:59:00Z', 'UTC', false],
    ['two equal times are 24 hours', WEEKEND, '2026-03-07T23:30:00Z', 'UTC', true],
    ['and end with the day', WEEKEND, '2026-03-09T00:00:00Z', 'UTC', false],
  ])('%s', (_, schedule, instant, zone, expected) => expect(isScheduled(schedule, at(instant), zone)).toBe(expected))

  test.each<[string, string, typeof WORK | null, string, string, string]>([
    ['later today', '08:30', null, '2026-03-02T08:00:00Z', 'UTC', '2026-03-02T08:30:00Z'],
    ['tomorrow, if it has just been', '08:30', null, '2026-03-02T08:30:00Z', 'UTC', '2026-03-03T08:30:00Z'],
    ['on Monday after Friday', '08:30', WORK, '2026-03-06T09:00:00Z', 'UTC', '2026-03-09T08:30:00Z'],
    ['in the zone of the owner', '08:30', WORK, '2026-03-02T12:00:00Z', 'America/Montevideo', '2026-03-03T11:30:00Z'],
    ['an hour earlier after the clocks go forward', '08:30', null, '2026-03-28T08:00:00Z', 'Europe/Berlin', '2026-03-29T06:30:00Z'],
    ['an hour later after the clocks go back', '08:30', null, '2026-10-24T08:00:00Z', 'Europe/Berlin', '2026-10-25T07:30:00Z'],
    ['at the change, if the clocks skip it', '02:30', null, '2026-03-28T08:00:00Z', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['the first time, if it comes twice', '02:30', null, '2026-10-24T08:00:00Z', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    ['the morning of a night that began on Friday', '05:00', NIGHT, '2026-03-02T00:00:00Z', 'UTC', '2026-03-07T05:00:00Z'],
  ])('the next %s', (_, by, schedule, after, zone, expected) => {
    expect(new Date(nextDeadline(by, schedule, at(after), zone) ?? 0).toISOString()).toBe(expected.replace('Z', '.000Z'))
  })

  test('a time that comes twice is judged once', () => {
    const first = at('2026-10-25T00:30:00Z')
    expect(nextDeadline('02:30', null, first, 'Europe/Berlin')).toBe(at('2026-10-26T01:30:00Z'))
  })
})

describe('timed rules', () => {
  const NINE = at('2026-03-02T09:00:00Z')
  const facts = (change: Partial<TimedFacts> = {}, reporter: Partial<Reporter> = {}): TimedFacts => ({
    reporter: { ...TRACKER, ...reporter },
    positionAt: NINE,
    isInside: null,
    timeZone: 'UTC',
    ...change,
  })
  const timed = (rule: Rule, state: RuleState = { from: NINE }) => ({ rule, schedule: null, state })

  test('a silence fires once, when it is due', () => {
    const { state, firedAt, due } = advanceTimed(timed({ kind: 'silent' }), facts(), NINE + HOUR_MS)
    expect([firedAt, due]).toEqual([[NINE + 35 * MINUTE_MS], null])
    expect(nextDue(timed({ kind: 'silent' }, state), facts())).toBeNull()
    expect(nextDue(timed({ kind: 'silent' }, state), facts({}, { lastMessageAt: NINE + HOUR_MS }))).toBe(NINE + 95 * MINUTE_MS)
  })

  test('a silence that was due before the rule began does not fire', () => {
    expect(nextDue(timed({ kind: 'silent' }, { from: NINE + HOUR_MS }), facts())).toBeNull()
  })

  test('a stay fires once, after its minutes', () => {
    const rule = timed({ kind: 'stands', minutes: 60 })
    const standing = facts({}, { stationarySince: NINE - 10 * MINUTE_MS })
    const { state, firedAt } = advanceTimed(rule, standing, NINE + HOUR_MS)
    expect(firedAt).toEqual([NINE + 50 * MINUTE_MS])
    expect(nextDue({ ...rule, state }, standing)).toBeNull()
  })

  test('a stay that becomes known late fires at the position that shows it', () => {
    const standing = facts({ positionAt: NINE + 2 * HOUR_MS }, { stationarySince: NINE })
    expect(advanceTimed(timed({ kind: 'stands', minutes: 60 }), standing, NINE + 2 * HOUR_MS).firedAt).toEqual([NINE + 2 * HOUR_MS])
  })

  test.each<[Rule['kind'], boolean | null, number]>([
    ['not_arrived', false, 1],
    ['not_arrived', true, 0],
    ['not_arrived', null, 0],
    ['not_left', true, 1],
    ['not_left', false, 0],
    ['not_left', null, 0],
  ])('at its time of day %s fires by the known side of the border (inside: %s)', (kind, isInside, times) => {
    const rule = timed({ kind, by: '09:30' } as Rule)
    const result = advanceTimed(rule, facts({ isInside }), NINE + HOUR_MS)
    expect(result.firedAt).toEqual(times ? [NINE + 30 * MINUTE_MS] : [])
    expect(result.due).toBe(NINE + 24.5 * HOUR_MS)
  })

  test('in another time zone only the times of day after the change are judged', () => {
    const rule = timed({ kind: 'not_arrived', by: '09:30' }, { from: NINE, judgedAt: NINE, zone: 'America/Montevideo' })
    const result = advanceTimed(rule, facts({ isInside: false }), NINE + HOUR_MS)
    expect([result.firedAt, result.due]).toEqual([[], NINE + 24.5 * HOUR_MS])
  })
})

describe('contradictions', () => {
  const plain = { place: null, trigger: null, vehicle_alert: false, schedule: null }

  test.each<[string, object, string[]]>([
    ['a rule alone is complete', { rule: { kind: 'silent' } }, []],
    ['a rule has no trigger', { rule: { kind: 'silent' }, trigger: 'enter' }, ['trigger']],
    ['a rule is no vehicle alert', { rule: { kind: 'moved' }, vehicle_alert: true }, ['vehicle_alert']],
    ['most rules have no place', { rule: { kind: 'button' }, place: 1 }, ['place']],
    ['a rule about arriving needs a place', { rule: { kind: 'not_arrived', by: '08:30' } }, ['place']],
    [
      'its time is within the schedule',
      { rule: { kind: 'not_left', by: '08:30' }, place: 1, schedule: { days: [1], from: '09:00', to: '10:00' } },
      ['schedule'],
    ],
  ])('%s', (_, change, fields) => expect(Object.keys(findRuleErrors({ ...plain, ...change } as never))).toEqual(fields))

  test('a battery level suits the unit of all trackers', () => {
    const below = (level: number, ...types: string[]) =>
      Object.keys(findLevelErrors({ kind: 'battery', below: level }, types.map((type) => ({ type })) as never))
    expect([below(20, 'tracker_01'), below(3300, 'tracker_02')]).toEqual([[], []])
    expect([below(3300, 'tracker_01'), below(20, 'tracker_02')]).toEqual([['rule'], ['rule']])
    expect(below(20, 'tracker_01', 'tracker_02')).toEqual(['devices'])
  })
})
