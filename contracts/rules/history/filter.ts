import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Work } from '#contracts/rules/work.ts'
import { type FixColumns, fixAt } from './fixes.ts'
import { costOfMove, IMPOSSIBLE_COST, kmhBetween, metersBetween, slackMeters } from './moves.ts'

/**
 * Reasons to mark a position as wrong: 0° N 0° E; far less precise than this tracker usually is; an old position sent again with a new
 * time; fixes between two impossible speeds, single or in a run. `kept`: the owner confirmed the fix.
 */
export const POSITION_MARKS = ['zero', 'vague', 'stale', 'jump', 'run', 'kept'] as const

/**
 * Why a fix is wrong. `zero`: 0° N 0° E; `vague`: far less precise than this tracker's fixes usually are; `stale`: an old position sent
 * again with a new time; `jump`: one fix that cannot be reached from its neighbours; `run`: several such fixes in a row.
 */
export type Reason = 'zero' | 'vague' | 'stale' | 'jump' | 'run'

/** Replaces the marks of the fixes number `first` to `last`, except `zero` and `vague`, which are final. */
export type Verdict = { first: number; last: number; reason: Reason | null }

/** Fixes that follow each other faster share their errors: a minute of them counts like one fix. */
const INDEPENDENT_MS = MINUTE_MS
/** The first fix of all, if the tracker left it by a jump. */
const LONE_START_WEIGHT = 0.5
/** Dropping a segment saves at most two impossible moves, so one of more weight than that is never dropped. */
const SETTLED_WEIGHT = 2 * IMPOSSIBLE_COST
/** A tracker that stops was slower than this before; one in a tunnel was faster. */
const STALE_KMH = 15
const MAX_SEGMENTS = 12
const VAGUE_METERS = 250
const VAGUE_FACTOR = 5
const ZERO_DEGREES = 0.001

/** Consecutive fixes that can be reached from each other. */
type Segment = {
  first: number
  /** The time of the first fix. */
  since: number
  last: number
  /** The last fix, and the one from which it was reached; null where that is unknown. */
  fix: Fix
  before: Fix | null
  /** Number and time of the first of the identical positions at the end, and the speed with which it was reached. */
  repeat: { first: number; since: number; kmh: number }
  /** The cost of dropping the segment. */
  weight: number
  /** Where its end may be split off, if that turns out to be wrong; null where no step exceeded the measurement errors. */
  stride: Stride | null
  /** The cost of the cheapest chain of segments that ends here, and the number of the first fix of the segment before it in that chain. */
  cost: number
  from: number | null
  isKept: boolean
}

/** The longest of the last steps within a segment: from `fix` to the fix number `first` at `since`. The segment weighed `weight` before it. */
type Stride = { first: number; since: number; fix: Fix; before: Fix | null; weight: number; meters: number }

/** What must be saved per tracker, as JSON: one segment most of the time, at most twelve. */
export type FilterState = {
  /** Fixes given so far. */
  count: number
  /** A running mean in metres; 0 before the first fix. */
  typicalPrecision: number
  newest: number | null
  segments: Segment[]
  /** Weight of the segments that were dropped because there were more than twelve. */
  forgotten: number
}

export const createFilter = (): FilterState => ({ count: 0, typicalPrecision: 0, newest: null, segments: [], forgotten: 0 })

/**
 * Judges the next fix of a tracker, updates `state`, and returns the new marks of this fix and of earlier ones, by number in the sequence
 * given to this state. A fix that is not newer than the newest one is not judged.
 */
