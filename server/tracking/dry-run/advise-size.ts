import { encloseShape } from '#contracts/rules/geo/measure-shape.ts'
import { distanceToBorder, type Geofence, PLACE_RADIUS, type Trigger, UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import { resizeArea } from '#contracts/rules/geo/resize-area.ts'
import { SHAPE_LIMITS, type Shape } from '#contracts/rules/geo/shape.ts'
import { findShapeFault } from '#contracts/rules/geo/shape-faults.ts'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { type Border, followBorder, KNOWN_STEP } from '#contracts/rules/tracking/crossing.ts'
import type { Work } from '#contracts/rules/work.ts'
import type { Track } from './replay.ts'

/** A tracker that crosses back this soon, and went no further than this beyond the border meanwhile, hardly left or came. */
export const SHORT_MS = 15 * MINUTE_MS
const SHALLOW_METERS = 150
/** At least this many needless firings call for advice; at most a quarter of them may be left. */
export const MIN_NEEDLESS = 2
export const LEFT_SHARE = 0.25
/** Sizes are tried in these steps, up to this change. */
const STEP_METERS = 10
const MAX_STEPS = 20
/** With another radius a tracker crosses a little earlier or later. */
export const SAME_FIRING_MS = HOUR_MS

/** Fixes between two pauses. */
const PAUSE = 512

type Crossing = { event: Trigger; at: number }

/** A place that can be larger or smaller: the size, in metres, of a circle is its radius, that of a way its width, and that of an area its margin. */
export type Scalable = { size: number; limits: () => { min: number; max: number }; withSize: (size: number) => Geofence }

export function scalePlace(place: Geofence): Scalable {
  const { shape, radius } = place
  if (!shape) return { size: radius, limits: () => PLACE_RADIUS, withSize: (size) => ({ ...place, radius: size }) }
  const withShape = (sized: Shape) => ({ ...encloseShape(sized), shape: sized })
  if (shape.type === 'corridor')
    return { size: shape.width, limits: () => SHAPE_LIMITS.width, withSize: (width) => withShape({ ...shape, width }) }
  const resize = (margin: number) => (margin === 0 ? shape : resizeArea(shape, margin))
  /** The last margin in a direction, up to the largest change, with which the area is still valid. */
  const findLast = (direction: 1 | -1) => {
    let steps = 0
    while (steps < MAX_STEPS && !findShapeFault(resize(direction * (steps + 1) * STEP_METERS))) steps++
    return direction * steps * STEP_METERS
  }
  return { size: 0, limits: () => ({ min: findLast(-1), max: findLast(1) }), withSize: (margin) => withShape(resize(margin)) }
}

/**
 * Returns the size of a place that leaves the firings that matter, or null. A firing is needless if the tracker changes sides again within
 * 15 minutes, after it or before it, and stays within 150 m of the border meanwhile. The size is the one closest to that of the place, in
 * steps of 10 m and at most 200 m away, with which three quarters of the needless firings or more do not happen, while each other one still
 * happens within an hour of its time. With fewer than two needless firings there is no advice.
 */
export function* adviseSize(tracks: readonly Track[], { size, limits, withSize }: Scalable, trigger: Trigger): Work<number | null> {
  const place = withSize(size)
  const found: { crossings: Crossing[]; needless: Set<Crossing> }[] = []
  for (const track of tracks) {
    const crossings = yield* listCrossings(track, place)
    found.push({ crossings, needless: findNeedless(crossings, track, place) })
  }
  const isFiring = ({ event }: Crossing) => event === trigger
  const needless = sum(found.map((of) => [...of.needless].filter(isFiring).length))
  if (needless < MIN_NEEDLESS) return null
  const lasting = found.map((of) => of.crossings.filter((crossing) => isFiring(crossing) && !of.needless.has(crossing)))
  const tries = new Map<number, { left: number; keepsAll: boolean }>()
  function* trySize(tried: number) {
    const known = tries.get(tried)
    if (known) return known
    const sized = withSize(tried)
    let [left, keepsAll] = [0, true]
    for (const [nth, track] of tracks.entries()) {
      const crossings = (yield* listCrossings(track, sized)).filter(isFiring)
      const kept = lasting[nth]!.filter(({ at }) => crossings.some((other) => Math.abs(other.at - at) <= SAME_FIRING_MS))
      keepsAll &&= kept.length === lasting[nth]!.length
      left += crossings.length - kept.length
    }
    const result = { left, keepsAll }
    tries.set(tried, result)
    return result
  }
  const { min, max } = limits()
  const grown = yield* findSmallestChange(1)
  const shrunk = yield* findSmallestChange(-1)
  const best = [grown, shrunk].filter((found) => found !== null).sort((a, b) => Math.abs(a - size) - Math.abs(b - size))
  return best[0] ?? null

  /** The further the border, the fewer needless firings. */
  function* findSmallestChange(direction: 1 | -1): Work<number | null> {
    const base = direction > 0 ? Math.floor(size / STEP_METERS) : Math.ceil(size / STEP_METERS)
    const at = (steps: number) => (base + direction * steps) * STEP_METERS
    const last = direction > 0 ? max / STEP_METERS - base : base - min / STEP_METERS
    const tryStep = (steps: number) => trySize(at(steps))
    const found = yield* findSmallest(Math.min(MAX_STEPS, last), tryStep, ({ left }) => left <= LEFT_SHARE * needless)
    return found?.result.keepsAll ? at(found.nth) : null
  }
}

/** Finds by bisection the smallest of the numbers from 1 to `count` whose result helps, if all larger ones help too. */
export function* findSmallest<Result>(
  count: number,
  tryNth: (nth: number) => Work<Result>,
  helps: (result: Result) => boolean,
): Work<{ nth: number; result: Result } | null> {
  if (count < 1) return null
  let [tooFew, nth] = [0, count]
  let result = yield* tryNth(count)
  if (!helps(result)) return null
  while (nth - tooFew > 1) {
    const middle = Math.floor((tooFew + nth) / 2)
    const tried = yield* tryNth(middle)
    if (helps(tried)) [nth, result] = [middle, tried]
    else tooFew = middle
  }
  return { nth, result }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** All crossings of the border of a place, whatever fires. */
function* listCrossings({ last, fixes }: Track, place: Geofence): Work<Crossing[]> {
  let border: Border = UNKNOWN_CROSSING
  if (last) border = followBorder(border, last, place, KNOWN_STEP).border
  const crossings: Crossing[] = []
  for (const [index, { fix, step }] of fixes.entries()) {
    if (index % PAUSE === 0) yield
    const next = followBorder(border, fix, place, step)
    border = next.border
    if (next.event) crossings.push({ event: next.event, at: fix.datetime })
  }
  return crossings
}

/** The crossings on both sides of a visit that was short and shallow. */
function findNeedless(crossings: readonly Crossing[], { fixes }: Track, place: Geofence) {
  const needless = new Set<Crossing>()
  let index = 0
  for (const [nth, crossing] of crossings.entries()) {
    const next = crossings[nth + 1]
    if (!next || next.at - crossing.at > SHORT_MS) continue
    while (index < fixes.length && fixes[index]!.fix.datetime < crossing.at) index++
    const side = crossing.event === 'leave' ? 1 : -1
    let depth = 0
    for (; index < fixes.length && fixes[index]!.fix.datetime < next.at; index++)
      depth = Math.max(depth, side * distanceToBorder(fixes[index]!.fix, place))
    if (depth <= SHALLOW_METERS) for (const end of [crossing, next]) needless.add(end)
  }
  return needless
}
