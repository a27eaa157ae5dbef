import pLimit, { type LimitFunction } from 'p-limit'
import type { Db, Fence } from '#db/db.ts'

const queues = new WeakMap<Db, Map<string, LimitFunction>>()

/**
 * Runs work on one customer exclusively: otherwise the older of two states read from Stripe could be written last. The lease excludes other
 * processes, the queue orders the callers of this one.
 */
export async function runExclusive<T>(db: Db, customer: string, work: (fence: Fence) => Promise<T>): Promise<T> {
  const byCustomer = queues.get(db) ?? new Map<string, LimitFunction>()
  queues.set(db, byCustomer)
  const queue = byCustomer.get(customer) ?? pLimit(1)
  byCustomer.set(customer, queue)
  try {
    return await queue(() => db.lease(customer, work))
  } finally {
    if (queue.activeCount + queue.pendingCount === 0) byCustomer.delete(customer)
  }
}
