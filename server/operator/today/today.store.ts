import { and, count, eq, gt, gte, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Period, Today } from '#contracts/operator/today.ts'
import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import type { Column } from '#db/schema/columns.ts'
import { invoices, orders, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'
import { countUnexplained } from '#server/billing/records/unexplained.store.ts'

const LATE_MINUTES = 10

/** Counts what waits and what happened, each in an index. */
export async function countToday(db: DbReader, now: Date): Promise<Today> {
  const [requests, openOrders, failed_payments, unexplained_payments, late_mails] = await Promise.all([
    db.$count(unlinkRequests, eq(unlinkRequests.status, 'pending')),
    db.$count(orders, and(eq(orders.status, 'in_progress'), isNull(orders.returnedAt))),
    db.$count(invoices, eq(invoices.status, 'failed')),
    countUnexplained(db),
    db.$count(emails, and(isNull(emails.sentAt), isLate(now))),
  ])
  const [sign_ups, activations, renewals, ended] = await Promise.all([
    countSince(db, users, users.createdAt, now),
    countSince(db, subscriptions, subscriptions.startedAt, now),
    countSince(db, invoices, invoices.date, now, and(eq(invoices.status, 'paid'), isNull(invoices.orderReference))),
    countSince(db, devices, devices.subEndDate, now, and(eq(devices.subState, 'active'), lt(devices.subEndDate, now))),
  ])
  const isRunning = or(isNull(devices.subEndDate), gt(devices.subEndDate, now))
  const active = await db.$count(devices, and(eq(devices.subState, 'active'), isRunning))
  const unconfirmed = await db.$count(users, eq(users.emailConfirmed, false))
  return {
    waiting: { requests, orders: openOrders, failed_payments, unexplained_payments, late_mails },
    figures: { sign_ups, activations, renewals, ended, active, unconfirmed },
  }
}

/** A mail that waits for its next attempt is late as well, because the first one was due at once. */
const isLate = (now: Date) => or(isNotNull(emails.givenUpAt), lt(emails.createdAt, new Date(now.getTime() - LATE_MINUTES * MINUTE_MS)))

type Counted = typeof users | typeof subscriptions | typeof invoices | typeof devices
type Instants = typeof users.createdAt | typeof subscriptions.startedAt | typeof invoices.date | typeof devices.subEndDate

/** Rows of the last day, 7 days and 30 days, in one pass over the last 30 days. */
async function countSince(db: DbReader, table: Counted, at: Instants, now: Date, match?: ReturnType<typeof and>): Promise<Period> {
  const since = (days: number) => now.getTime() - days * DAY_MS
  const within = (days: number) => sql<number>`count(case when ${at} >= ${since(days)} then 1 end)`.mapWith(Number)
  const [row] = await db
    .select({ day: within(1), week: within(7), month: count() })
    .from(table)
    .where(and(match, gte(at as Column, new Date(since(30)))))
  return row ?? { day: 0, week: 0, month: 0 }
}
