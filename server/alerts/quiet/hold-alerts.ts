import type { AlertRule } from '#contracts/alerts.ts'
import type { FiringKind } from '#contracts/firings.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { dailySpan, findQuietEnd, type QuietSpan } from '#contracts/rules/tracking/rules/quiet-hours.ts'
import type { Kind } from '#contracts/rules/tracking/tracker.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { findAccountOwner, type quietColumns } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { holdDeliveriesUntil } from '#server/channels/channels.store.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import { type HeldItem, queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { listBrowsersOf, queuePush } from '#server/push/push.store.ts'
import {
  findNextQuietEnd,
  findQuietUser,
  holdAlert,
  holdUntil,
  listHeldMails,
  listQuietUsers,
  saveMailOfHeld,
  takeHeldAlerts,
} from './quiet-hours.store.ts'

type Occurrence = {
  device: DeviceRow
  kind: FiringKind
  at: Date
  place: { name: string } | null
  rule: AlertRule | null
  other?: { id: number } | undefined
  distance?: number | undefined
}

/** Animals and people move at night on their own; what else is parked and moves may be stolen. */
const MOVES_BY_ITSELF = ['dog', 'cat', 'person'] satisfies Kind[]

/** Whether an alert is urgent: a vehicle or a parked thing moves, a button is pressed, or the tracker is in lost mode. */
export function isUrgent({ mode, kind: of }: Pick<DeviceRow, 'mode' | 'kind'>, kind: FiringKind) {
  const isParkedThing = !MOVES_BY_ITSELF.some((other) => other === of)
  return kind === 'vehicle_alert' || kind === 'button' || (kind === 'moved' && isParkedThing) || modeLabel(mode).kind === 'lost'
}

/**
 * Holds the alert back for recipients who have quiet hours now, unless it is urgent; returns the addresses to mail at once, and by their
 * addresses the ids of what is held.
 */
export async function holdForQuietHours(tx: Tx, recipients: string[], occurrence: Occurrence, now: Date) {
  const { device, other, distance, kind, at, place, rule } = occurrence
  const held = new Map<string, number>()
  if (recipients.length === 0 || isUrgent(device, kind)) return { atOnce: recipients, held }
  for (const user of await listQuietUsers(tx, device.accountId, recipients)) {
    const until = endOfQuiet(user, now)
    if (!until) continue
    const alert = { userId: user.id, accountId: device.accountId, deviceId: device.id, at, kind, place: place?.name ?? null, rule, until }
    held.set(user.email, await holdAlert(tx, { ...alert, otherId: other?.id ?? null, distance: distance ?? null }))
  }
  return { atOnce: recipients.filter((email) => !held.has(email)), held }
}

type QuietUser = Pick<NonNullable<Awaited<ReturnType<typeof findQuietUser>>>, keyof typeof quietColumns>

/** The spans of a user's quiet hours. */
export const listSpans = ({ quietFrom: from, quietTo: to, quietSpans }: QuietUser): QuietSpan[] =>
  quietSpans ?? (from !== null && to !== null ? [dailySpan({ from, to })] : [])

/** When the user's quiet hours end; null outside of them. */
export function endOfQuiet(user: QuietUser, now: Date) {
  const end = findQuietEnd(now.getTime(), listSpans(user), user.timeZone ?? 'UTC')
  return end === null ? null : new Date(end)
}

/** Moves what waits for the end of a user's quiet hours to their present end, or to now if they have ended: mails, and messages to channels. */
export async function moveWaiting(tx: Tx, userId: number, now: Date) {
  const user = await findQuietUser(tx, userId)
  const until = (user && endOfQuiet(user, now)) ?? now
  await holdUntil(tx, userId, until)
  await holdDeliveriesUntil(tx, userId, until)
}

/** The most alerts listed in a mail; of further ones it gives the number. */
const MAX_ITEMS = 50

/** Mails the alerts that fired during the quiet hours of a user, one mail per account. */
export const quietEnd = {
  name: 'quiet_end',
  next: findNextQuietEnd,
  due: async (db: DbReader, by: Date) =>
    (await listHeldMails(db, by)).map((held) => ({
      ref: `users/${held.userId}`,
      lock: [`account:${held.accountId}`] as const,
      async run(tx: Tx, now: Date) {
        const { userId, accountId } = held
        const alerts = await takeHeldAlerts(tx, held, now)
        const user = await findQuietUser(tx, userId)
        if (!user || alerts.length === 0) return false
        const owner = user.accountId === accountId ? undefined : await findAccountOwner(tx, accountId)
        const items = alerts.slice(0, MAX_ITEMS).map(
          ({ kind, at, tracker, place, rule, other, distance }): HeldItem => ({
            kind,
            at: formatInstant(at),
            tracker,
            ...(place !== null && { place }),
            ...(rule !== null && { rule }),
            ...(other !== null && { other }),
            ...(distance !== null && { distance }),
          }),
        )
        const data = {
          items: JSON.stringify(items),
          count: String(alerts.length),
          account: String(accountId),
          ...(owner?.firstName && { owner: owner.firstName }),
        }
        const mail = await queueMail(tx, { to: user.email, template: 'held_alerts', ...recipientColumns(user), data, now })
        const ids = alerts.map(({ id }) => id)
        await saveMailOfHeld(tx, ids, mail)
        const title = createTranslate(user.language)('held_alerts.subject', { count: alerts.length })
        for (const { id } of await listBrowsersOf(tx, userId))
          await queuePush(tx, id, { title, body: '', url: '/alerts/fired', isUrgent: false }, now)
        return true
      },
    })),
}
