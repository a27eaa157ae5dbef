import pLimit, { type LimitFunction } from 'p-limit'
import type { Db } from '#db/db.ts'

const queues = new WeakMap<Db, Map<string, LimitFunction>>()

/** Runs work on one customer exclusively: otherwise the older of two states read from Stripe could be written last. */
export async function runExclusive<T>(db: Db, customer: string, work: () => Promise<T>): Promise<T> {
  const byCustomer = queues.get(db) ?? new Map<string, LimitFunction>()
  queues.set(db, byCustomer)
  const queue = byCustomer.get(customer) ?? pLimit(1)
  byCustomer.set(customer, queue)
  try {
    return await queue(work)
  } finally {
    if (queue.activeCount + queue.pendingCount === 0) byCustomer.delete(customer)
  }
}
