import type { Db } from '#db/db.ts'
import { paymentCursors } from '#db/schema/commerce.ts'
import { saveCursor } from '#server/billing/records/payment-cursors.store.ts'
import { createPaymentWorker } from '#server/billing/sync/payment-worker.ts'
import type { startPortal } from '#server/test/start-portal.ts'
import { queryRows, saveState } from '#server/test/test-database.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

type Logged = { level: string; data: Record<string, unknown>; message: string }

/** Collects the log entries. */
export function createLog() {
  const logged: Logged[] = []
  const add = (level: string) => (data: object, message: string) => void logged.push({ level, data: { ...data }, message })
  return { logged, log: { info: add('info'), warn: add('warn'), error: add('error') } }
}

/** Backs up the database now; the returned function restores it and resolves to a world with it, which has not started yet. */
export async function backUp({ world }: Portal) {
  const reopen = await saveState(world.db)
  return async () => {
    const { logged, log } = createLog()
    const db = await reopen()
    return Object.assign({ ...world, db, positions: db.positions, log }, { logged })
  }
}

/** Runs the tasks of a server's first seconds. */
export const start = (world: Portal['world'] | Awaited<ReturnType<Awaited<ReturnType<typeof backUp>>>>) => createPaymentWorker()(world)

/** Makes the database look as if it had read Stripe's events until `at`. */
export const setRead = async (db: Db, at: Date) => {
  await db.write('everything', async (tx) => {
    await tx.delete(paymentCursors)
    await saveCursor(tx, 'events', at.toISOString())
  })
}

/** The rows of an account's purchases, without generated ids. */
export async function readPurchases(db: Db, accountId: number) {
  const all = (sql: string) => queryRows(db, sql)
  return {
    trackers: await all(`select id, sub_end_date from devices where account_id = ${accountId} order by id`),
    subscriptions: await all(
      `select device_id, price_id, is_recurring, months, extra, renews_at, ends_at, options, started_at, provider_id, status, tax
       from subscriptions where device_id in (select id from devices where account_id = ${accountId}) order by device_id, started_at, provider_id`,
    ),
    orders: await all(
      `select reference, date, status, total, tax, currency, lines from orders where account_id = ${accountId} order by reference`,
    ),
    invoices: await all(
      `select number, date, amount, tax, balance, status, order_reference, lines, provider_id from invoices where account_id = ${accountId} order by number`,
    ),
  }
}
