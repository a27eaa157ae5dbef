import { encloseShape } from '#contracts/rules/geo/measure-shape.ts'
import { distanceToBorder, type Geofence, PLACE_RADIUS, type Trigger, UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import { SHAPE_LIMITS } from '#contracts/rules/geo/shape.ts'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { type Border, followBorder, KNOWN_STEP } from '#contracts/rules/tracking/crossing.ts'
import type { Work } from '#contracts/rules/work.ts'
import type { Track } from './replay.ts'

/** A tracker that crosses back this soon, and went no further than this beyond the border meanwhile, hardly left or came. */
const SHORT_MS = 15 * MINUTE_MS
const SHALLOW_METERS = 150
/** At least this many needless firings call for advice; at most a quarter of them may be left. */
const MIN_NEEDLESS = 2
const LEFT_SHARE = 0.25
/** Sizes are tried in these steps, up to this change. */
const STEP_METERS = 10
const MAX_STEPS = 20
/** With another radius a tracker crosses a little earlier or later. */
const SAME_CROSSING_MS = HOUR_MS

/** Fixes between two pauses. */
const PAUSE = 512

type Crossing = { event: Trigger; at: number }

/** A place that can be larger or smaller: the size, in metres, of a circle is its radius, and that of a way its width. */
export type Scalable = { size: number; limits: { min: number; max: number }; withSize: (size: number) => Geofence }

/** Null for an area, which has no single size. */
export function scalePlace(place: Geofence): Scalable | null {
  const { shape, radius } = place
  if (!shape) return { size: radius, limits: PLACE_RADIUS, withSize: (size) => ({ ...place, radius: size }) }
  if (shape.type !== 'corridor') return null
  const withSize = (size: number) => {
    const sized = { ...shape, width: size }
    return { ...encloseShape(sized), shape: sized }
  }
  return { size: shape.width, limits: SHAPE_LIMITS.width, withSize }
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
      const kept = lasting[nth]!.filter(({ at }) => crossings.some((other) => Math.abs(other.at - at) <= SAME_CROSSING_MS))
      keepsAll &&= kept.length === lasting[nth]!.length
      left += crossings.length - kept.length
    }
    const result = { left, keepsAll }
    tries.set(tried, result)
    return result
  }
  const grown = yield* findSmallestChange(1)
  const shrunk = yield* findSmallestChange(-1)
  const best = [grown, shrunk].filter((found) => found !== null).sort((a, b) => Math.abs(a - size) - Math.abs(b - size))
  return best[0] ?? null

  /** By bisection: the further the border, the fewer needless firings. */
  function* findSmallestChange(direction: 1 | -1): Work<number | null> {
    const base = direction > 0 ? Math.floor(size / STEP_METERS) : Math.ceil(size / STEP_METERS)
    const at = (steps: number) => (base + direction * steps) * STEP_METERS
    const last = direction > 0 ? limits.max / STEP_METERS - base : base - limits.min / STEP_METERS
    let [tooFew, enough] = [0, Math.min(MAX_STEPS, last)]
    if (enough < 1 || !(yield* helps(at(enough)))) return null
    while (enough - tooFew > 1) {
      const middle = Math.floor((tooFew + enough) / 2)
      if (yield* helps(at(middle))) enough = middle
      else tooFew = middle
    }
    return (yield* trySize(at(enough))).keepsAll ? at(enough) : null
  }

  function* helps(tried: number): Work<boolean> {
    return (yield* trySize(tried)).left <= LEFT_SHARE * needless
  }
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
