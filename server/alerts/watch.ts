import * as z from 'zod/mini'
import type { Trigger } from '#contracts/constants.ts'
import type { Fix } from '#contracts/rules/geo.ts'
import { hasVehicleAlert } from '#contracts/rules/mode.ts'
import { type Circle, type Crossing, crossing, UNKNOWN_CROSSING } from '#contracts/rules/places.ts'
import { isOnGuard } from '#contracts/rules/vehicle-alert.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { WatchRow } from './store.ts'

/** An alert on guard over one tracker. */
export type Watch = {
  alertId: number
  isVehicleAlert: boolean
  trigger: Trigger | null
  place: (Circle & { id: number; name: string }) | null
  crossing: Crossing
  hasChanged: boolean
  firedAt?: Date | undefined
}

/** What alerts tell people of; those that tell the same of the same place tell it once. */
export type Firing = {
  type: 'place_enter' | 'place_leave' | 'vehicle_alert'
  place: { id: number; name: string } | null
  alertIds: number[]
  fix: Fix
}

const StoredCrossing = z.object({ inside: z.nullable(z.boolean()), leaning: z.nullable(z.boolean()) })

export function watchOf({ alertId, isVehicleAlert, trigger, place, crossing: stored }: WatchRow): Watch {
  const known = z.safeParse(StoredCrossing, stored)
  return {
    alertId,
    isVehicleAlert,
    trigger,
    place: place && { ...place, lat: fromFixed7(place.lat), lng: fromFixed7(place.lng) },
    crossing: known.success ? known.data : UNKNOWN_CROSSING,
    hasChanged: false,
  }
}

/** Shows the watches a newer fix; `hasStarted` says that with it a standing tracker drove off, in this mode. */
export function watchFix(watches: Watch[], fix: Fix, { hasStarted, mode }: { hasStarted: boolean; mode: number }) {
  const seen = watches.map((watch) => see(watch, fix, hasStarted && isOnGuard(mode)))
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

function see(watch: Watch, fix: Fix, isAlarming: boolean): { watch: Watch; types: Firing['type'][] } {
  const { place, trigger } = watch
  const { state, event } = place ? crossing(watch.crossing, fix, place) : { state: watch.crossing, event: null }
  const isCrossed = event !== null && event === trigger
  const isDrivenOff = watch.isVehicleAlert && isAlarming
  const types = [...(isCrossed ? [`place_${event}` as const] : []), ...(isDrivenOff ? ['vehicle_alert' as const] : [])]
  const hasMoved = state.inside !== watch.crossing.inside || state.leaning !== watch.crossing.leaning
  const firedAt = types.length > 0 ? new Date(fix.datetime) : watch.firedAt
  return { watch: { ...watch, crossing: state, hasChanged: watch.hasChanged || hasMoved || types.length > 0, firedAt }, types }
}
