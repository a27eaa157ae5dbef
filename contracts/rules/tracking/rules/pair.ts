import { distanceBetween, distanceMeters, type Fix, type LatLng, pointBetween } from '#contracts/rules/geo/coordinates.ts'
import { isStationary } from '#contracts/rules/history/motion.ts'
import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { movingFrequency } from '#contracts/rules/tracking/reporting.ts'
import type { RuleOf, RuleState } from './rule.ts'
import { type Reporter, silenceDue } from './silence.ts'

export type PairRule = RuleOf<'apart' | 'together'>

/** A position of a tracker of a pair, with its time in ms. */
type Spot = LatLng & { precision: number; at: number }

/**
 * What is remembered of a tracker: its last spots, oldest first. `wait`: how long (ms) it can move before it reports that; null if it may be
 * anywhere until its next report. After `until` (ms) it is silent, and nothing is known of it.
 */
export type PairTrack = { spots: Spot[]; wait: number | null; until: number }

/** The tracks of both trackers, that of the lower id first. They have been compared up to `upTo` (ms), the last time at `comparedAt`. */
export type Pair = { tracks: [PairTrack, PairTrack]; upTo: number; comparedAt?: number | undefined; isLeaning?: boolean | undefined }

const UNSEEN_TRACK: PairTrack = { spots: [], wait: null, until: 0 }

/** More spots than this are thinned out while the other tracker does not report. */
const MAX_SPOTS = 12
/** Older spots are forgotten: an alert about them would not be sent, and positions are not stored for longer than their owner wants. */
const MAX_AGE_MS = 2 * DAY_MS
/** Two spots of a moving tracker further apart say nothing about the time between them. */
const MAX_GAP_MS = 20 * MINUTE_MS
/** A tracker that moves is late with its report by up to a tenth, and a message takes a while. */
const LATE = { share: 1.1, minutes: 1 } as const
/** Comparisons further apart count each on its own, because waiting for the next one would take too long. */
const SPARSE_MS = 2 * MINUTE_MS
/** How certain a single comparison must be, in sums of both precisions. */
const CERTAIN = 3
/** How much closer or further than the distance of the rule ends what it fired for, so that noise at the distance fires once. */
const SLACK = 0.1

// A dry run calls what follows for each of tens of thousands of positions: spreads and short-lived arrays would take most of its time.

/** Adds a newer position of a tracker. `reporter`: the tracker after it. */
function extendTrack(track: PairTrack, { lat, lng, precision, datetime: at }: Fix, reporter: Reporter): PairTrack {
  const { type, boardName, mode, pace, stationarySince } = reporter
  const moving = movingFrequency(type, boardName, mode, pace?.frequency)
  const isParked = isStationary(stationarySince, at)
  const spots = listRecentSpots(track, at)
  spots.push({ lat, lng, precision, at })
  thinOut(spots)
  return {
    spots,
    wait: moving && isParked ? (Math.max(moving.min, moving.max) * LATE.share + LATE.minutes) * MINUTE_MS : null,
    until: silenceDue({ type, boardName, mode, pace, stationarySince, lastMessageAt: at }) ?? at + MAX_GAP_MS,
  }
}

/** The spots that still count when a tracker reports again. A parked one stayed where it was until shortly before. */
function listRecentSpots({ spots, wait, until }: PairTrack, at: number): Spot[] {
  const last = spots[spots.length - 1]
  if (!last) return []
  const leftAt = wait === null ? last.at : Math.max(last.at, Math.min(until, at - wait))
  if (at - leftAt > Math.max(MAX_GAP_MS, until - last.at)) return []
  const oldest = at - MAX_AGE_MS
  const recent: Spot[] = []
  for (const spot of spots) if (spot.at >= oldest) recent.push(spot)
  if (leftAt > last.at && leftAt >= oldest) recent.push({ lat: last.lat, lng: last.lng, precision: last.precision, at: leftAt })
  return recent
}

/** Adds a newer position of the tracker with that place in the pair. Without a pair it begins with this position. */
export function extendPair(pair: Pair | undefined, nth: 0 | 1, fix: Fix, reporter: Reporter): Pair {
  const [first, second] = pair?.tracks ?? [UNSEEN_TRACK, UNSEEN_TRACK]
  return {
    tracks: nth === 0 ? [extendTrack(first, fix, reporter), second] : [first, extendTrack(second, fix, reporter)],
    upTo: pair?.upTo ?? fix.datetime - 1,
    comparedAt: pair?.comparedAt,
    isLeaning: pair?.isLeaning,
  }
}

