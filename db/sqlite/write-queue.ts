import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connection } from './driver.ts'

/** Runs a read once no transaction is open. */
export type ReadCommitted = <T>(read: () => T) => Promise<T>

/** Runs the transactions of a connection one after the other. */
export function createWriteQueue(raw: Connection) {
  const inside = new AsyncLocalStorage<true>()
  let last: Promise<unknown> = Promise.resolve()
  let open: { ended: Promise<void>; end: () => void } | null = null

  async function transact<T>(work: () => Promise<T>, onEnd: (isCommitted: boolean) => void) {
    raw.exec('BEGIN IMMEDIATE')
    open = createSignal()
    const { end } = open
    let isCommitted = false
    try {
      const result = await inside.run(true, work)
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
    if (inside.getStore()) throw new Error('Inside db.write read through its tx: db.read waits for the end of the transaction.')
    while (open) await open.ended
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
     * Rejects inside a transaction, which would wait for itself.
     */
    readCommitted,
  }
}

function createSignal() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { ended, end }
}
