import { renewalStart } from '#contracts/rules/prices/price-changes.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import { queueTasks } from '#server/billing/records/payment-tasks.store.ts'
import { findPricesById } from '#server/billing/records/subscriptions.store.ts'
import { type PriceChangeItem, type PriceStaysItem, queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import {
  applyAmount,
  findNextNotice,
  findNextStart,
  findPriceChange,
  insertNotice,
  listNoticesAfter,
  listNoticesOf,
  listRunningAfter,
  listRunningOf,
  listToApply,
  listToNotice,
  listToRecall,
  type PriceChangeRow,
  updatePriceChange,
} from './price-changes.store.ts'

/** Subscriptions of a transaction: a million of them must not hold up other writers. */
const BATCH = 200

/** Writes an amount into the price list at its instant. Until then `holdAmounts` finds it, so a late run changes nothing for buyers. */
export const priceStart = {
  name: 'price_start',
  next: findNextStart,
  async dueSince(db: DbReader, by: Date) {
    return (await listToApply(db, by))[0]?.startsAt ?? null
  },
  due: async (db: DbReader, by: Date) =>
    (await listToApply(db, by)).map(({ id }) => ({
      ref: `price_changes/${id}`,
      // Runs alone, so that no checkout is granted between the prices and what renewals cost.
      lock: 'everything' as const,
      async run(tx: Tx, now: Date) {
        const change = await findPriceChange(tx, id)
        if (!change || change.cancelledAt || change.appliedAt || change.startsAt > now) return false
        const formerAmount = (await applyAmount(tx, change.priceId, change.unitAmount)) ?? change.formerAmount
        await updatePriceChange(tx, id, { appliedAt: now, formerAmount })
        return true
      },
    })),
}

/**
 * Tells the owners of running renewals about a new price and queues the change at the card provider for its day. Each transaction stores
 * the last subscription that it handled, so a restarted server continues there. Customers who buy after the notice also receive it.
 */
export const priceNotice = {
  name: 'price_notice',
  next: findNextNotice,
  async dueSince(db: DbReader, by: Date) {
    const [first] = await listUnfinished(db, by)
    return first ? (first.noticedUpTo === null ? first.noticeAt : by) : null
  },
  due: async (db: DbReader, by: Date) =>
    (await listUnfinished(db, by)).map(({ id, priceId }) => ({
      ref: `price_changes/${id}`,
      lock: [`price:${priceId}`] as const,
      async run(tx: Tx, now: Date) {
        const change = await findPriceChange(tx, id)
        if (!change || change.cancelledAt || change.noticedAt) return false
        const batch = await listRunningAfter(tx, change.priceId, change.noticedUpTo ?? 0, BATCH)
        for (const accountId of new Set(batch.map((row) => row.accountId)))
          if (accountId !== null) await noticeOwner(tx, change, accountId, now)
        const noticedUpTo = batch.at(-1)?.id ?? change.noticedUpTo ?? 0
        const isOver = batch.length < BATCH && change.startsAt <= now
        await updatePriceChange(tx, id, { noticedUpTo, noticedAt: isOver ? now : null })
        return true
      },
    })),
}

/** Those with subscriptions that have no notice yet, or whose day has come. */
async function listUnfinished(db: DbReader, by: Date) {
  const unfinished: PriceChangeRow[] = []
  for (const change of await listToNotice(db, by))
    if (change.startsAt <= by || (await listRunningAfter(db, change.priceId, change.noticedUpTo ?? 0, 1)).length > 0)
      unfinished.push(change)
  return unfinished
}

/** Tells an owner in one mail for all trackers. A rise that begins later for one of them begins then in the mail. */
async function noticeOwner(tx: Tx, change: PriceChangeRow, accountId: number, now: Date) {
  const items: PriceChangeItem[] = []
  let from = change.startsAt
  let isNew = false
  for (const { subscription, tracker } of await listRunningOf(tx, accountId, change.priceId)) {
    const amount = subscription.renewalAmount ?? change.formerAmount
    if (amount === change.unitAmount || subscription.providerId === null) continue
    const dueAt = renewalStart({ startsAt: change.startsAt, isRise: change.unitAmount > amount }, now, change.noticeDays)
    const notice = await insertNotice(tx, {
      ...{ changeId: change.id, accountId, providerId: subscription.providerId },
      ...{ noticedAt: now, dueAt, isMailed: subscription.isRecurring },
    })
    if (notice) await queueTasks(tx, [{ kind: 'reprice', ref: String(notice.id) }], dueAt)
    if (dueAt > from) from = dueAt
    if (subscription.isRecurring) items.push({ tracker, at: formatInstant(dueAt), former: amount, amount: change.unitAmount })
    isNew ||= notice !== undefined
  }
  const owner = isNew && items.length > 0 ? await findAccountOwner(tx, accountId) : undefined
  const price = (await findPricesById(tx, [change.priceId], now)).get(change.priceId)
  if (!owner || !price) return
  const data = { price: price.name, currency: price.currency, datetime: formatInstant(from), items: JSON.stringify(items) }
  await queueMail(tx, { to: owner.email, template: 'price_change', ...recipientColumns(owner), data, now })
}

/**
 * Tells owners who know of a new price that it was withdrawn. Each transaction stores the last notice, so a restarted server continues from
 * there.
 */
export const priceRecall = {
  name: 'price_recall',
  next: async () => null,
  async dueSince(db: DbReader, by: Date) {
    return (await listToRecall(db, by))[0]?.cancelledAt ?? null
  },
  due: async (db: DbReader, by: Date) =>
    (await listToRecall(db, by)).map(({ id, priceId }) => ({
      ref: `price_changes/${id}`,
      lock: [`price:${priceId}`] as const,
      async run(tx: Tx, now: Date) {
        const change = await findPriceChange(tx, id)
        if (!change?.cancelledAt || change.recalledAt) return false
        const batch = await listNoticesAfter(tx, id, change.recalledUpTo ?? 0, BATCH)
        for (const accountId of new Set(batch.map((notice) => notice.accountId))) await recallNotice(tx, change, accountId, now)
        const recalledUpTo = batch.at(-1)?.id ?? change.recalledUpTo
        await updatePriceChange(tx, id, { recalledUpTo, recalledAt: batch.length < BATCH ? now : null })
        return true
      },
    })),
}

/** One mail for all trackers of an owner, when the first notice is reached. Owners who have cancelled since then get it as well. */
async function recallNotice(tx: Tx, change: PriceChangeRow, accountId: number, now: Date) {
  const notices = await listNoticesOf(tx, change.id, accountId)
  if (notices[0] === undefined || notices[0].id <= (change.recalledUpTo ?? 0)) return
  const mailed = new Map(notices.filter(({ isMailed }) => isMailed).map(({ providerId, dueAt }) => [providerId, dueAt]))
  const running = await listRunningOf(tx, accountId, change.priceId)
  const items = running.flatMap(({ subscription: { providerId, renewalAmount }, tracker }): PriceStaysItem[] => {
    const dueAt = mailed.get(providerId ?? '')
    return dueAt ? [{ tracker, at: formatInstant(dueAt), amount: renewalAmount ?? change.formerAmount }] : []
  })
  const owner = items.length > 0 ? await findAccountOwner(tx, accountId) : undefined
  const price = (await findPricesById(tx, [change.priceId], now)).get(change.priceId)
  if (!owner || !price) return
  const data = {
    ...{ price: price.name, currency: price.currency, amount: String(change.unitAmount) },
    ...{ datetime: formatInstant(change.startsAt), items: JSON.stringify(items) },
  }
  await queueMail(tx, { to: owner.email, template: 'price_stays', ...recipientColumns(owner), data, now })
}