export function judgeFix(state: FilterState, { lat, lng, datetime, precision }: Fix): Verdict[] {
  const fix = { lat, lng, datetime, precision }
  const number = state.count++
  if (state.newest !== null && datetime <= state.newest) return []
  if (Math.abs(lat) < ZERO_DEGREES && Math.abs(lng) < ZERO_DEGREES) return [{ first: number, last: number, reason: 'zero' }]
  const typical = state.typicalPrecision || precision
  state.typicalPrecision = 0.95 * typical + 0.05 * Math.min(precision, VAGUE_FACTOR * typical)
  if (precision > Math.max(VAGUE_METERS, VAGUE_FACTOR * typical)) return [{ first: number, last: number, reason: 'vague' }]
  state.newest = datetime

  const verdicts: Verdict[] = []
  const current = state.segments.at(-1)
  const move = current && rateMove(current, fix, null)
  if (current && move?.isStale) verdicts.push({ first: current.repeat.first + 1, last: current.last, reason: 'stale' })
  if (current && move?.cost === 0 && !isReturn(state, current, fix)) {
    extendSegment(current, fix, number)
    if (current.last === current.first + 1) reviseStart(state, current)
    if (current.isKept && state.segments.length === 1) return verdicts
  } else {
    if (move && move.cost >= IMPOSSIBLE_COST)
      for (const segment of [...state.segments]) if (rateMove(segment, fix, null).cost >= IMPOSSIBLE_COST) splitSegment(state, segment)
    startSegment(state, fix, number)
  }
  verdicts.push(...chooseChain(state, number))
  const newest = state.segments.at(-1)
  if (newest?.isKept && newest.weight > SETTLED_WEIGHT) {
    state.segments = [{ ...newest, cost: 0, from: null }]
    state.forgotten = 0
  }
  return verdicts
}

/** Fixes between two pauses. */
const PAUSE = 1024

/** The marks of a whole period in order of time: null for a good fix. */
export function* markFixes(fixes: FixColumns): Work<(Reason | null)[]> {
  const marks: (Reason | null)[] = []
  const state = createFilter()
  for (let index = 0; index < fixes.length; index++) {
    if (index % PAUSE === 0) yield
    marks.push(null)
    for (const verdict of judgeFix(state, fixAt(fixes, index))) applyVerdict(marks, verdict)
  }
  return marks
}

function applyVerdict(marks: (Reason | null)[], { first, last, reason }: Verdict) {
  for (let index = first; index <= last; index++) if (marks[index] !== 'zero' && marks[index] !== 'vague') marks[index] = reason
}

/**
 * Whether a fix returns from a spike: from one fix that was reached by a jump, but lies just close enough that the way back alone is no
 * jump. If the spike became the start of the segment that follows, it would take the segment down with it.
 */
function isReturn({ segments }: FilterState, spike: Segment, fix: Fix): boolean {
  const before = segments.at(-2)
  if (!before || spike.first < spike.last || metersBetween(before.fix, fix) > metersBetween(spike.fix, fix) / 2) return false
  return rateMove(before, fix, null).cost === 0
}

function extendSegment(segment: Segment, fix: Fix, number: number) {
  const { fix: last, stride } = segment
  const meters = metersBetween(last, fix)
  if (stride && segment.weight - stride.weight > IMPOSSIBLE_COST) segment.stride = null
  if (meters > slackMeters(last, fix) && meters >= (segment.stride?.meters ?? 0))
    segment.stride = { first: number, since: fix.datetime, fix: last, before: segment.before, weight: segment.weight, meters }
  if (fix.lat !== last.lat || fix.lng !== last.lng) segment.repeat = { first: number, since: fix.datetime, kmh: kmhBetween(last, fix) }
  segment.weight += weightOfStep(last.datetime, fix.datetime)
  segment.before = last
  segment.fix = fix
  segment.last = number
}

/**
 * An impossible move may be the fault of the fixes before it, such as the first ones after a silence, which were slow enough to be
 * believed: they become a segment of their own, which can be dropped.
 */
function splitSegment({ segments }: FilterState, segment: Segment) {
  const { stride, last, fix, before, repeat, weight, isKept } = segment
  if (!stride) return
  const { first, since } = stride
  const tail = {
    first,
    since,
    last,
    fix,
    before,
    weight: 1 + weight - stride.weight - weightOfStep(stride.fix.datetime, since),
    stride: null,
    cost: segment.cost,
    from: segment.first,
  }
  for (const later of segments) if (later.from === segment.first) later.from = first
  const own = repeat.first >= first ? repeat : { first, since: fix.datetime, kmh: 0 }
  segments.splice(segments.indexOf(segment) + 1, 0, { ...tail, isKept, repeat: own })
  const end = { first: first - 1, since: stride.fix.datetime, kmh: 0 }
  Object.assign(segment, { last: first - 1, fix: stride.fix, before: stride.before, weight: stride.weight, stride: null, repeat: end })
}

