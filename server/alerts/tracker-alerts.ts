import * as z from 'zod/mini'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { type Circle, type Trigger, UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import { DAY_MS, formatInstant, HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { firesVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { type Border, FIRST_STEP, followBorder, remainsOutside, type Step } from '#contracts/rules/tracking/crossing.ts'
import { hasVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner, type Owner } from '#db/people.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { holdForQuietHours } from '#server/alerts/quiet/hold-alerts.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { countAlertMails, queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { insertFiring } from './firings.store.ts'
import { pushAlert } from './push-alerts.ts'
import { listBatteryContacts, listContactEmails, listWatchRows, saveCrossing, type WatchRow } from './tracker-alerts.store.ts'

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

type AlertOccurrence = { device: DeviceRow; firing: Firing; address: string | null; now: Date }

/** Mails a fired alert to each contact once, in the owner's language and time zone. */
export async function publishAlert(tx: Tx, { device, firing, address, now }: AlertOccurrence) {
  const { type, place, alertIds } = firing
  const datetime = formatInstant(new Date(firing.fix.datetime))
  const owner = alertIds.length > 0 ? await findAccountOwner(tx, device.accountId) : undefined
  const recipients = owner && isFresh(firing.fix, now) ? await listRecipients(tx, owner, alertIds, now) : []
  const ofFiring = { device, kind: type, at: new Date(firing.fix.datetime), place: place?.name ?? null }
  const wording = owner ? recipientColumns(owner) : { language: 'en' as const }
  const { lat, lng, precision } = firing.fix
  const spot = {
    lat: String(lat),
    lng: String(lng),
    precision: String(precision),
    kind: device.kind,
    ...(device.photo && { photo: device.photo }),
  }
  const said = { tracker: device.name, account: String(device.accountId), datetime, ...spot, ...(address !== null && { address }) }
  for (const to of await holdForQuietHours(tx, recipients, ofFiring, now)) {
    const isOwner = owner?.email === to
    const about = { ...said, ...(isOwner ? { device: String(device.id) } : owner?.firstName && { owner: owner.firstName }) }
    if (type === 'vehicle_alert') await queueMail(tx, { to, template: 'vehicle_alert', ...wording, data: about, now })
    else await queueMail(tx, { to, template: 'place_alert', ...wording, data: { ...about, type, place: place?.name ?? '' }, now })
  }
  if (owner && isFresh(firing.fix, now)) await pushAlert(tx, { ...ofFiring, address }, now)
  const { id: deviceId, accountId } = device
  const about = { aboutId: place?.id ?? null, about: place?.name ?? null }
  if (owner) await insertFiring(tx, { deviceId, accountId, at: ofFiring.at, kind: type, ...about, mails: recipients.length })
  await appendLiveEvent(tx, { device, type: 'alert', body: { type, place, datetime }, at: now })
}

/** Old positions, which a tracker sends after a gap, cause no mail. */
const isFresh = ({ datetime }: Fix, now: Date) => now.getTime() - datetime <= HOUR_MS

/** Alert mails of an account in 24 hours. */
const MAX_ALERT_MAILS = 500

/** The contacts, up to the account's limit of mails per day; an account without a confirmed address mails only itself. */
async function listRecipients(tx: Tx, owner: Owner, alertIds: number[], now: Date) {
  const contacts = await listContactEmails(tx, alertIds)
  if (!owner.emailConfirmed) return contacts.filter((email) => email === owner.email)
  const sent = await countAlertMails(tx, owner.id, new Date(now.getTime() - DAY_MS))
  return contacts.slice(0, Math.max(0, MAX_ALERT_MAILS - sent))
}

/** Mails a low battery to the owner and the contacts chosen for it. */
export async function publishLowBattery(tx: Tx, device: DeviceRow, now: Date) {
  const datetime = formatInstant(now)
  const owner = await findAccountOwner(tx, device.accountId)
  const contacts = owner?.emailConfirmed ? await listBatteryContacts(tx, device.id) : []
  const recipients = new Set(owner ? [owner.email, ...contacts.flatMap(({ email, stoppedAt }) => (stoppedAt ? [] : email))] : [])
  const occurrence = { device, kind: 'low_battery', at: now, place: null } as const
  for (const to of await holdForQuietHours(tx, [...recipients], occurrence, now)) {
    const isOwner = to === owner?.email
    const about = isOwner
      ? { device: String(device.id) }
      : { account: String(device.accountId), ...(owner?.firstName && { owner: owner.firstName }) }
    const data = { tracker: device.name, datetime, ...about }
    if (owner) await queueMail(tx, { to, template: 'low_battery', ...recipientColumns(owner), data, now })
  }
  if (owner) await pushAlert(tx, occurrence, now)
  const { id: deviceId, accountId } = device
  if (owner) await insertFiring(tx, { deviceId, accountId, at: now, kind: 'low_battery', mails: recipients.size })
  await appendLiveEvent(tx, { device, type: 'alert', body: { type: 'low_battery', place: null, datetime }, at: now })
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

/** A fired alert. Alerts of the same type and place fire together, so that each contact gets one mail. */
export type Firing = {
  type: 'place_enter' | 'place_leave' | 'vehicle_alert'
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

/** The last known position of a tracker, from which a new alert starts, counts as confirmed. */
const KNOWN_STEP: Step = { ...FIRST_STEP, isFirst: false }

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
  return data || !place || !last ? watch : applyFixToWatch(watch, last, { isAlarming: false, step: KNOWN_STEP }).watch
}

type FixContext = { hasStarted: boolean; mode: number; step: Step }

/** Applies a newer fix to the watches. `hasStarted`: a parked tracker started to move with this fix; `mode`: the mode at that time. */
export function applyFix(watches: Watch[], fix: Fix, { hasStarted, mode, step }: FixContext) {
  if (watches.length === 0 && !hasStarted) return { watches, firings: [] }
  const isAlarming = hasStarted && firesVehicleAlert(mode)
  const seen: ReturnType<typeof applyFixToWatch>[] = []
  const after = watches.map((watch) => {
    if (isFarFrom(watch, fix)) return watch
    const result = applyFixToWatch(watch, fix, { isAlarming, step })
    seen.push(result)
    return result.watch
  })
  const firings = new Map<string, Firing>()
  const fire = (type: Firing['type'], { place, alertId }: Partial<Watch>) => {
    const about = type === 'vehicle_alert' || !place ? null : { id: place.id, name: place.name }
    const key = `${type} ${about?.id}`
    const alertIds = [...(firings.get(key)?.alertIds ?? []), ...(alertId === undefined ? [] : [alertId])]
    firings.set(key, { type, place: about, alertIds, fix })
  }
  if (hasStarted && hasVehicleAlert(mode)) fire('vehicle_alert', {})
  for (const { watch, types, isQuiet } of seen) for (const type of types) fire(type, isQuiet ? { place: watch.place } : watch)
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
): { watch: Watch; types: Firing['type'][]; isQuiet: boolean } {
  const { place, trigger } = watch
  const { border, event } = place ? followBorder(watch.crossing, fix, place, step) : { border: watch.crossing, event: null }
  const isCrossed = event !== null && event === trigger
  const isDrivenOff = watch.isVehicleAlert && isAlarming
  const types = [...(isCrossed ? [`place_${event}` as const] : []), ...(isDrivenOff ? ['vehicle_alert' as const] : [])]
  const isQuiet = watch.firedAt !== undefined && Math.abs(fix.datetime - watch.firedAt.getTime()) < QUIET_MS
  const firedAt = types.length > 0 && !isQuiet ? new Date(fix.datetime) : watch.firedAt
  const hasChanged = watch.hasChanged || types.length > 0 || !areEqual(border, watch.crossing)
  return { watch: { ...watch, crossing: border, hasChanged, firedAt }, types, isQuiet }
}

const areEqual = (a: Border, b: Border) =>
  a === b ||
  (a.inside === b.inside &&
    a.leaning === b.leaning &&
    a.sureness === b.sureness &&
    a.evidenceMs === b.evidenceMs &&
    a.isTentative === b.isTentative)
