import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { classifyDbError, isLockTimeout } from '#db/classify-error.ts'
import { createCommits, inOrder, makeLastChanges } from '#db/commit-hooks.ts'
import type { DbReader, FirstRead, Lock, LockFinder, LockKey, TransactionCounts, Tx } from '#db/db.ts'
import { cut, forgetStatements, nameFailures, sendTogether } from '#db/postgres/hosts/client-calls.ts'
import { createHosts } from '#db/postgres/hosts/hosts.ts'
import { tables } from '#db/schema/tables.ts'
import { createLane, createLanes, limitQueries, limitStatements, sharesOf } from './lanes.ts'

// 64-bit integers and sums arrive as text by default. All of ours are below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** Connections to one PostgreSQL, and the transactions on them. */
export type Connections = ReturnType<typeof createConnections>

/**
 * Milliseconds. `idleInTransaction` limits how long a paused process holds its locks, and is shorter than the time for which others wait
 * for them. `answer` is for connections that died silently: otherwise the database itself ends every statement earlier.
 */
const TIMEOUTS = { connect: 10_000, statement: 30_000, answer: 35_000, lock: 15_000, idleInTransaction: 10_000 }
const MAX_ATTEMPTS = 10
const MAX_PAUSE_MS = 100

const asTx = (drizzled: NodePgDatabase<typeof tables>) => drizzled as unknown as Tx

type ConnectionOptions = {
  /** The most connections of this process. */
  max?: number | undefined
  onError?: (error: Error) => void
  timeouts?: typeof TIMEOUTS
  /** An address for sessions, if `url` is that of a pooler that assigns connections per transaction. */
  directUrl?: string | undefined
  /** Runs when another host of the address has become the primary. */
  onMove?: ((host: string) => void) | undefined
}

