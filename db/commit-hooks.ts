import type { Tx } from './db.ts'

/**
 * Callbacks that wait for the commit of a transaction. Each connection uses one object for all of its transactions, one after the other.
 */
const waiting = new WeakMap<Tx, (() => void)[]>()

/** Runs `work` once the transaction has committed, and never when it is rolled back. */
export function onCommit(tx: Tx, work: () => void) {
  waiting.set(tx, [...(waiting.get(tx) ?? []), work])
}

/** The engines call this when a transaction has ended, before the connection begins another one. */
export function settleCommit(tx: Tx, isCommitted: boolean) {
  const works = waiting.get(tx) ?? []
  waiting.delete(tx)
  if (isCommitted) for (const work of works) work()
}
