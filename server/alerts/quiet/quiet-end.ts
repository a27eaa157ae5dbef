import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import { type HeldItem, queueMail, recipientColumns } from '#server/mail/mail-outbox.store.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import { listBrowsersOf, queuePush } from '#server/push/push.store.ts'
import { findNextQuietEnd, findQuietUser, listHeldMails, takeHeldAlerts } from './quiet-hours.store.ts'

/** Items of a mail; of more alerts it names the number. */
const MAX_ITEMS = 50

/** Mails the alerts that fired in the quiet hours of a user, as one mail for each account they are from. */
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
        if (!user || alerts.length === 0) return null
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
        return {}
      },
    })),
}
