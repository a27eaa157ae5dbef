import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import { followBorder, KNOWN_STEP } from '#contracts/rules/tracking/crossing.ts'
import {
  extendComparison,
  extendPair,
  judgePair,
  newestOfPair,
  nextComparison,
  type PairComparison,
  type PairRule,
} from '#contracts/rules/tracking/rules/pair.ts'
import { hasDeadline, isPairRule, type Rule, type RuleOf, type RuleState } from '#contracts/rules/tracking/rules/rule.ts'
import { followSpeed, type Reading, readSpeed } from '#contracts/rules/tracking/rules/speed.ts'
import { advanceTimed } from '#contracts/rules/tracking/rules/timed.ts'
import type { Work } from '#contracts/rules/work.ts'
import { describePair, startPairWatch } from '#server/alerts/rules/follow-pair.ts'
import { fireWatch, type Watch } from '#server/alerts/rules/watch.ts'
import { createWatch, type DryFiring, type Play, playAlert, startOfTrack, type Track, type Watched } from './replay.ts'

/** A tracker in a period. */
export type RuleRun = { track: Track } & Pick<Play, 'reporter' | 'until'>

/** A firing of a rule. `endedAt`: when that for which it fired was over (ms); null if it was not. `nth`: the tracker. */
export type RuleFiring = DryFiring & { endedAt: number | null; nth: number }

/** Plays a rule of the same kind with any value. */
export type PlayRule = (rule: Rule) => Work<RuleFiring[]>

/** Items between two pauses. */
const PAUSE = 512

type SpeedReading = { reading: Reading; lastAt: number | null; fix: Fix }

/** The speeds of a tracker, which are the same for every value of a rule. */
function* listReadings({ last, fixes }: Track): Work<SpeedReading[]> {
  const readings: SpeedReading[] = []
  let before = last
  for (const [index, { fix, sentSpeed }] of fixes.entries()) {
    if (index % PAUSE === 0) yield
    const reading = readSpeed(before, fix, sentSpeed)
    if (reading) readings.push({ reading, lastAt: before?.datetime ?? null, fix })
    before = fix
  }
  return readings
}

/** Returns what a rule for speed fires, as `playAlert` does, but faster. */
function* playSpeed(readings: readonly SpeedReading[], rule: RuleOf<'speed'>, watched: Watched, nth: number): Work<RuleFiring[]> {
  const fired: RuleFiring[] = []
  let watch = createWatch({ ...watched, rule })
  let state: RuleState = {}
  let open: RuleFiring | null = null
  for (const [index, { reading, lastAt, fix }] of readings.entries()) {
    if (index % PAUSE === 0) yield
    const followed = followSpeed(rule, state, reading, lastAt)
    state = followed.state
    if (open && reading.speed <= rule.over) {
      open.endedAt = reading.at
      open = null
    }
    if (!followed.fires) continue
    const result = fireWatch(watch, ['speed'], fix.datetime)
    watch = result.watch
    if (!result.fired.some(({ isQuiet }) => !isQuiet)) continue
    const firing: RuleFiring = { kind: 'speed', at: fix.datetime, fix, endedAt: null, nth }
    fired.push(firing)
    open = firing
  }
  return fired
}

/** Columns of comparisons, because tens of thousands of objects would take most of the time of a dry run. The position is that of tracker `of`. */
type ComparedColumns = Record<'at' | 'meters' | 'doubt' | 'lat' | 'lng' | 'precision', number[]> & { isSparse: boolean[]; of: (0 | 1)[] }

function addComparison(columns: ComparedColumns, { at, meters, doubt, isSparse, of, spots }: PairComparison) {
  const spot = spots[of]
  columns.at.push(at)
  columns.meters.push(meters)
  columns.doubt.push(doubt)
  columns.isSparse.push(isSparse)
  columns.of.push(of)
  columns.lat.push(spot.lat)
  columns.lng.push(spot.lng)
  columns.precision.push(spot.precision)
}

