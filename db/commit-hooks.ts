import type { Db, LiveEvent, Tx } from './db.ts'
import type { ChangedDevice } from './device-changes.ts'

/**
 * `touched`: the trackers whose response changes, where the transaction names them. `last`: its last changes, which are sent together with
 * the commit.
 */
type Effects = { works: (() => void)[]; events: LiveEvent[]; last: (() => Promise<void>)[]; touched?: ChangedDevice[] }

/** What waits for the commit of a transaction. Each connection uses one object for all of its transactions, one after the other. */
const waiting = new WeakMap<Tx, Effects>()

export function effectsOf(tx: Tx) {
  const effects: Effects = waiting.get(tx) ?? { works: [], events: [], last: [] }
  waiting.set(tx, effects)
  return effects
}

/**
 * Makes a change when the work of the transaction has ended, together with its commit: it needs no round trip of its own. It sends its
 * statement at once, and needs the result of no other.
 */
export const changeLast = (tx: Tx, change: () => Promise<void>) => void effectsOf(tx).last.push(change)

/** The engine calls this when the work of a transaction has ended. */
export const makeLastChanges = (tx: Tx) => effectsOf(tx).last.map((change) => change())

/** Waits for all, so that none continues when the transaction has ended. Rejects as the first of them that failed. */
export async function inOrder(...promises: (Promise<unknown> | undefined)[]) {
  for (const outcome of await Promise.allSettled(promises)) if (outcome.status === 'rejected') throw outcome.reason
}

/** The parts of a transaction, one after the other, for an engine without round trips. */
export async function runParts<T>(tx: Tx, lock: Parameters<Db['write']>[0], work: (tx: Tx) => Promise<T>): Promise<T> {
  if (typeof lock === 'object' && 'first' in lock) await lock.first(tx)
  const result = await work(tx)
  await inOrder(...makeLastChanges(tx))
  return result
}

/** Runs `work` once the transaction has committed, and never when it is rolled back. */
export const onCommit = (tx: Tx, work: () => void) => void effectsOf(tx).works.push(work)

/** Publishes a live event once the transaction has committed and its other work is done, and never when it is rolled back. */
export const publishOnCommit = (tx: Tx, event: LiveEvent) => void effectsOf(tx).events.push(event)

/** The commits of one database. */
export function createCommits() {
  const listeners = new Set<(event: LiveEvent) => void>()
  return {
    onEvent(hear: (event: LiveEvent) => void) {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    /**
     * The engine calls this when a transaction has ended, before the connection begins another one. `mark` gets the touched trackers before
     * anything follows from their change.
     */
    settle(tx: Tx, isCommitted: boolean, mark: (touched?: readonly ChangedDevice[]) => void = () => {}) {
      const { works, events, touched } = effectsOf(tx)
      waiting.delete(tx)
      if (!isCommitted) return
      mark(touched)
      for (const work of works) work()
      for (const event of events) for (const hear of listeners) hear(event)
    },
  }
}
