import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import { listNextAmounts } from '#server/billing/price-changes/price-changes.store.ts'
import { claimEffect } from '#server/billing/records/payments.store.ts'
import { findPricesById, findSubscription } from '#server/billing/records/subscriptions.store.ts'
import { queueMail, type ReminderItem, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { Job } from './job.ts'
import { findOldestReminder, listReminders, nextReminder } from './reminders.store.ts'

type Reminder = Awaited<ReturnType<typeof listReminders>>[number]

/**
 * Mails an owner 30, 7 and 1 day before a subscription ends, 7 days before one renews, and on the day on which a tracker begins to rest.
 * An account gets one mail a day for all of its trackers.
 */
export const subscriptionReminder: Job = {
  name: 'subscription_reminder',
  next: nextReminder,
  dueSince: findOldestReminder,
  due: async (db, by, graceDays) =>
    [...new Set((await listReminders(db, by, graceDays)).map(({ accountId }) => accountId))].map((accountId) => ({
      ref: `accounts/${accountId}`,
      lock: [`account:${accountId}`] as const,
      async run(tx, now, _positions, graceDays) {
        const items: ReminderItem[] = []
        for (const reminder of await listReminders(tx, now, graceDays, accountId))
          if (await claimEffect(tx, reminder.effect, now)) items.push(await buildItem(tx, reminder, now))
        if (items.length === 0) return false
        const owner = await findAccountOwner(tx, accountId)
        const data = { items: JSON.stringify(items) }
        if (owner) await queueMail(tx, { to: owner.email, template: 'subscription_reminder', ...recipientColumns(owner), data, now })
        return true
      },
    })),
}

async function buildItem(tx: Tx, { tracker, device, at, isRenewed, isResting }: Reminder, now: Date): Promise<ReminderItem> {
  const item = { tracker, device, at: formatInstant(at), isRenewed, ...(isResting && { isResting }) }
  return { ...item, ...(isRenewed && (await findRenewalAmount(tx, device, at, now))) }
}

/** The price of a tracker's plan and its renewing options at the next renewal. */
async function findRenewalAmount(tx: Tx, device: number, at: Date, now: Date) {
  const held = await findSubscription(tx, device)
  if (!held) return undefined
  const ids = [...(held.priceId ? [held.priceId] : []), ...held.options]
  const next = (await listNextAmounts(tx, [held], now)).findLast(({ priceId, from }) => priceId === held.priceId && from <= at)
  const prices = [...(await findPricesById(tx, ids, at)).values()].filter(({ interval }) => interval !== null)
  const ofPlan = next?.amount ?? held.renewalAmount
  const amounts = prices.map(({ id, unitAmount }) => (id === held.priceId && ofPlan !== null ? ofPlan : unitAmount))
  const [first] = prices
  return first && { amount: String(amounts.reduce((sum, amount) => sum + amount, 0)), currency: first.currency }
}