/** How far two trackers were from each other in a period, which is the same for every rule about them. */
type Comparisons = { start: (rule: PairRule) => Watch; columns: ComparedColumns }

function* listComparisons(runs: readonly [RuleRun, RuleRun], watched: Watched, rule: PairRule, from: number): Work<Comparisons> {
  const [first, second] = runs.map(({ track, reporter }) => startOfTrack(track, reporter))
  const start = (tried: PairRule) =>
    startPairWatch({ ...createWatch({ ...watched, rule: tried }), pair: { nth: 0, first: 0, other: 1 } }, first!, second!, from)
  let { pair } = start(rule).state
  const columns: ComparedColumns = { at: [], meters: [], doubt: [], isSparse: [], of: [], lat: [], lng: [], precision: [] }
  function advance(now: number) {
    const extended = pair && extendComparison(pair, now)
    if (!extended) return
    pair = extended.pair
    for (const comparison of extended.compared) addComparison(columns, comparison)
  }
  function advanceDue(now: number) {
    const due = pair ? nextComparison(pair) : null
    if (due !== null && due <= now) advance(now)
  }
  const [one, other] = [runs[0].track.messages, runs[1].track.messages]
  for (let [index, ofOne, ofOther] = [0, 0, 0]; index < one.length + other.length; index++) {
    if (index % PAUSE === 0) yield
    const nth = ofOne < one.length && (ofOther === other.length || one[ofOne]!.at <= other[ofOther]!.at) ? 0 : 1
    const { at, stationarySince, believed } = nth === 0 ? one[ofOne++]! : other[ofOther++]!
    advanceDue(at)
    if (!believed) continue
    const { type, boardName, mode, pace } = runs[nth].reporter
    pair = extendPair(pair, nth, believed.fix, { type, boardName, mode, pace, lastMessageAt: at, stationarySince })
    advance(newestOfPair(pair))
  }
  advanceDue(Math.min(runs[0].until, runs[1].until))
  return { start, columns }
}

/** Returns what a rule about two trackers fires. `nth` is the tracker whose position decided. */
function* playPair({ start, columns }: Comparisons, rule: PairRule): Work<RuleFiring[]> {
  const fired: RuleFiring[] = []
  let watch = start(rule)
  const place = watch.pair!
  let verdict = { isSpent: watch.state.isSpent, isLeaning: watch.state.pair?.isLeaning ?? false }
  let open: RuleFiring | null = null
  for (let index = 0; index < columns.at.length; index++) {
    if (index % PAUSE === 0) yield
    const [at, meters, of] = [columns.at[index]!, columns.meters[index]!, columns.of[index]!]
    const judged = judgePair(rule, verdict, { meters, doubt: columns.doubt[index]!, isSparse: columns.isSparse[index]! })
    verdict = judged
    if (open && !judged.isSpent) {
      open.endedAt = at
      open = null
    }
    if (!judged.fires) continue
    const spot = { lat: columns.lat[index]!, lng: columns.lng[index]!, precision: columns.precision[index]! }
    const pair = describePair({ at, meters, of }, spot, place)
    const result = fireWatch(watch, [rule.kind], at, { pair })
    watch = result.watch
    if (!result.fired.some(({ isQuiet }) => !isQuiet)) continue
    const firing: RuleFiring = { kind: rule.kind, at, fix: pair.fix, endedAt: null, nth: of }
    fired.push(firing)
    open = firing
  }
  return fired
}

/** The messages with which a tracker began or ended to stand: all that `stands` depends on. */
function listStays(track: Track): Track {
  let before = track.restedSince
  const messages = track.messages.filter(({ stationarySince }) => {
    const isNew = stationarySince !== before
    before = stationarySince
    return isNew
  })
  return { ...track, messages }
}