export function createConnections(url: string, options: ConnectionOptions = {}) {
  const { max = 10, onError = () => {}, timeouts = TIMEOUTS, directUrl, onMove } = options
  const isPooled = directUrl !== undefined
  const hosts = createHosts(url, onMove)
  const directHosts = directUrl === undefined ? hosts : createHosts(directUrl)
  const suspect = (error: unknown) => {
    if (classifyDbError(error) === 'unavailable') hosts.suspect()
  }
  const known = new Set<HostClient>()
  /** Connections with a warning of the database since the last commit began. */
  const warned = new WeakSet<object>()
  class HostClient extends pg.Client {
    readonly address = hosts.current()
    constructor(config: pg.ClientConfig = {}) {
      // Statements that do not wait for each other's result are sent together.
      super({ ...config, connectionString: hosts.current(), pipeline: true } as pg.ClientConfig)
    }
  }
  const pool = new pg.Pool({
    connectionString: url,
    Client: HostClient,
    max,
    application_name: 'whereabouts',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: timeouts.connect,
    query_timeout: timeouts.answer,
    ...(!isPooled && sessionTimeouts(timeouts)),
  })
  const beginning = isPooled ? `begin;${localTimeouts(timeouts)}` : 'begin;'
  // Without a listener, an idle connection closed by the server would crash the process.
  pool.on('error', (error) => {
    onError(error)
    hosts.suspect()
  })
  pool.on('connect', (client) => {
    client.on('error', onError)
    sendTogether(client)
    if (isPooled) forgetStatements(client)
    nameFailures(client, 'query', suspect)
    client.on('notice', ({ severity }) => severity === 'WARNING' && warned.add(client))
    known.add(client as never)
    if ((client as never as HostClient).address !== hosts.current()) cut(client)
  })
  pool.on('remove', (client) => void known.delete(client as never))
  // A former primary may respond as before, or never again.
  hosts.onMove(() => known.forEach(cut))
  nameFailures(pool, 'query', suspect)
  nameFailures(pool, 'connect', suspect)
  const commits = createCommits()
  const counts: TransactionCounts = { committed: 0, retried: 0, failed: 0 }
  const transactions = new WeakMap<pg.PoolClient, Tx>()
  const clients = new WeakMap<Tx, pg.PoolClient>()
  /** Connections with an open transaction. */
  const open = new WeakSet<pg.PoolClient>()

  /** The object of a connection is always the same, so that statements are prepared once. */
  function toTx(client: pg.PoolClient) {
    const known = transactions.get(client)
    if (known) return known
    const tx = asTx(drizzle(client, { schema: tables, casing: 'snake_case' }))
    transactions.set(client, tx)
    clients.set(tx, client)
    return tx
  }

  const shares = sharesOf(max)
  const [longLane, writeLane] = [createLane(shares.long), createLane(shares.writes)]
  const [statementLanes, lockLanes] = [createLanes(shares.statement), createLanes(shares.lock)]
  const longPool = limitQueries(pool, longLane)
  const readerOn = (on: Pick<pg.Pool, 'query'>) => asTx(drizzle(on as pg.Pool, { schema: tables, casing: 'snake_case' }))
  const reader: DbReader = readerOn(limitStatements(pool, statementLanes))
  const longReader: DbReader = readerOn(longPool)

  /** Runs work once the holders of the same locks in this process have released them. Keys are sorted to avoid deadlocks. */
  const inLanes = <T>(keys: readonly string[], work: () => Promise<T>): Promise<T> =>
    keys.length === 0 ? writeLane.run(work) : lockLanes.run(keys[0]!, () => inLanes(keys.slice(1), work))

  async function transact<T>(lock: AnyLock, work: (tx: Tx) => Promise<T>): Promise<T> {
    const held: Lock = typeof lock === 'function' ? await lock(reader) : isFirstRead(lock) ? lock.keys : lock
    // Work that soon gives up on a lock takes no place in its lane, where it would wait for longer.
    const keys = typeof held === 'string' ? [held] : isImpatient(lock) ? [] : [...new Set(held)].sort()
    return inLanes(keys, () => transactWith(held, lock, work))
  }

  async function transactWith<T>(held: Lock, lock: AnyLock, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken: Error | undefined
    let last: Promise<void>[] = []
    try {
      open.add(client)
      const tx = toTx(client)
      const begun = client.query(`${beginning}${patienceOf(lock)}${lockStatements(held)}`)
      // What is read first needs no round trip of its own. Nothing is written before the locks are held.
      const first = typeof lock === 'function' ? checkKeys(lock(tx), held) : isFirstRead(lock) ? lock.first(tx) : undefined
      await inOrder(begun, first)
      const result = await work(tx)
      warned.delete(client)
      last = makeLastChanges(tx)
      await failEarly(last)
      // If one of their statements fails, the commit is a rollback.
      await inOrder(...last, client.query('commit'))
      // A cancelled wait for a synchronous standby ends with a mere warning: a commit that a failover would lose is not acknowledged.
      if (warned.delete(client)) throw Object.assign(new Error('The standby has not confirmed a commit.'), { code: '57014' })
      commits.settle(tx, true)
      return result
    } catch (error) {
      // On an unresponsive connection a rollback would wait as long again.
      if (isConnectionLost(error)) broken = error
      else
        await client.query('rollback').catch((failure: Error) => {
          broken = failure
        })
      throw error
    } finally {
      await Promise.allSettled(last)
      commits.settle(toTx(client), false)
      open.delete(client)
      client.release(broken)
    }
  }

  return {
    pool,
    url,
    hosts,
    /** Hosts and URL for statements that need a session of their own. */
    directHosts,
    directUrl: directUrl ?? url,
    counts,
    onEvent: commits.onEvent,
    /** Queries of ordinary requests. */
    reader,
    /** Queries of history, files and imports. */
    long: { pool: longPool, reader: longReader, run: longLane.run },
    /** Requests that wait for a connection or for a lane. */
    waiting: () => pool.waitingCount + [longLane, writeLane, statementLanes, lockLanes].reduce((sum, lane) => sum + lane.waiting(), 0),
    /** Runs queries on one connection. */
    readerOn: (client: pg.PoolClient): DbReader => toTx(client),
    /** The connection on which a transaction runs. */
    clientOf(tx: Tx) {
      const client = clients.get(tx)
      if (!client || !open.has(client)) throw new Error('Positions are written inside db.write only.')
      return client
    },
    async close() {
      hosts.close()
      directHosts.close()
      await pool.end()
    },
    /** Runs a transaction, and repeats it after a deadlock or a conflict, which rolled it back. */
    async run<T>(lock: AnyLock, work: (tx: Tx) => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt++)
        try {
          const result = await transact(lock, work)
          counts.committed++
          return result
        } catch (error) {
          if (isImpatient(lock) && isLockTimeout(error)) {
            counts.retried++
            throw error
          }
          if (!isRetryable(error) || attempt === MAX_ATTEMPTS) {
            if (isRetryable(error) || classifyDbError(error) === 'unavailable') counts.failed++
            throw error
          }
          counts.retried++
          await delay(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS))
        }
    },
  }
}

