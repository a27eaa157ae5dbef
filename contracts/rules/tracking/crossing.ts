import { distanceMeters, type Fix, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import {
  advanceCrossing,
  type Crossing,
  DOUBTFUL_SHARE,
  distanceToBorder,
  type Geofence,
  innerRadiusOf,
  SURE,
  staysOutside,
  surenessOf,
  type Trigger,
} from '#contracts/rules/geo/place.ts'
import { isStationary, nextStanding, type Standing, standingRadius } from '#contracts/rules/history/motion.ts'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'

/** The reporting rhythm of a tracker: the time of its newest fix and the interval before it, in milliseconds. Null: not known yet. */
export type Pace = { seenAt: number | null; intervalMs: number | null }

export const UNKNOWN_PACE: Pace = { seenAt: null, intervalMs: null }

/**
 * A fix in relation to the fixes before it. `isNearRest`: the tracker has stood still for eight minutes, and the fix is near enough to that
 * place to be a wrong one.
 */
export type Step = { isFirst: boolean; isSparse: boolean; elapsedMs: number; evidenceMs: number; isNearRest: boolean }

/** How long a tracker was seen on the other side of a border, weighted by certainty. */
export type Evidence = { evidenceMs: number }

/**
 * `isTentative`: the side is known only from the very first fix of a tracker. `beyond`: how many metres outside the last fix was, while a tracker
 * seems to leave.
 */
export type Border = Crossing & Partial<Evidence> & { isTentative?: true; beyond?: number | undefined }
export type Dwell = Standing & Partial<Evidence>

/** A minute on the other side at three times the precision from the border confirms a crossing, or three minutes at the precision. */
const CONFIRM_MS = 180_000
const MAX_SURENESS = 3
/** A silence proves nothing, so one fix counts for at most this long, and for two usual intervals; one alone never confirms. */
const MAX_STEP_MS = 30_000
/**
 * A tracker that reports less often than this crosses with its first fix clearly on the other side, because the next one would come too
 * late.
 */
const SPARSE_MS = 2 * MINUTE_MS
/** Drift seldom takes a parked tracker further than this, or than five times its precision. */
const PARKED_RADIUS_METERS = 150
const PARKED_PRECISIONS = 5
const ANCHOR_MS = HOUR_MS
/**
 * Receivers indoors, and those that have just woken up, are often wrong by some hundred metres, for a minute or two. So close to the place
 * where a tracker rests, one fix or one minute never shows that it has left.
 */
const NEAR_REST_METERS = 500
/**
 * The fixes of a receiver that has just woken up come back to where it is, each much nearer than the one before. One at less than this share
 * of the distance before it weighs no more than at its precision.
 */
const RETURNING_SHARE = 0.5

/** Updates the reporting interval by a newer fix. */
export const advancePace = ({ seenAt }: Pace, datetime: number): Pace => ({
  seenAt: datetime,
  intervalMs: seenAt === null ? null : datetime - seenAt,
})

/** The step of a fix while the reporting interval of its tracker is unknown: the fix counts at once. */
const FIRST_STEP: Step = { isFirst: true, isSparse: true, elapsedMs: 0, evidenceMs: MAX_STEP_MS, isNearRest: false }

/** The last known position of a tracker, from which a new alert starts, counts as confirmed. */
export const KNOWN_STEP: Step = { ...FIRST_STEP, isFirst: false }

/** Rates a newer fix by the interval before it. The second fix of a tracker counts unless it follows the first one within half a minute. */
export function rateStep({ seenAt, intervalMs }: Pace, dwell: Dwell | null, fix: Fix): Step {
  if (seenAt === null) return FIRST_STEP
  const elapsedMs = fix.datetime - seenAt
  const usual = intervalMs ?? elapsedMs
  const isSparse = intervalMs === null ? elapsedMs >= MAX_STEP_MS : Math.min(elapsedMs, usual) >= SPARSE_MS
  const isNearRest = dwell !== null && isStationary(dwell.since, seenAt) && distanceMeters(fix, dwell) < NEAR_REST_METERS
  return { isFirst: false, isSparse, elapsedMs, evidenceMs: Math.min(elapsedMs, 2 * usual, MAX_STEP_MS), isNearRest }
}

const hasEvidence = ({ evidenceMs = 0 }: Partial<Evidence>) => evidenceMs > 0

/** Whether a fix that is clearly outside, like the ones before, changes nothing: this is faster than computing a distance. */
export const remainsOutside = (border: Border, fix: Fix, place: Geofence) =>
  !hasEvidence(border) && !border.isTentative && staysOutside(border, fix, place)

/**
 * Advances a border by a newer fix that is believed. A crossing of a tracker that reports often must be confirmed by evidence of time, and the
 * first known side by two fixes; one that reports rarely by how far beyond the border
 * its fixes are.
 */
export function followBorder(border: Border, fix: Fix, place: Geofence, step: Step): { border: Border; event: Trigger | null } {
  if (remainsOutside(border, fix, place) || fix.precision >= innerRadiusOf(place)) return { border, event: null }
  if (step.isSparse) {
    const before = { inside: border.inside, leaning: border.leaning, sureness: border.sureness }
    const { state, event } = advanceCrossing(before, fix, place, step.isNearRest)
    const isTentative = step.isFirst && border.inside === null && state.inside !== null
    return { border: isTentative ? { ...state, isTentative } : state, event }
  }
  const meters = distanceToBorder(fix, place)
  const isInside = meters <= 0
  if (border.isTentative) return { border: sideOf(isInside), event: null }
  if (border.inside === null)
    return { border: border.leaning === isInside ? sideOf(isInside) : { inside: null, leaning: isInside }, event: null }
  const isOther = isInside !== border.inside
  if (!isOther && !hasEvidence(border)) return { border: border.leaning === null ? border : sideOf(border.inside), event: null }
  const isReturning = !isInside && meters < RETURNING_SHARE * (border.beyond ?? 0)
  const sureness = weightOf(meters, fix, step)
  const evidence = weigh(border, step, isOther, isReturning ? Math.min(1, sureness) : sureness)
  if (isConfirmed(evidence)) return { border: sideOf(isInside), event: isInside ? 'enter' : 'leave' }
  const known = { inside: border.inside, leaning: null }
  if (!hasEvidence(evidence)) return { border: known, event: null }
  return { border: { ...known, ...evidence, ...(border.inside && !isInside && { beyond: Math.round(meters) }) }, event: null }
}

/**
 * Advances a stay by a newer valid fix. A tracker leaves the place where it has been for eight minutes only with evidence: of time if it
 * reports often, otherwise by a second fix elsewhere, or one that is too far away to be a wrong one.
 */
export function followDwell(dwell: Dwell | null, fix: Fix, step: Step): Dwell {
  const hasStayed = dwell !== null && isStationary(dwell.since, fix.datetime - (step.isSparse ? step.elapsedMs : 0))
  if (dwell === null || (step.isSparse && !hasStayed))
    return nextStanding(dwell && { lat: dwell.lat, lng: dwell.lng, at: dwell.at, since: dwell.since }, fix)
  const radius = step.isSparse ? standingRadius(fix) : Math.max(PARKED_RADIUS_METERS, PARKED_PRECISIONS * fix.precision)
  const meters = distanceMeters(fix, dwell)
  const isOther = meters > radius
  if (isOther && !hasStayed) return arriveAt(fix)
  const evidence = step.isSparse
    ? { evidenceMs: isOther ? (dwell.evidenceMs ?? 0) + Math.round(shareOf(meters - radius, fix, step) * CONFIRM_MS) : 0 }
    : weigh(dwell, step, isOther, weightOf(meters - radius, fix, step))
  if (isConfirmed(evidence)) return arriveAt(fix)
  const { lat, lng } = isOther || step.isSparse ? dwell : moveAnchor(dwell, fix, step)
  return { lat, lng, at: dwell.at, since: dwell.since ?? dwell.at, ...evidence }
}

/** The mean position over the time of the stay, at most over an hour, so that it does not follow a tracker that walks off. */
function moveAnchor({ lat, lng, at }: Dwell, fix: Fix, { elapsedMs }: Step): LatLng {
  const dwelt = Math.min(ANCHOR_MS, fix.datetime - at)
  const share = Math.min(0.5, Math.min(MAX_STEP_MS, elapsedMs) / dwelt)
  const degreesEast = ((fix.lng - lng + 540) % 360) - 180
  return { lat: lat + (fix.lat - lat) * share, lng: lng + degreesEast * share }
}

const sideOf = (inside: boolean): Border => ({ inside, leaning: null })
const arriveAt = ({ lat, lng, datetime }: LatLng & Fix): Dwell => ({ lat, lng, at: datetime, since: null })

const weightOf = (meters: number, { precision }: Fix, { isNearRest }: Step) =>
  Math.min(isNearRest ? 1 : MAX_SURENESS, surenessOf(Math.abs(meters), precision))

/** How much of the evidence one fix of a tracker that reports rarely is, as in `advanceCrossing`. */
const shareOf = (meters: number, { precision }: Fix, { isNearRest }: Step) =>
  Math.min(isNearRest ? DOUBTFUL_SHARE : 1, surenessOf(meters, precision) ** 2 / SURE)

function weigh({ evidenceMs = 0 }: Partial<Evidence>, step: Step, isOther: boolean, sureness: number): Evidence {
  const weight = step.evidenceMs * sureness
  return { evidenceMs: Math.round(Math.max(0, evidenceMs + (isOther ? weight : -weight))) }
}

const isConfirmed = ({ evidenceMs }: Evidence) => evidenceMs >= CONFIRM_MS
