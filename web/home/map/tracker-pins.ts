import type { TFunction } from 'i18next'
import type { Device } from '#contracts/devices.ts'
import { bearingDegrees, distanceMeters, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import type { PinItem } from '#web/map/pins/pins.tsx'
import { trackerState } from '#web/trackers/state.ts'
import { stateWords } from '#web/trackers/tracker-words.ts'

/**
 * Pins of the visible trackers with a position, and of the chosen one even when hidden. The chosen one's heading follows its track `way`.
 */
export const createPins = (devices: readonly Device[], now: Date, t: TFunction, chosen?: number, way?: readonly LatLng[]): PinItem[] =>
  devices.flatMap((device) => {
    const { id, name, kind, visible, tracker_status } = device
    const at = tracker_status.last_position
    if (!at || (!visible && id !== chosen)) return []
    const state = trackerState(device, now)
    const heading = updateHeading(id, at, id === chosen ? way : undefined)
    const label = `${name}, ${stateWords(t, device, now)}`
    return [{ id, name, kind, lat: at.lat, lng: at.lng, state, label, heading: state === 'moving' ? heading : undefined }]
  })

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
