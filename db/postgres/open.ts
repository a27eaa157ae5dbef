import { setTimeout as delay } from 'node:timers/promises'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Db, Packing } from '#db/db.ts'
import { createDeviceChanges } from '#db/device-changes.ts'
import { createHistoryReader } from '#db/positions.ts'
import { findWorkers, readDistribution } from '#db/postgres/distributed/workers.ts'
import { addPartitions } from '#db/postgres/months/partitions.ts'
import { createMonthRemoval } from '#db/postgres/months/remove-months.ts'
import { packMonths, releaseSpace, unpackMonths } from '#db/postgres/packed/pack.ts'
import { findProgramFile } from '#db/program-files.ts'
import { type Connections, createConnections, sqlStateOf } from './connection.ts'
import { createLeases } from './leases.ts'
import { postgresLog } from './live-log.ts'
import { createNotices } from './notices.ts'
import { postgresPositions, unpack } from './positions.ts'
import { createProbe } from './probe.ts'
import { createReplicas, type ReplicaOptions } from './replicas.ts'

const remedies: Record<string, string> = {
  ECONNREFUSED: 'does not answer. Start it, or correct DATABASE_URL.',
  ENOTFOUND: 'has a host that is not found. Correct DATABASE_URL.',
  ETIMEDOUT: 'does not answer. Check the network, or correct DATABASE_URL.',
  '28P01': 'refuses the password of DATABASE_URL.',
  '28000': 'refuses the user of DATABASE_URL.',
  '3D000': 'does not exist. Create it, or correct DATABASE_URL.',
  '25006': 'accepts no changes: it is a standby, or may only be read. Name the primary in DATABASE_URL, or all hosts of it.',
  '53300': 'has no connection left. Lower DATABASE_CONNECTIONS, or raise max_connections.',
  '55P03': 'has a query that runs for long, such as a backup, so it cannot be migrated. Start the server again once it has ended.',
}

/** Turns an error of PostgreSQL or the network into one sentence with the remedy; returns any other error unchanged. */
function explain(error: unknown, url: string) {
  const remedy = remedies[sqlStateOf(error) ?? '']
  return remedy ? new Error(`The database ${withoutPassword(url)} ${remedy}`, { cause: error }) : error
}

