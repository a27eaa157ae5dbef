import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { createDeviceChanges } from '#db/device-changes.ts'
import { openPostgres, type PostgresDb } from '#db/postgres/open.ts'

/** The server on which tests create their databases; set by the run (`scripts/test-setup/postgres.ts`). */
const serverUrl = () => process.env.DATABASE_URL!

const withDatabase = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** A copy of a template, whose connections serve one test after the other. */
type Copy = { name: string; db: PostgresDb }

const MAX_CONNECTIONS = 4
const CLOSE_MS = 5000

let made = 0
let server: Promise<pg.Client> | undefined
/** Unused copies; those of tests that have just ended become available a little later, or null if unusable. */
const free = new Map<string, Promise<Copy | null>[]>()

/** Lets the worker end while the connection is open. */
const unref = (client: pg.ClientBase) => (client as unknown as { connection: { stream: { unref(): void } } }).connection.stream.unref()

async function connectServer() {
  const client = new pg.Client(serverUrl())
  await client.connect()
  client.on('error', () => {})
  unref(client)
  return client
}

/** Makes a database without tables. */
export async function createEmptyDatabase() {
  server ??= connectServer()
  const client = await server
  const name = `test_${process.pid}_${++made}`
  await client.query(`create database ${name} template template0`)
  return {
    url: withDatabase(serverUrl(), name),
    remove: () => client.query(`drop database if exists ${name} with (force)`),
  }
}

async function copy(template: string): Promise<Copy> {
  server ??= connectServer()
  const client = await server
  const name = `test_${process.pid}_${++made}`
  await client.query(`create database ${name} template ${template}`)
  const db = await openPostgres(withDatabase(serverUrl(), name), { max: MAX_CONNECTIONS })
  db.connections.pool.on('acquire', unref)
  return { name, db }
}

/** Reverts a test's changes; null if the database cannot be reused, because a test changed its tables or holds a connection. */
async function restore(used: Copy): Promise<Copy | null> {
  const { pool } = used.db.connections
  try {
    const end = performance.now() + CLOSE_MS
    while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) {
      if (performance.now() > end) throw new Error('A connection is still in use.')
      await setImmediate()
    }
    await pool.query('select seed.restore()')
    return used
  } catch {
    used.db.close().catch(() => {})
    await (await server!).query(`drop database if exists ${used.name} with (force)`).catch(() => {})
    return null
  }
}

/** Opens a copy of a template. When closed, it is restored for the next test, which takes a tenth of the time of a new copy. */
export async function openTestDatabase(template: string): Promise<PostgresDb> {
  const ready = free.get(template) ?? []
  free.set(template, ready)
  let found: Copy | null | undefined
  while (!found && ready.length > 0) found = await ready.shift()
  const used = found ?? (await copy(template))
  let isOpen = true
  const unsubscribes: (() => void)[] = []
  return {
    ...used.db,
    onEvent(hear) {
      const unsubscribe = used.db.onEvent(hear)
      unsubscribes.push(unsubscribe)
      return unsubscribe
    },
    changes: { ...createDeviceChanges(() => true) },
    write: (lock, work) => (isOpen ? used.db.write(lock, work) : Promise.reject(new Error('The database is closed.'))),
    async close() {
      if (isOpen) ready.push(restore(used))
      isOpen = false
      for (const unsubscribe of unsubscribes) unsubscribe()
    },
  }
}

/** Opens another connection to a database of `openTestDatabase`, like another server. */
export const openTestDatabaseAgain = (db: object) => openPostgres((db as PostgresDb).connections.pool.options.connectionString!, { max: 4 })
