import { connect } from 'node:net'
import pg from 'pg'
import { nameLostDatabase } from '#db/classify-error.ts'
import { sqlStateOf } from '#db/postgres/connection.ts'
import type { Hosts } from '#db/postgres/hosts/hosts.ts'

/** Milliseconds. Less than the second in which a server says whether it is ready. */
const LIMIT_MS = 900
const WRITE_PAUSE_MS = 5000

/** Takes no lock on any table, so that it does not wait behind a change of the schema. */
const STATE = `select to_regclass('users') is null as has_no_tables, (select count(*) from drizzle.__drizzle_migrations) as migrations,
  pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`
/** More than fits into working memory goes to a temporary file, which a full disk rejects. No table and no log grows. */
const WRITE = `begin; set local work_mem = '64kB'; set local temp_tablespaces = ''; select count(*) from generate_series(1, 20000); commit`

const TOO_MANY_CONNECTIONS = '53300'

/** `hasConnections`: whether the server has connections for requests. */
type Options = { hosts: Hosts; directHosts: Hosts; migrations: number; hasConnections(): boolean }

/**
 * Checks whether requests can be served, on a connection of its own, so that a busy pool is not a failure. Behind a pooler it connects to
 * the database directly, because the pooler's connections may be busy as well.
 */
export function createProbe({ hosts, directHosts, migrations, hasConnections }: Options) {
  let opening: Promise<pg.Client> | undefined
  let running: Promise<boolean> | undefined
  let writtenAt = Number.NEGATIVE_INFINITY

  async function open() {
    const client = new pg.Client({
      connectionString: directHosts.current(),
      application_name: 'whereabouts ready',
      keepAlive: true,
      connectionTimeoutMillis: LIMIT_MS,
      query_timeout: LIMIT_MS,
    })
    client.on('error', forget)
    await client.connect()
    // An idle connection does not keep the process alive.
    ;(client as unknown as { unref(): void }).unref()
    return client
  }

  function forget() {
    const failed = opening
    opening = undefined
    failed?.then((client) => client.end()).catch(() => {})
  }

  directHosts.onMove(forget)

  async function check() {
    try {
      if (hosts !== directHosts) await reach(hosts.current())
      opening ??= open()
      const client = await opening
      const { rows } = await client.query(STATE)
      const { has_no_tables: hasNoTables, is_read_only: isReadOnly } = rows[0]
      if (hasNoTables || Number(rows[0].migrations) < migrations) return false
      if (isReadOnly) throw Object.assign(new Error('The database accepts no changes.'), { code: '25006' })
      const now = performance.now()
      if (now - writtenAt < WRITE_PAUSE_MS) return true
      await client.query(WRITE)
      writtenAt = now
      return true
    } catch (error) {
      forget()
      directHosts.suspect()
      // The server's existing connections keep working.
      if (sqlStateOf(error) === TOO_MANY_CONNECTIONS && hasConnections()) return true
      throw nameLostDatabase(error)
    }
  }

  return {
    /**
     * False when a migration of this release has not run; additional ones belong to a newer release, whose schema works as well. Rejects
     * when the database is unreachable, accepts no changes or has a full disk.
     */
    isReady: () =>
      (running ??= check().finally(() => {
        running = undefined
      })),
    close: forget,
  }
}

/** Connects to a pooler without requesting a database connection. */
const reach = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const { host, port } = new pg.Client(url)
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    socket.setTimeout(LIMIT_MS, () => socket.destroy(Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' })))
    socket.once('error', reject).once('connect', () => {
      socket.destroy()
      resolve()
    })
  })
