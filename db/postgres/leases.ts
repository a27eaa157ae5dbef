import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Fence } from '#db/db.ts'
import type { Connections } from './connection.ts'

/** Seconds after which another process takes over from an owner that was killed or hangs. A running owner renews in time. */
const LEASE_SECONDS = 15
const RENEW_MS = (LEASE_SECONDS * 1000) / 3
const RETRY_MS = 50

// The clock of the database, because those of the processes differ.
const take = `insert into leases (key, token, until) values ($1, $2, clock_timestamp() + $3 * interval '1 second')
  on conflict (key) do update set token = excluded.token, until = excluded.until where leases.until < clock_timestamp() returning key`
const renew = `update leases set until = clock_timestamp() + $3 * interval '1 second' where key = $1 and token = $2`
const release = 'delete from leases where key = $1 and token = $2'
/** Locks the row, so that no process takes the lease before the transaction has ended. */
const hold = 'select key from leases where key = $1 and token = $2 for update'

/** Exclusive work across processes: a row names its owner and the end of the lease. */
export function createLeases({ pool, clientOf }: Connections, { seconds = LEASE_SECONDS, renewMs = RENEW_MS } = {}) {
  return async function lease<T>(key: string, work: (fence: Fence) => Promise<T>): Promise<T> {
    const token = randomUUID()
    while ((await pool.query(take, [key, token, seconds])).rowCount === 0) await delay(RETRY_MS)
    // A failed renewal is no worse than a late one: the fence decides.
    const renewal = setInterval(() => void pool.query(renew, [key, token, seconds]).catch(() => undefined), renewMs)
    try {
      return await work(async (tx) => {
        if ((await clientOf(tx).query(hold, [key, token])).rowCount === 0) throw new Error(`The lease of ${key} went to another process.`)
      })
    } finally {
      clearInterval(renewal)
      await pool.query(release, [key, token]).catch(() => undefined)
    }
  }
}