/** The time (ms) of the newest position of either tracker. */
export const newestOfPair = ({ tracks: [first, second] }: Pair) => Math.max(newestOf(first), newestOf(second))

const newestOf = ({ spots }: PairTrack) => spots[spots.length - 1]?.at ?? 0

/** Leaves out the spots that are closest in time to those beside them, and never the first and the last. */
function thinOut(spots: Spot[]) {
  while (spots.length > MAX_SPOTS) {
    let [least, closest] = [Number.POSITIVE_INFINITY, 1]
    for (let nth = 1; nth < spots.length - 1; nth++) {
      const gap = spots[nth + 1]!.at - spots[nth - 1]!.at
      if (gap < least) [least, closest] = [gap, nth]
    }
    spots.splice(closest, 1)
  }
}

/** Where the tracker was at an instant, if it is known when the clock shows `now`. */
function locate({ spots, wait, until }: PairTrack, at: number, now: number): Spot | null {
  const last = spots[spots.length - 1]
  if (!last) return null
  if (at > last.at) {
    const isKnown = wait !== null && at <= Math.min(until, now - wait)
    return isKnown ? { lat: last.lat, lng: last.lng, precision: last.precision, at } : null
  }
  let nth = spots.length - 1
  while (nth > 0 && spots[nth - 1]!.at >= at) nth--
  const [before, after] = [spots[nth - 1], spots[nth]!]
  if (after.at === at) return after
  return before ? interpolate(before, after, at) : null
}

/** Between two spots a tracker can be off the straight line by half of the way to the nearer one. */
function interpolate(before: Spot, after: Spot, at: number): Spot {
  const { lat, lng } = pointBetween(before, after, (at - before.at) / (after.at - before.at))
  const offLine = Math.min(distanceBetween(before.lat, before.lng, lat, lng), distanceBetween(lat, lng, after.lat, after.lng)) / 2
  return { lat, lng, precision: Math.max(before.precision, after.precision) + offLine, at }
}

const knownUntil = ({ spots, wait, until }: PairTrack, now: number) => {
  const last = spots[spots.length - 1]?.at ?? Number.NEGATIVE_INFINITY
  return wait === null ? last : Math.max(last, Math.min(until, now - wait))
}

/**
 * Both trackers at an instant (ms): how far they were from each other, the sum of their precisions (m), and where each of them was. `of`: the
 * tracker that had a position then, the first one if both had; the place of the other one was computed. `isSparse`: long after the comparison before.
 */
export type PairComparison = { at: number; meters: number; doubt: number; spots: [Spot, Spot]; of: 0 | 1; isSparse: boolean }

/**
 * Compares the trackers at each instant at which one of them had a position and the place of the other is known. So two trackers in one car
 * are not apart because one of them reports first, and it does not matter whose message arrives first. Null if there is nothing new.
 */
export function extendComparison(pair: Pair, now: number): { pair: Pair; compared: PairComparison[] } | null {
  const [first, second] = pair.tracks
  const end = Math.min(knownUntil(first, now), knownUntil(second, now))
  if (end <= pair.upTo) return null
  const compared: PairComparison[] = []
  let { comparedAt } = pair
  let [a, b] = [first.spots.findIndex((spot) => spot.at > pair.upTo), second.spots.findIndex((spot) => spot.at > pair.upTo)]
  for (;;) {
    // The next instant at which either tracker had a position.
    const [atFirst, atSecond] = [first.spots[a]?.at ?? NEVER, second.spots[b]?.at ?? NEVER]
    const at = Math.min(atFirst, atSecond)
    if (at > end) break
    if (atFirst === at) a++
    if (atSecond === at) b++
    const [one, other] = [locate(first, at, now), locate(second, at, now)]
    if (!one || !other) continue
    const isSparse = comparedAt !== undefined && at - comparedAt >= SPARSE_MS
    const meters = distanceBetween(one.lat, one.lng, other.lat, other.lng)
    compared.push({ at, meters, doubt: one.precision + other.precision, spots: [one, other], of: atFirst === at ? 0 : 1, isSparse })
    comparedAt = at
  }
  return { pair: { tracks: [forget(first, end), forget(second, end)], upTo: end, comparedAt, isLeaning: pair.isLeaning }, compared }
}

const NEVER = Number.POSITIVE_INFINITY

/** What a rule about two trackers remembers of their comparisons. */
export type PairVerdict = { isSpent: boolean | undefined; isLeaning: boolean }