/** Returns when a rule `stands` fires on the messages of `listStays`. */
function* playStays(stays: Track, rule: RuleOf<'stands'>, watched: Watched, play: Play, nth: number): Work<RuleFiring[]> {
  const firings = yield* playAlert(stays, { ...watched, rule }, play)
  let index = 0
  return firings.map((firing) => {
    while (index < stays.messages.length && stays.messages[index]!.at <= firing.at) index++
    return { ...firing, endedAt: stays.messages[index]?.at ?? null, nth }
  })
}

/** On which side of a border a tracker has been since when (ms), and its position then. */
type Side = { at: number; isInside: boolean | null; fix: Fix | null }

function* listSides({ last, fixes }: Track, { place }: Watched, from: number): Work<Side[]> {
  if (!place) return []
  let border = last ? followBorder(UNKNOWN_CROSSING, last, place, KNOWN_STEP).border : UNKNOWN_CROSSING
  const sides: Side[] = [{ at: from, isInside: border.inside, fix: last }]
  for (const [index, { fix, step }] of fixes.entries()) {
    if (index % PAUSE === 0) yield
    const { inside } = border
    border = followBorder(border, fix, place, step).border
    if (border.inside !== inside) sides.push({ at: fix.datetime, isInside: border.inside, fix })
  }
  return sides
}

/** Returns what a rule with a time of day fires. */
function* playDeadlines(
  sides: readonly Side[],
  rule: Deadline,
  watched: Watched,
  { reporter, from, until }: Play,
  nth: number,
): Work<RuleFiring[]> {
  const fired: RuleFiring[] = []
  let watch = createWatch({ ...watched, rule })
  let state: RuleState = { from }
  const { schedule, timeZone } = watched
  const silent = { ...reporter, lastMessageAt: null, stationarySince: null }
  for (const [index, { isInside, fix }] of sides.entries()) {
    if (index % PAUSE === 0) yield
    const end = sides[index + 1]?.at ?? null
    const advanced = advanceTimed({ rule, schedule, state }, { reporter: silent, positionAt: null, isInside, timeZone }, end ?? until)
    state = advanced.state
    for (const at of advanced.firedAt) {
      const result = fireWatch(watch, [rule.kind], at, { isOnTime: true })
      watch = result.watch
      if (fix && result.fired.some(({ isQuiet }) => !isQuiet)) fired.push({ kind: rule.kind, at, fix, endedAt: end, nth })
    }
  }
  return fired
}

type Deadline = RuleOf<'not_arrived' | 'not_left'>

function* playNothing(): Work<RuleFiring[]> {
  yield
  return []
}

/** Computes once what does not depend on the value of a rule, so that many values can be played. */
export function* prepareRule(rule: Rule, runs: readonly RuleRun[], watched: Watched, from: number): Work<PlayRule> {
  if (isPairRule(rule)) {
    const [first, second] = runs
    if (!first || !second) return playNothing
    const comparisons = yield* listComparisons([first, second], watched, rule, from)
    return (tried) => (isPairRule(tried) ? playPair(comparisons, tried) : playNothing())
  }
  const plays: PlayRule[] = []
  for (const [nth, { track, ...run }] of runs.entries()) {
    const play = { ...run, from }
    if (rule.kind === 'speed') {
      const readings = yield* listReadings(track)
      plays.push((tried) => (tried.kind === 'speed' ? playSpeed(readings, tried, watched, nth) : playNothing()))
    } else if (rule.kind === 'stands') {
      const stays = listStays(track)
      plays.push((tried) => (tried.kind === 'stands' ? playStays(stays, tried, watched, play, nth) : playNothing()))
    } else if (hasDeadline(rule)) {
      const sides = yield* listSides(track, watched, from)
      plays.push((tried) => (hasDeadline(tried) ? playDeadlines(sides, tried, watched, play, nth) : playNothing()))
    }
  }
  return function* (tried) {
    const firings: RuleFiring[] = []
    for (const play of plays) for (const firing of yield* play(tried)) firings.push(firing)
    return firings.sort((a, b) => a.at - b.at)
  }
}
