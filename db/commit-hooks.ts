import type { LiveEvent, Tx } from './db.ts'
import type { ChangedDevice } from './device-changes.ts'

/** `touched`: the trackers whose response changes, where the transaction names them. */
type Effects = { works: (() => void)[]; events: LiveEvent[]; touched?: ChangedDevice[] }

/** What waits for the commit of a transaction. Each connection uses one object for all of its transactions, one after the other. */
const waiting = new WeakMap<Tx, Effects>()

export function effectsOf(tx: Tx) {
  const effects: Effects = waiting.get(tx) ?? { works: [], events: [] }
  waiting.set(tx, effects)
  return effects
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
