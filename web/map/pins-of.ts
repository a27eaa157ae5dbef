import type { TFunction } from 'i18next'
import type { Device } from '#contracts/devices.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { updateHeading } from '#web/trackers/heading.ts'
import { trackerState } from '#web/trackers/state.ts'
import { stateWords } from '#web/trackers/state-words.ts'
import type { PinItem } from './pins.tsx'

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