type Compared = Pick<PairComparison, 'meters' | 'doubt' | 'isSparse'>

/** Judges the next comparison by the distance of the rule. */
export function judgePair(rule: PairRule, { isSpent, isLeaning }: PairVerdict, compared: Compared): PairVerdict & { fires: boolean } {
  const { isSure, isCertain, isOver } = compare(rule, compared)
  const isConfirmed = isCertain || (isSure && (isLeaning || compared.isSparse))
  // Where they are when the rule begins is not news.
  if (isSpent === undefined) return { isSpent: isSure, isLeaning: isSure, fires: false }
  const fires = !isSpent && isConfirmed
  return { isSpent: fires || (isSpent && !isOver), isLeaning: isSure, fires }
}

/** Compares the trackers as far as that is possible when the clock shows `now` (ms). `firings`: the comparisons at which the rule fires. */
export function comparePair(rule: PairRule, state: RuleState, now: number): { state: RuleState; firings: PairComparison[] } {
  const extended = state.pair ? extendComparison(state.pair, now) : null
  if (!extended) return { state, firings: [] }
  let verdict: PairVerdict = { isSpent: state.isSpent, isLeaning: extended.pair.isLeaning ?? false }
  const firings = extended.compared.filter((compared) => {
    const { fires, isSpent, isLeaning } = judgePair(rule, verdict, compared)
    verdict = { isSpent, isLeaning }
    return fires
  })
  return { state: { ...state, isSpent: verdict.isSpent, pair: { ...extended.pair, isLeaning: verdict.isLeaning } }, firings }
}

/**
 * When the trackers have to be compared although no message comes (ms): when a parked one would have reported that it moves since the other
 * one was somewhere. Null if nothing waits for that.
 */
export function nextComparison({ upTo, tracks: [first, second] }: Pair): number | null {
  const next = Math.min(nextWaiting(upTo, first, second), nextWaiting(upTo, second, first))
  return next === NEVER ? null : next
}

function nextWaiting(upTo: number, { spots }: PairTrack, { wait, until }: PairTrack): number {
  if (wait === null) return NEVER
  for (const { at } of spots) if (at > upTo) return at <= until ? at + wait : NEVER
  return NEVER
}

/** Forgets what is older than the last spot that is needed to tell where the tracker was at `upTo`. */
function forget(track: PairTrack, upTo: number): PairTrack {
  const { spots, wait, until } = track
  let needed = spots.length - 1
  while (needed > 0 && spots[needed]!.at > upTo) needed--
  return needed > 0 ? { spots: spots.slice(needed), wait, until } : track
}

/** `isSure`: what the rule fires for, as far as both precisions allow; `isOver`: surely not any more. */
function compare({ kind, meters: limit }: PairRule, { meters, doubt }: Pick<PairComparison, 'meters' | 'doubt'>) {
  return kind === 'apart'
    ? {
        isSure: meters - doubt > limit,
        isCertain: meters - CERTAIN * doubt > limit,
        isOver: meters + doubt <= limit * (1 - SLACK),
      }
    : {
        isSure: meters + doubt <= limit,
        isCertain: meters + CERTAIN * doubt <= limit,
        isOver: meters - doubt > limit * (1 + SLACK),
      }
}

/**
 * Begins a rule at `now` (ms) with the last position of each tracker. Trackers that already are as the rule says have to change that first:
 * parked ones are compared where they are, others if their positions are no more than 20 minutes apart.
 */
export function startPair(rule: PairRule, trackers: [PairStart, PairStart], now: number): RuleState {
  const tracks = trackers.map(({ fix, reporter }) => (fix ? extendTrack(UNSEEN_TRACK, fix, reporter) : UNSEEN_TRACK)) as Pair['tracks']
  const [first, second] = tracks.map(({ spots }) => spots.at(-1))
  const end = Math.min(...tracks.map((track) => knownUntil(track, now)))
  const isComparable = first && second && (Math.abs(first.at - second.at) <= MAX_GAP_MS || end >= Math.max(first.at, second.at))
  if (!isComparable) return { pair: { tracks, upTo: now } }
  const { isSure } = compare(rule, { meters: distanceMeters(first, second), doubt: first.precision + second.precision })
  return { isSpent: isSure, pair: { tracks, upTo: now, comparedAt: Math.max(first.at, second.at), isLeaning: isSure } }
}

/** A tracker as it was when the rule began. */
export type PairStart = { fix: Fix | null; reporter: Reporter }
