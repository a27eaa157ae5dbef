import type { Db } from '#db/sqlite/open.ts'

const queues = new WeakMap<Db, Map<string, Promise<unknown>>>()

/** Runs work on one customer exclusively: otherwise the older of two states read from Stripe could be written last. */
export function runExclusive<T>(db: Db, customer: string, work: () => Promise<T>): Promise<T> {
  const waiting = queues.get(db) ?? new Map<string, Promise<unknown>>()
  queues.set(db, waiting)
  const turn = (waiting.get(customer) ?? Promise.resolve()).then(work)
  const over = turn
    .catch(() => undefined)
    .then(() => {
      if (waiting.get(customer) === over) waiting.delete(customer)
    })
  waiting.set(customer, over)
  return turn
}
