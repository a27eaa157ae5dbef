import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Hosts } from '#db/postgres/hosts/hosts.ts'
import type { Connections } from './connection.ts'

const CHANNEL = 'whereabouts'
const TIMEOUTS = { connect: 10_000, query: 5000 }
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [100, 5000]
/** How often the listening connection is tested: a network may drop it silently. */
const CHECK_MS = 10_000

type Listener = { hear: (text: string) => void; onGap: () => void }

/** Short texts between the servers of one database, on a connection outside the pool, which reconnects when lost. */
export function createNotices(hosts: Hosts, { pool }: Pick<Connections, 'pool'>, onError: (error: Error) => void) {
  const listeners = new Set<Listener>()
  let client: pg.Client | undefined
  let isStarted = false
  let isClosed = false
  let lastAt: number | undefined
  const check = setInterval(() => void client?.query('select 1').catch(() => client?.end()), CHECK_MS).unref()

  hosts.onMove(() => void client?.end())

  async function open() {
    const connectionString = await hosts.find().catch(onError)
    if (!connectionString) return undefined
    const opened = new pg.Client({
      connectionString,
      application_name: 'whereabouts notices',
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUTS.connect,
      query_timeout: TIMEOUTS.query,
    })
    opened.on('error', onError)
    opened.on('notification', ({ payload = '' }) => {
      lastAt = performance.now()
      for (const { hear } of listeners) hear(payload)
    })
    try {
      await opened.connect()
      await opened.query(`listen ${CHANNEL}`)
      return opened
    } catch (error) {
      onError(error as Error)
      opened.end().catch(() => {})
      return undefined
    }
  }

  async function connect() {
    for (let pause = MIN_PAUSE_MS; !isClosed; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const opened = await open()
      if (!opened) {
        await delay(pause, undefined, { ref: false })
        continue
      }
      if (isClosed) return opened.end()
      client = opened.once('end', () => {
        client = undefined
        void connect()
      })
      for (const { onGap } of listeners) onGap()
      return
    }
  }

  return {
    /** Seconds since the last notice of any server; null before the first one. */
    age: () => (lastAt === undefined ? null : (performance.now() - lastAt) / 1000),
    send: async (texts: readonly string[]) =>
      void (await pool.query(`select pg_notify('${CHANNEL}', text) from unnest($1::text[]) as text`, [texts])),
    listen(hear: (text: string) => void, onGap: () => void) {
      const listener = { hear, onGap }
      listeners.add(listener)
      if (!isStarted) void connect()
      isStarted = true
      if (client) queueMicrotask(onGap)
      return () => void listeners.delete(listener)
    },
    async close() {
      isClosed = true
      clearInterval(check)
      await client?.end()
    },
  }
}
