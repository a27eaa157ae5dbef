import { expect, test } from 'vitest'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { comparePair, extendPair, newestOfPair, nextComparison, type PairRule, startPair } from './pair.ts'
import type { RuleState } from './rule.ts'
import type { Reporter } from './silence.ts'

const NORTH = 111_195
const APART: PairRule = { kind: 'apart', meters: 500 }
const TOGETHER: PairRule = { kind: 'together', meters: 500 }

/** A report of tracker A or B: the minute, metres to the north, and more if it is parked since a minute or less precise. */
type Report = [of: 'A' | 'B', minute: number, meters: number, more?: { since?: number; precision?: number }]

const toFix = ([, minute, meters, { precision = 10 } = {}]: Report): Fix => ({
  lat: meters / NORTH,
  lng: 20,
  precision,
  datetime: minute * MINUTE_MS,
})

/** In standard mode, with a report every 10 to 15 minutes. */
const toReporter = ([, minute, , { since } = {}]: Report): Reporter => ({
  type: 'tracker_01',
  boardName: 'TRK1-A',
  mode: 1,
  pace: null,
  lastMessageAt: minute * MINUTE_MS,
  stationarySince: since === undefined ? null : since * MINUTE_MS,
})

/** Both trackers are 100 m from each other when the rule begins at minute 0, and parked if `since` is a minute. */
function begin(rule: PairRule, { since, meters = 100 }: { since?: number; meters?: number } = {}): RuleState {
  const toStart = (report: Report) => ({ fix: toFix(report), reporter: toReporter(report) })
  const more = since === undefined ? {} : { since }
  return startPair(rule, [toStart(['A', -5, 0, more]), toStart(['B', -5, meters, more])], 0)
}

const extend = (state: RuleState, report: Report): RuleState => ({
  ...state,
  pair: extendPair(state.pair, report[0] === 'A' ? 0 : 1, toFix(report), toReporter(report)),
})

/** Returns the minutes at which the rule fires. `until`: the minute at which the clock shows that nothing more came. */
function run(rule: PairRule, reports: Report[], start = begin(rule), until?: number) {
  let state = start
  const fired: number[] = []
  const compare = (now: number) => {
    const result = comparePair(rule, state, now)
    state = result.state
    fired.push(...result.firings.map(({ at }) => at / MINUTE_MS))
  }
  for (const report of reports) {
    state = extend(state, report)
    compare(newestOfPair(state.pair!))
  }
  if (until !== undefined) compare(until * MINUTE_MS)
  return fired
}

test.each<[string, PairRule, Report[], number[]]>([
  [
    'two trackers fire once when they are apart, and again after they were together',
    APART,
    [
      ['A', 10, 0],
      ['B', 10, 900],
      ['A', 20, 0],
      ['B', 20, 900],
      ['A', 30, 0],
      ['B', 30, 0],
      ['A', 40, 0],
      ['B', 40, 900],
    ],
    [10, 40],
  ],
  [
    'two trackers that were apart fire when they come together',
    TOGETHER,
    [
      ['A', 10, 0],
      ['B', 10, 2000],
      ['A', 20, 0],
      ['B', 20, 100],
    ],
    [20],
  ],
  [
    'what the precision of both leaves open does not fire',
    APART,
    [
      ['A', 10, 0, { precision: 200 }],
      ['B', 10, 890, { precision: 200 }],
    ],
    [],
  ],
  [
    'noise at the distance of the rule fires once',
    APART,
    [510, 480, 530, 470, 540, 460].flatMap((meters, nth): Report[] => [
      ['A', 10 + 10 * nth, 0, { precision: 4 }],
      ['B', 10 + 10 * nth, meters, { precision: 4 }],
    ]),
    [10],
  ],
  [
    'of trackers that report often one comparison in doubt does not fire, and two in a row do',
    APART,
    [
      ['A', 1, 0],
      ['B', 1, 100],
      ['A', 1.5, 0],
      ['B', 1.5, 530],
      ['A', 2, 0],
      ['B', 2, 400],
      ['A', 2.5, 0],
      ['B', 2.5, 530],
      ['A', 3, 0],
      ['B', 3, 535],
    ],
    [3],
  ],
  [
    'two trackers in one car are not apart because one reports first',
    APART,
    [
      ['A', 10, 9000],
      ['B', 14, 12_600],
      ['A', 20, 18_000],
      ['B', 24, 21_600],
    ],
    [],
  ],
  [
    'a position of yesterday says nothing about today',
    APART,
    [
      ['A', 1440, 9000],
      ['A', 1450, 9000],
    ],
    [],
  ],
])('%s', (_, rule, reports, fired) => {
  expect(run(rule, reports)).toEqual(fired)
})

