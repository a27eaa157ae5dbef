import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import {
  comparePair,
  extendPair,
  newestOfPair,
  nextComparison,
  type PairComparison,
  type PairStart,
  startPair,
} from '#contracts/rules/tracking/rules/pair.ts'
import { isPairRule } from '#contracts/rules/tracking/rules/rule.ts'
import type { Reporter } from '#contracts/rules/tracking/rules/silence.ts'
import { type FiredPair, fireWatch, type PairPlace, type Watch, type WatchFiring } from './watch.ts'

type Result = { watch: Watch; fired: WatchFiring[] }

/** Applies a newer position of its tracker to a watch of a pair. `reporter`: the tracker after it. */
export function followPairFix(watch: Watch, fix: Fix, reporter: Reporter): Result {
  const { pair: place } = watch
  if (!place) return { watch, fired: [] }
  const pair = extendPair(watch.state.pair, place.nth, fix, reporter)
  return advancePair({ ...watch, state: { ...watch.state, pair } }, newestOfPair(pair))
}

/** Compares the trackers of a pair as far as that is possible when the clock shows `now` (ms). */
export function advancePair(watch: Watch, now: number): Result {
  const { rule, pair: place } = watch
  if (!place || !isPairRule(rule)) return { watch, fired: [] }
  const { state, firings } = comparePair(rule, watch.state, now)
  let next: Watch = { ...watch, state, dueAt: state.pair ? nextComparison(state.pair) : null, hasChanged: true }
  const fired: WatchFiring[] = []
  for (const compared of firings) {
    const pair = describePair(compared, compared.spots[compared.of], place)
    const result = fireWatch(next, [rule.kind], compared.at, { pair })
    next = result.watch
    fired.push(...result.fired)
  }
  return { watch: next, fired }
}

type Comparison = Pick<PairComparison, 'at' | 'meters' | 'of'>
type Spot = Pick<Fix, 'lat' | 'lng' | 'precision'>

/** What is said of a comparison at which a rule fires. */
export function describePair({ at, meters, of }: Comparison, { lat, lng, precision }: Spot, place: PairPlace): FiredPair {
  const fix = { lat, lng, precision: Math.round(precision), datetime: at }
  return { other: place.other, distance: Math.round(meters), isOfOther: of !== place.nth, fix }
}

/** Begins a watch of a pair at `now` (ms). */
export function startPairWatch(watch: Watch, tracker: PairStart, other: PairStart, now: number): Watch {
  const { rule, pair: place } = watch
  if (!place || !isPairRule(rule)) return watch
  const state = startPair(rule, place.nth === 0 ? [tracker, other] : [other, tracker], now)
  return { ...watch, state, dueAt: state.pair ? nextComparison(state.pair) : null, hasChanged: true }
}