const sessionTimeouts = ({ statement, lock, idleInTransaction }: typeof TIMEOUTS) => ({
  statement_timeout: statement,
  lock_timeout: lock,
  idle_in_transaction_session_timeout: idleInTransaction,
})

const localTimeouts = (timeouts: typeof TIMEOUTS) =>
  Object.entries(sessionTimeouts(timeouts))
    .map(([name, ms]) => `set local ${name} = ${ms};`)
    .join('')

/** Lets a change that fails before its statement is sent prevent the commit. */
const failEarly = (changes: readonly Promise<unknown>[]) =>
  Promise.race([Promise.all(changes), new Promise<void>((resolve) => void process.nextTick(resolve))])

/** After waiting for its lock, the transaction needs a different one. */
class StaleLock extends Error {}

async function checkKeys(finding: Promise<readonly LockKey[]>, held: Lock) {
  if ((await finding).some((key) => !held.includes(key))) throw new StaleLock()
}

type AnyLock = Lock | LockFinder | FirstRead

const isFirstRead = (lock: AnyLock): lock is FirstRead => typeof lock === 'object' && 'first' in lock

const isImpatient = (lock: AnyLock) => isFirstRead(lock) && lock.patienceMs !== undefined

const patienceOf = (lock: AnyLock) => (isImpatient(lock) ? `set local lock_timeout = ${(lock as FirstRead).patienceMs};` : '')

/** Advisory lock 0: shared by every write transaction, exclusive for `'everything'`. */
const EVERYTHING = 0

/** In ascending order, so that two transactions cannot deadlock. */
function lockStatements(lock: Lock) {
  if (lock === 'everything') return `select pg_advisory_xact_lock(${EVERYTHING})`
  const numbers = [...new Set(lock.map(lockNumber))].sort((a, b) => (a < b ? -1 : 1))
  const shared = `select pg_advisory_xact_lock_shared(${EVERYTHING})`
  if (numbers.length === 0) return shared
  return `${shared};select count(pg_advisory_xact_lock(number)) from unnest('{${numbers.join()}}'::bigint[]) number`
}

/** A key as the 64 bits of an advisory lock. Two keys with the same bits merely wait for each other. */
const lockNumber = (key: LockKey) => createHash('sha256').update(key).digest().readBigInt64BE(0)

/** The SQLSTATE of an error of the database; the query builder wraps what the driver throws. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : sqlStateOf(error.cause)
}

/** Neither the database nor the transaction's own code rejected: the driver got no response. */
const isConnectionLost = (error: unknown): error is Error => classifyDbError(error) === 'unavailable' && !/\d/.test(sqlStateOf(error) ?? '')

/** Serialization failure or deadlock: the transaction changed nothing. A lost connection is different, because it may have committed. */
const isRetryable = (error: unknown) => error instanceof StaleLock || ['40001', '40P01'].includes(sqlStateOf(error) ?? '')
