import * as z from 'zod/mini'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { type Circle, type Trigger, UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { firesVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { type Border, followBorder, KNOWN_STEP, remainsOutside, type Step } from '#contracts/rules/tracking/crossing.ts'
import { hasVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import type { Tx } from '#db/db.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { listWatchRows, saveCrossing, type WatchRow } from './tracker-alerts.store.ts'

export async function loadWatches(tx: Tx, device: DeviceRow) {
  const last = lastFix(device)
  return (await listWatchRows(tx, device.id)).map((row) => buildWatch(row, last))
}

function lastFix({ lat, lng, precision, positionAt }: DeviceRow): Fix | null {
  if (lat === null || lng === null || precision === null || positionAt === null) return null
  return { lat: fromFixed7(lat), lng: fromFixed7(lng), precision, datetime: positionAt.getTime() }
}

export async function saveWatches(tx: Tx, deviceId: number, watches: Watch[]) {
  for (const { hasChanged, ...watch } of watches) if (hasChanged) await saveCrossing(tx, { deviceId, ...watch })
}

/** An alert's state for one tracker. */
export type Watch = {
  alertId: number
  isVehicleAlert: boolean
  trigger: Trigger | null
  place: (Circle & { id: number; name: string }) | null
  crossing: Border
  hasChanged: boolean
  firedAt?: Date | undefined
}

/** A fired alert. Alerts of the same kind and place fire together, so that each contact gets one mail. */
export type Firing = {
  kind: 'place_enter' | 'place_leave' | 'vehicle_alert'
  place: { id: number; name: string } | null
  alertIds: number[]
  fix: Fix
}

/** Compiled, because each message of a tracker parses the states of all its alerts. */
const StoredCrossing = z.compile(
  z.object({
    inside: z.nullable(z.boolean()),
    leaning: z.nullable(z.boolean()),
    sureness: z.optional(z.number()),
    evidenceMs: z.optional(z.number()),
    isTentative: z.optional(z.literal(true)),
  }),
)

/**
 * Builds the watch of a row. A new alert, or one whose border changed, starts from the tracker's `last` fix, so that the first departure is
 * not missed.
 */
function buildWatch({ alertId, isVehicleAlert, trigger, place: stored, crossing: known, firedAt }: WatchRow, last: Fix | null): Watch {
  const place = stored && { ...stored, lat: fromFixed7(stored.lat), lng: fromFixed7(stored.lng) }
  const { data } = z.safeParse(StoredCrossing, known)
  const watch: Watch = {
    alertId,
    isVehicleAlert,
    trigger,
    place,
    crossing: data ?? UNKNOWN_CROSSING,
    hasChanged: false,
    firedAt: firedAt ?? undefined,
  }
  return data ? watch : startWatch(watch, last)
}

/** Starts a new alert from the tracker's last known fix. */
export const startWatch = (watch: Watch, last: Fix | null) =>
  watch.place && last ? applyFixToWatch(watch, last, { isAlarming: false, step: KNOWN_STEP }).watch : watch

type FixContext = { hasStarted: boolean; mode: number; step: Step }

/** Applies a newer fix to the watches. `hasStarted`: a parked tracker started to move with this fix; `mode`: the mode at that time. */
export function applyFix(watches: Watch[], fix: Fix, { hasStarted, mode, step }: FixContext) {
  if (!hasStarted && watches.every((watch) => isFarFrom(watch, fix))) return { watches, firings: [] }
  const isAlarming = hasStarted && firesVehicleAlert(mode)
  const seen: ReturnType<typeof applyFixToWatch>[] = []
  const after = watches.map((watch) => {
    if (isFarFrom(watch, fix)) return watch
    const result = applyFixToWatch(watch, fix, { isAlarming, step })
    seen.push(result)
    return result.watch
  })
  const firings = new Map<string, Firing>()
  const fire = (kind: Firing['kind'], { place, alertId }: Partial<Watch>) => {
    const about = kind === 'vehicle_alert' || !place ? null : { id: place.id, name: place.name }
    const key = `${kind} ${about?.id}`
    const alertIds = [...(firings.get(key)?.alertIds ?? []), ...(alertId === undefined ? [] : [alertId])]
    firings.set(key, { kind, place: about, alertIds, fix })
  }
  if (hasStarted && hasVehicleAlert(mode)) fire('vehicle_alert', {})
  for (const { watch, kinds, isQuiet } of seen) for (const kind of kinds) fire(kind, isQuiet ? { place: watch.place } : watch)
  return { watches: after, firings: [...firings.values()] }
}

/** Whether the fix cannot change anything, as with most places of an account. */
const isFarFrom = ({ place, isVehicleAlert, crossing }: Watch, fix: Fix) =>
  place !== null && !isVehicleAlert && remainsOutside(crossing, fix, place)

/** Minimum time between two mails of an alert about the same tracker. */
const QUIET_MS = 5 * MINUTE_MS

type WatchContext = { isAlarming: boolean; step: Step }

function applyFixToWatch(
  watch: Watch,
  fix: Fix,
  { isAlarming, step }: WatchContext,
): { watch: Watch; kinds: Firing['kind'][]; isQuiet: boolean } {
  const { place, trigger } = watch
  const { border, event } = place ? followBorder(watch.crossing, fix, place, step) : { border: watch.crossing, event: null }
  const isCrossed = event !== null && event === trigger
  const isDrivenOff = watch.isVehicleAlert && isAlarming
  const kinds = [...(isCrossed ? [`place_${event}` as const] : []), ...(isDrivenOff ? ['vehicle_alert' as const] : [])]
  const isQuiet = watch.firedAt !== undefined && Math.abs(fix.datetime - watch.firedAt.getTime()) < QUIET_MS
  const firedAt = kinds.length > 0 && !isQuiet ? new Date(fix.datetime) : watch.firedAt
  const hasChanged = watch.hasChanged || kinds.length > 0 || !areEqual(border, watch.crossing)
  return { watch: { ...watch, crossing: border, hasChanged, firedAt }, kinds, isQuiet }
}

const areEqual = (a: Border, b: Border) =>
  a === b ||
  (a.inside === b.inside &&
    a.leaning === b.leaning &&
    a.sureness === b.sureness &&
    a.evidenceMs === b.evidenceMs &&
    a.isTentative === b.isTentative)