test('it does not matter which of two messages arrives first', () => {
  const reports: Report[] = [
    ['A', 10, 9000],
    ['B', 12, 10_900],
    ['A', 20, 18_000],
    ['B', 22, 14_000],
    ['A', 30, 18_000],
    ['B', 32, 14_000],
  ]
  const swapped = [1, 0, 3, 2, 5, 4].map((nth) => reports[nth]!)
  expect(run(APART, swapped)).toEqual(run(APART, reports))
  expect(run(APART, reports)).toHaveLength(1)
})

test('trackers that are apart when the rule begins fire only after they were together', () => {
  const before = begin(APART, { meters: 3000 })
  expect(
    run(
      APART,
      [
        ['A', 10, 0],
        ['B', 10, 3000],
        ['A', 20, 0],
        ['B', 20, 50],
        ['A', 30, 0],
        ['B', 30, 3000],
      ],
      before,
    ),
  ).toEqual([30])
})

test('a tracker that leaves a parked one fires once the parked one would have reported that it moves as well', () => {
  const parked = begin(APART, { since: -100 })
  const left: Report[] = [['A', 30, 2000]]
  expect(run(APART, left, parked)).toEqual([])
  // 15 minutes, a tenth of them and one more.
  expect(run(APART, left, parked, 47)).toEqual([])
  expect(run(APART, left, parked, 48)).toEqual([30])
  expect(run(APART, [...left, ['A', 48, 4000]], parked)).toEqual([30])
})

test('a parked tracker that reports from the same car is not left behind', () => {
  const parked = begin(APART, { since: -100 })
  expect(
    run(
      APART,
      [
        ['A', 30, 2000],
        ['B', 33, 2600],
        ['A', 40, 8000],
        ['B', 43, 9800],
      ],
      parked,
      60,
    ),
  ).toEqual([])
})

test('of a parked tracker that is silent nothing is known', () => {
  const parked = begin(APART, { since: -100 })
  expect(run(APART, [['A', 600, 2000]], parked, 700)).toEqual([])
})

test('a pair without a state begins with its first positions, which fire nothing', () => {
  const reports: Report[] = [10, 20, 30, 40].flatMap((minute, nth): Report[] => [
    ['A', minute, 0],
    ['B', minute, nth === 2 ? 50 : 3000],
  ])
  expect(run(APART, reports, {})).toEqual([40])
})

test('the next comparison without a message is when the parked tracker would have reported', () => {
  const start = begin(APART, { since: -100 })
  expect(nextComparison(start.pair!)).toBeNull()
  const { state } = comparePair(APART, extend(start, ['A', 30, 2000]), 30 * MINUTE_MS)
  expect(nextComparison(state.pair!)).toBe(47.5 * MINUTE_MS)
  expect(nextComparison(begin(APART).pair!)).toBeNull()
})

test('a pair remembers the last two days of a tracker while the other one is silent', () => {
  let state = begin(APART)
  for (let hour = 1; hour <= 24 * 30; hour++) state = extend(state, ['A', hour * 60, hour, { since: 0 }])
  const spots = state.pair!.tracks[0].spots
  expect(spots.length).toBeGreaterThan(1)
  expect(spots.at(-1)!.at - spots[0]!.at).toBeLessThanOrEqual(2 * 24 * 60 * MINUTE_MS)
})

test('a tracker that reports every second while the other is silent leaves twelve spots', () => {
  let state = begin(APART)
  for (let second = 1; second <= 600; second++) state = extend(state, ['A', second / 60, second])
  const spots = state.pair!.tracks[0].spots
  expect(spots).toHaveLength(12)
  expect(spots.at(-1)).toMatchObject({ at: 10 * MINUTE_MS })
})
