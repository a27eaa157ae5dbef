import type { Connection } from './driver.ts'

/** Runs a read once no transaction is open. */
export type ReadCommitted = <T>(read: () => T) => Promise<T>

/** Runs the transactions of a connection one after the other. */
export function createWriteQueue(raw: Connection) {
  let last: Promise<unknown> = Promise.resolve()
  let open: { ended: Promise<void>; end: () => void } | null = null

  let waitingReads = 0

  async function transact<T>(work: () => Promise<T>, onEnd: (isCommitted: boolean) => void) {
    // Reads that waited for the transaction before resume first; they need a few ticks, so that a long queue does not starve them.
    for (let tick = 0; waitingReads > 0 && tick < MAX_TICKS; tick++) await null
    raw.exec('BEGIN IMMEDIATE')
    open = createSignal()
    const { end } = open
    let isCommitted = false
    try {
      const result = await work()
      raw.exec('COMMIT')
      isCommitted = true
      return result
    } finally {
      if (raw.open && raw.inTransaction) raw.exec('ROLLBACK')
      open = null
      onEnd(isCommitted)
      end()
    }
  }

  const readCommitted: ReadCommitted = async (read) => {
    waitingReads++
    try {
      while (open) await orFail(open.ended)
    } finally {
      waitingReads--
    }
    return read()
  }

  return {
    /** `onEnd` runs right after the commit or the rollback, before the next transaction begins. */
    run<T>(work: () => Promise<T>, onEnd: (isCommitted: boolean) => void): Promise<T> {
      const result = last.then(() => transact(work, onEnd))
      last = result.catch(() => undefined)
      return result
    },
    isOpen: () => open !== null,
    /**
     * For readers that share the connection of the writer, where they would see uncommitted rows: waits for the end of the open transaction.
     * A read inside that very transaction would wait for itself, so it is rejected after ten seconds. (AsyncLocalStorage would know at once,
     * but slows every promise of Node 20 by half.)
     */
    readCommitted,
  }
}

const MAX_TICKS = 20
const PATIENCE_MS = 10_000

function orFail(ended: Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  const failure = new Promise<never>((_, reject) => {
    const error = new Error('A read waited 10 seconds for a transaction. Inside db.write read through its tx, not through db.read.')
    timer = setTimeout(() => reject(error), PATIENCE_MS).unref()
  })
  return Promise.race([ended, failure]).finally(() => clearTimeout(timer))
}

function createSignal() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { ended, end }
}
