import * as z from 'zod/mini'
import type { Trigger } from '#contracts/lib/constants.ts'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { advanceCrossing, type Circle, type Crossing, UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import { firesVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { hasVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { WatchRow } from './tracker-alerts.store.ts'

/** An alert's state for one tracker. */
export type Watch = {
  alertId: number
  isVehicleAlert: boolean
  trigger: Trigger | null
  place: (Circle & { id: number; name: string }) | null
  crossing: Crossing
  hasChanged: boolean
  firedAt?: Date | undefined
}

/** A fired alert. Alerts of the same type and place fire together, so that each contact gets one mail. */
export type Firing = {
  type: 'place_enter' | 'place_leave' | 'vehicle_alert'
  place: { id: number; name: string } | null
  alertIds: number[]
  fix: Fix
}

const StoredCrossing = z.object({ inside: z.nullable(z.boolean()), leaning: z.nullable(z.boolean()) })

/**
 * Builds the watch of a row. A new alert, or one whose border changed, starts from the tracker's `last` fix, so that the first departure is
 * not missed.
 */
export function buildWatch({ alertId, isVehicleAlert, trigger, place: stored, crossing: known }: WatchRow, last: Fix | null): Watch {
  const place = stored && { ...stored, lat: fromFixed7(stored.lat), lng: fromFixed7(stored.lng) }
  const { data } = z.safeParse(StoredCrossing, known)
  const watch: Watch = { alertId, isVehicleAlert, trigger, place, crossing: data ?? UNKNOWN_CROSSING, hasChanged: false }
  return data || !place || !last ? watch : applyFixToWatch(watch, last, false).watch
}

/** Applies a newer fix to the watches. `hasStarted`: with this fix a parked tracker started to move; `mode`: the mode at that time. */
export function applyFix(watches: Watch[], fix: Fix, { hasStarted, mode }: { hasStarted: boolean; mode: number }) {
  const seen = watches.map((watch) => applyFixToWatch(watch, fix, hasStarted && firesVehicleAlert(mode)))
  const firings = new Map<string, Firing>()
  const fire = (type: Firing['type'], { place, alertId }: Partial<Watch>) => {
    const about = type === 'vehicle_alert' || !place ? null : { id: place.id, name: place.name }
    const key = `${type} ${about?.id}`
    const alertIds = [...(firings.get(key)?.alertIds ?? []), ...(alertId === undefined ? [] : [alertId])]
    firings.set(key, { type, place: about, alertIds, fix })
  }
  if (hasStarted && hasVehicleAlert(mode)) fire('vehicle_alert', {})
  for (const { watch, types } of seen) for (const type of types) fire(type, watch)
  return { watches: seen.map(({ watch }) => watch), firings: [...firings.values()] }
}

function applyFixToWatch(watch: Watch, fix: Fix, isAlarming: boolean): { watch: Watch; types: Firing['type'][] } {
  const { place, trigger } = watch
  const { state, event } = place ? advanceCrossing(watch.crossing, fix, place) : { state: watch.crossing, event: null }
  const isCrossed = event !== null && event === trigger
  const isDrivenOff = watch.isVehicleAlert && isAlarming
  const types = [...(isCrossed ? [`place_${event}` as const] : []), ...(isDrivenOff ? ['vehicle_alert' as const] : [])]
  const hasMoved = state.inside !== watch.crossing.inside || state.leaning !== watch.crossing.leaning
  const firedAt = types.length > 0 ? new Date(fix.datetime) : watch.firedAt
  return { watch: { ...watch, crossing: state, hasChanged: watch.hasChanged || hasMoved || types.length > 0, firedAt }, types }
}