/**
 * The second fix of a segment shows how fast the tracker arrived there. One that rests there, or did before, cannot have come far in a
 * short time; and a first fix of all that was left by a jump, without confirmation, counts for less.
 */
function reviseStart(state: FilterState, segment: Segment) {
  const [earlier, start] = [state.segments.slice(0, -1), segment.before]
  const first = earlier[0]
  if (!first || !start) return
  if (earlier.length === 1 && first.first === first.last && state.forgotten === 0) first.weight = LONE_START_WEIGHT
  setChain(segment, findCheapestChain(earlier, state.forgotten, start, segment.fix))
}

function startSegment(state: FilterState, fix: Fix, number: number) {
  const lone = state.segments.at(-1)
  // A fix that was reached by a jump is confirmed by one that lies further along the same course.
  if (lone && lone.first === lone.last) setChain(lone, findCheapestChain(state.segments.slice(0, -1), state.forgotten, lone.fix, fix))
  const chain = findCheapestChain(state.segments, state.forgotten, fix, null)
  const { previous } = chain
  const repeat = { first: number, since: fix.datetime, kmh: previous ? kmhBetween(previous.fix, fix) : 0 }
  const before = previous && rateMove(previous, fix, null).cost < IMPOSSIBLE_COST ? previous.fix : null
  const segment = {
    first: number,
    since: fix.datetime,
    last: number,
    fix,
    before,
    repeat,
    weight: 1,
    stride: null,
    cost: 0,
    from: null,
    isKept: true,
  }
  setChain(segment, chain)
  state.segments.push(segment)
  if (state.segments.length > MAX_SEGMENTS) state.forgotten += state.segments.shift()?.weight ?? 0
}

type Chain = { cost: number; previous: Segment | null }

const setChain = (segment: Segment, { cost, previous }: Chain) => Object.assign(segment, { cost, from: previous?.first ?? null })

/**
 * The cheapest way to reach a fix: each of the segments before it is believed, at the cost of the move, or dropped, at its weight. `after`
 * is a later fix, if there is one.
 */
function findCheapestChain(segments: readonly Segment[], forgotten: number, fix: Fix, after: Fix | null): Chain {
  let dropped = 0
  let best: Chain = { cost: Number.POSITIVE_INFINITY, previous: null }
  for (const segment of segments.toReversed()) {
    const cost = segment.cost + dropped + rateMove(segment, fix, after).cost
    if (cost < best.cost) best = { cost, previous: segment }
    dropped += segment.weight
  }
  return dropped + forgotten < best.cost ? { cost: dropped + forgotten, previous: null } : best
}

/** Chooses the cheapest chain of all and returns the marks that change. */
function chooseChain({ segments }: FilterState, number: number): Verdict[] {
  let [dropped, cheapest] = [0, Number.POSITIVE_INFINITY]
  let from: number | null = null
  for (const segment of segments.toReversed()) {
    if (segment.cost + dropped < cheapest) [cheapest, from] = [segment.cost + dropped, segment.first]
    dropped += segment.weight
  }
  const verdicts: Verdict[] = []
  for (const segment of segments.toReversed()) {
    const { first, last, isKept: wasKept } = segment
    segment.isKept = first === from
    if (segment.isKept) from = segment.from
    if (segment.isKept && !wasKept) verdicts.push({ first, last, reason: null })
    else if (!segment.isKept && (wasKept || last === number)) verdicts.push({ first, last, reason: first === last ? 'jump' : 'run' })
  }
  return verdicts
}

/**
 * The cost of continuing from a segment to `fix`. A tracker that was moving, repeated one position and then appears where it could have
 * driven meanwhile has repeated an old position, as in a tunnel; one that was slow has really stopped there, and the next fix is a jump.
 */
function rateMove({ fix: last, before, repeat }: Segment, fix: Fix, after: Fix | null) {
  const cost = costOfMove(before, last, fix, after)
  if (cost === 0 || repeat.since === last.datetime || repeat.kmh < STALE_KMH) return { cost, isStale: false }
  const costSince = costOfMove(null, { ...last, datetime: repeat.since }, fix, after)
  return { cost: Math.min(cost, costSince), isStale: costSince < cost }
}

const weightOfStep = (from: number, to: number) => Math.min(1, (to - from) / INDEPENDENT_MS)
