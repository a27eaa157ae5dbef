import { bearingDegrees, distanceMeters, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { onSessionEnd } from '#web/lib/session.ts'

/** A shorter step may only be GPS inaccuracy. */
const STEP_METERS = 10

const seen = new Map<number, { at: LatLng; heading: number | undefined }>()
onSessionEnd(() => seen.clear())

/** Heading in degrees from north, from the position seen before, or along `way`, whose end is the current position. */
export function updateHeading(id: number, at: LatLng, way: readonly LatLng[] = []): number | undefined {
  const known = seen.get(id)
  const from = known && distanceMeters(known.at, at) >= STEP_METERS ? known.at : undefined
  const before = from ?? (known?.heading === undefined ? way.findLast((point) => distanceMeters(point, at) >= STEP_METERS) : undefined)
  if (!before) {
    if (!known) seen.set(id, { at, heading: undefined })
    return known?.heading
  }
  const heading = bearingDegrees(before, at)
  seen.set(id, { at, heading })
  return heading
}
