import type { FiringKind } from '#contracts/firings.ts'
import { findQuietEnd } from '#contracts/rules/local-day.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import { type HeldItem, queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { listBrowsersOf, queuePush } from '#server/push/push.store.ts'
import { findNextQuietEnd, findQuietUser, holdAlert, listHeldMails, listQuietUsers, takeHeldAlerts } from './quiet-hours.store.ts'

type Occurrence = { device: DeviceRow; kind: FiringKind; at: Date; place: { name: string } | null }

/** Whether an alert is urgent: a vehicle moves, or the tracker is in lost mode. */
export const isUrgent = ({ mode }: Pick<DeviceRow, 'mode'>, kind: FiringKind) => kind === 'vehicle_alert' || modeLabel(mode).kind === 'lost'

/** Holds the alert back for recipients who have quiet hours now, unless it is urgent; returns the addresses to mail at once. */
export async function holdForQuietHours(tx: Tx, recipients: string[], { device, kind, at, place }: Occurrence, now: Date) {
  if (recipients.length === 0 || isUrgent(device, kind)) return recipients
  const held = new Set<string>()
  for (const user of await listQuietUsers(tx, device.accountId, recipients)) {
    const until = endOfQuiet(user, now)
    if (!until) continue
    await holdAlert(tx, { userId: user.id, accountId: device.accountId, deviceId: device.id, at, kind, place: place?.name ?? null, until })
    held.add(user.email)
  }
  return recipients.filter((email) => !held.has(email))
}

type QuietUser = Pick<NonNullable<Awaited<ReturnType<typeof findQuietUser>>>, 'from' | 'to' | 'timeZone'>

/** When the user's quiet hours end; null outside of them. */
export function endOfQuiet({ from, to, timeZone }: QuietUser, now: Date) {
  const end = from !== null && to !== null && findQuietEnd(now.getTime(), { from, to }, timeZone ?? 'UTC')
  return end ? new Date(end) : null
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
        const items = alerts
          .slice(0, MAX_ITEMS)
          .map(({ kind, at, tracker, place }): HeldItem => ({ kind, at: formatInstant(at), tracker, ...(place !== null && { place }) }))
        const data = {
          items: JSON.stringify(items),
          count: String(alerts.length),
          account: String(accountId),
          ...(owner?.firstName && { owner: owner.firstName }),
        }
        await queueMail(tx, { to: user.email, template: 'held_alerts', ...recipientColumns(user), data, now })
        const title = createTranslate(user.language)('held_alerts.subject', { count: alerts.length })
        for (const { id } of await listBrowsersOf(tx, userId))
          await queuePush(tx, id, { title, body: '', url: '/alerts/fired', isUrgent: false }, now)
        return true
      },
    })),
}
