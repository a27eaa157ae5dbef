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

/** How far two trackers were from each other in a period, which is the same for every rule about them. */
type Comparisons = { start: (rule: PairRule) => Watch; compared: PairComparison[] }

function* listComparisons(runs: readonly [RuleRun, RuleRun], watched: Watched, rule: PairRule, from: number): Work<Comparisons> {
  const [first, second] = runs.map(({ track, reporter }) => startOfTrack(track, reporter))
  const start = (tried: PairRule) =>
    startPairWatch({ ...createWatch({ ...watched, rule: tried }), pair: { nth: 0, first: 0, other: 1 } }, first!, second!, from)
  let { state } = start(rule)
  const compared: PairComparison[] = []
  function advance(now: number) {
    const extended = state.pair ? extendComparison(state.pair, now) : null
    if (!extended) return
    state = { pair: extended.pair }
    for (const comparison of extended.compared) compared.push(comparison)
  }
  function advanceDue(now: number) {
    const due = nextComparison(state)
    if (due !== null && due <= now) advance(now)
  }
  const messages = ([0, 1] as const).flatMap((nth) => runs[nth].track.messages.map((message) => ({ nth, message })))
  messages.sort((a, b) => a.message.at - b.message.at)
  for (const [index, { nth, message }] of messages.entries()) {
    if (index % PAUSE === 0) yield
    const { at, stationarySince, believed } = message
    advanceDue(at)
    if (!believed) continue
    state = extendPair(state, nth, believed.fix, { ...runs[nth].reporter, lastMessageAt: at, stationarySince })
    advance(newestOfPair(state))
  }
  advanceDue(Math.min(runs[0].until, runs[1].until))
  return { start, compared }
}

/** Returns what a rule about two trackers fires. `nth` is the tracker whose position decided. */
function* playPair({ start, compared }: Comparisons, rule: PairRule): Work<RuleFiring[]> {
  const fired: RuleFiring[] = []
  let watch = start(rule)
  const place = watch.pair!
  let verdict = { isSpent: watch.state.isSpent, isLeaning: watch.state.pair?.isLeaning ?? false }
  let open: RuleFiring | null = null
  for (const [index, comparison] of compared.entries()) {
    if (index % PAUSE === 0) yield
    const judged = judgePair(rule, verdict, comparison)
    verdict = judged
    if (open && !judged.isSpent) {
      open.endedAt = comparison.at
      open = null
    }
    if (!judged.fires) continue
    const pair = describePair(comparison, place)
    const result = fireWatch(watch, [rule.kind], comparison.at, { pair })
    watch = result.watch
    if (!result.fired.some(({ isQuiet }) => !isQuiet)) continue
    const firing: RuleFiring = { kind: rule.kind, at: comparison.at, fix: pair.fix, endedAt: null, nth: comparison.of }
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