function withoutPassword(text: string) {
  return text.replace(/\/\/[^/?]*@/, '//').replace(/[?#].*/s, '')
}

export type PostgresDb = Db & { connections: Connections }
export type PostgresOptions = Parameters<typeof createConnections>[1] & { replicas?: ReplicaOptions }

const MIGRATIONS = findProgramFile('db/postgres/migrations')
const MIGRATION_TABLE = '__drizzle_migrations'
/** Advisory lock of migrations, so that one process migrates at a time; the number is arbitrary. */
const MIGRATION_LOCK = 7_326_041
/** Milliseconds for which a schema change waits for running queries, because all later ones wait behind it. */
const SCHEMA_LOCK_TIMEOUT = 3000
const MIGRATION_TRIES = 10
const MIGRATION_PAUSE_MS = 3000

/** Connects to a PostgreSQL. Rejects with one readable sentence when it cannot be reached. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<PostgresDb> {
  const connections = createConnections(url, options)
  const { pool } = connections
  try {
    await connections.hosts.find()
    await pool.query('select 1')
  } catch (error) {
    await connections.close()
    throw explain(error, url)
  }
  // Another process may change a tracker at any time, so its data must be read again.
  const changes = { ...createDeviceChanges(() => true) }
  const notices = createNotices(connections.directHosts, connections, options.onError ?? (() => {}))
  const { reader: read, long } = connections
  const isDistributed = await readDistribution(pool).catch(async (error) => {
    await connections.close()
    throw explain(error, url)
  })
  const positions = postgresPositions(connections, { isDistributed })
  const replicas = options.replicas && (await createReplicas(connections, options.replicas))
  const { hosts, directHosts } = connections
  const probe = createProbe({ hosts, directHosts, migrations: migrationsKnown(), hasConnections: () => pool.totalCount > 0 })
  const onPrimary = createHistoryReader(positions, long.reader)
  const write: Db['write'] = (lock, work) => connections.run(lock, work)
  const writeLong: Db['write'] = (lock, work) => long.run(() => write(lock, work))
  /** Of months without rows. VACUUM may take long, and no server that starts waits for it. */
  const returnSpace = (packing: Packing) =>
    inSession(connections, async (client) => {
      await client.query(`set lock_timeout = ${SCHEMA_LOCK_TIMEOUT}`)
      await releaseSpace(client, packing, isDistributed)
    }).catch((error) => {
      if (!isLockTimeout(error)) throw error
    })
  const removeMonths = createMonthRemoval({
    query: pool.query.bind(pool) as never,
    read,
    write,
    clientOf: connections.clientOf,
    positions,
    inSession: (work) => inSession(connections, work),
  })
  return {
    connections,
    read,
    changes,
    onEvent: connections.onEvent,
    isShared: true,
    lease: createLeases(connections),
    positions,
    history: () => replicas?.createHistory(onPrimary) ?? onPrimary,
    watchVersion: () => null,
    log: { ...postgresLog(connections), send: notices.send, listen: notices.listen },
    write,
    long: { read: long.reader, write: writeLong },
    isReady: probe.isReady,
    async readClock() {
      const { rows } = await pool.query('select extract(epoch from clock_timestamp())::float8 * 1000 as ms')
      return new Date(Number(rows[0].ms))
    },
    transactions: connections.counts,
    stats: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: connections.waiting(),
      noticeAge: notices.age(),
      ...(replicas && { replicas: replicas.stats() }),
    }),
    async maintain(now) {
      await whileLocked(connections, (client) => addPartitions(client, now))
      await returnSpace({ endedBy: now, goesOn: () => true })
    },
    ...(isDistributed && { findWorkers: (deviceIds: readonly number[]) => findWorkers(pool, deviceIds) }),
    async packPositions(packing) {
      const packed = await packMonths({ query: pool.query.bind(pool) as never, write: writeLong, clientOf: connections.clientOf }, packing)
      await returnSpace(packing)
      return packed
    },
    unpackPositions: (onProgress) =>
      inSession(connections, (client) =>
        unpackMonths(
          {
            query: pool.query.bind(pool) as never,
            write: writeLong,
            clientOf: connections.clientOf,
            unpack: (tx, deviceId, first, last) => unpack(connections.clientOf(tx), deviceId, { first, last }),
          },
          client,
          onProgress,
        ),
      ),
    // A cluster would have to move the positions that a tracker still needs between its workers; there, rows are deleted.
    ...(!isDistributed && { removeMonths }),
    async close() {
      probe.close()
      await notices.close()
      await replicas?.close()
      await connections.close()
    },
  }
}

/** Runs work in a session of its own, without time-outs of statements. */
async function inSession({ directUrl, directHosts }: Connections, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const connectionString = await directHosts.find().catch((error) => {
    throw explain(error, directUrl)
  })
  const client = new pg.Client({
    connectionString,
    application_name: 'whereabouts',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  })
  // The interrupted query rejects as well.
  client.on('error', () => {})
  await client.connect().catch((error) => {
    throw explain(error, directUrl)
  })
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Changes the schema while no other process does. */
const whileLocked = (connections: Connections, work: (client: pg.Client) => Promise<unknown>) =>
  inSession(connections, async (client) => {
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    await client.query(`set lock_timeout = ${SCHEMA_LOCK_TIMEOUT}`)
    await work(client)
  })

let known: number | undefined
const migrationsKnown = () => (known ??= readMigrationFiles({ migrationsFolder: MIGRATIONS }).length)

/** Migrates a database to the newest schema; forward only. Other processes that start at the same time wait. */
export const migrate = ({ connections }: PostgresDb, now: Date, migrationsFolder = MIGRATIONS) =>
  whileLocked(connections, async (client) => {
    const { rows } = await client.query(`select to_regclass('drizzle.${MIGRATION_TABLE}') as name`)
    if (rows[0]?.name) {
      const newest = await client.query(`select max(created_at) as at from drizzle.${MIGRATION_TABLE}`)
      const latest = readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0
      if (Number(newest.rows[0]?.at) > latest)
        throw new Error('The database belongs to a newer release. Install that release, or restore a backup made before it.')
    }
    for (let attempt = 1; ; attempt++)
      try {
        await runMigrations(drizzle(client, { casing: 'snake_case' }), { migrationsFolder })
        break
      } catch (error) {
        if (!isLockTimeout(error) || attempt === MIGRATION_TRIES) throw explain(error, connections.directUrl)
        await delay(MIGRATION_PAUSE_MS)
      }
    // The daily maintenance adds missing partitions; they exist for months ahead.
    await addPartitions(client, now).catch((error) => {
      if (!isLockTimeout(error)) throw error
    })
  })

const isLockTimeout = (error: unknown) => sqlStateOf(error) === '55P03'
