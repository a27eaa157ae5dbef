import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { classifyDbError } from '#db/classify-error.ts'
import type { ReplicaChange, ReplicaState, ReplicaStats } from '#db/db.ts'
import { createHistoryReader, type HistoryReader } from '#db/positions.ts'
import { readPositionsOn, readVersion } from '#db/postgres/packed/read-fixes.ts'
import { type Connections, createConnections } from './connection.ts'

/** `maxLag` in seconds, `max` connections to each. `onChange` is called when a replica stops being used, and when it is used again. */
export type ReplicaOptions = {
  urls: readonly string[]
  maxLag?: number
  max?: number
  probeMs?: number
  onChange?: (change: ReplicaChange) => void
}

/** Milliseconds. The primary answers instead of an unresponsive replica, so there is no point in waiting longer. */
const TIMEOUTS = { connect: 2000, statement: 3000, answer: 4000, lock: 2000, idleInTransaction: 10_000 }
/** An hour of samples. */
const MAX_SAMPLES = 3600

const SYSTEM = '(select system_identifier::text from pg_control_system()) as system'
const PRIMARY_STATE = `select pg_current_wal_flush_lsn() - '0/0' as written, ${SYSTEM}`
const REPLICA_STATE = `select pg_last_wal_replay_lsn() - '0/0' as replayed, ${SYSTEM}, pg_is_in_recovery() as is_replica,
  extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) as age`
const BEGIN = 'begin isolation level repeatable read read only'

/** How many bytes of its log the primary had written, at an instant of this process's clock. */
type Sample = { at: number; written: number; system: string }

/**
 * Replicas that serve reads of history instead of the primary. One is used while its lag is below `maxLag` seconds, and for a tracker only
 * if its snapshot contains the tracker's last change according to the primary. All servers decide in the same way, because no server
 * remembers which one wrote what.
 */
export async function createReplicas(
  { pool: primary }: Connections,
  { urls, maxLag = 10, max = 10, probeMs = 1000, onChange = () => {} }: ReplicaOptions,
) {
  const replicas = urls.map((url) => createReplica(url, { maxLag, max, onChange }))
  const reads: ReplicaStats['reads'] = { replica: 0, behind: 0, failed: 0, missing: 0 }
  const samples: Sample[] = []
  const aborter = new AbortController()
  let turn = 0

  async function probe() {
    const at = performance.now()
    const { rows } = await primary.query(PRIMARY_STATE)
    samples.push({ at, ...rows[0] })
    if (samples.length > MAX_SAMPLES) samples.shift()
    await Promise.all(replicas.map((replica) => replica.probe(samples)))
  }
  async function probeRegularly() {
    // Without the primary, the lag of replicas counts from their last probe.
    for (;;) {
      await delay(probeMs, undefined, { ref: false, signal: aborter.signal })
      await probe().catch(() => undefined)
    }
  }
  await probe().catch(() => undefined)
  probeRegularly().catch(() => undefined)

  /** The next usable replica, or the reason why there is none. */
  function choose() {
    const usable = replicas.filter((replica) => replica.state() === 'ok')
    return usable[turn++ % usable.length] ?? (replicas.some((replica) => replica.state() === 'behind') ? 'behind' : 'failed')
  }

  function createHistory(fallback: HistoryReader): HistoryReader {
    const versions = new Map<number, number>()
    /** Reason why the rest of the request reads from the primary. */
    let reason: 'missing' | 'failed' | undefined
    /** Whether a snapshot contains all changes of a tracker that were committed before the request. */
    async function isComplete(deviceId: number, version: number) {
      if (versions.get(deviceId) === version) return true
      versions.set(deviceId, await readVersion(primary, deviceId))
      return versions.get(deviceId) === version
    }
    async function readOn<T>(deviceId: number, read: (reader: HistoryReader) => Promise<T>): Promise<T> {
      const replica = reason ?? choose()
      if (typeof replica === 'string') {
        reads[replica]++
        return read(fallback)
      }
      try {
        const answer = await replica.inSnapshot(deviceId, async (version, reader) =>
          (await isComplete(deviceId, version)) ? { result: await read(reader) } : null,
        )
        if (answer) {
          reads.replica++
          return answer.result
        }
        reason = 'missing'
      } catch {
        reason = 'failed'
      }
      reads[reason]++
      return read(fallback)
    }
    return {
      range: (id, ...rest) => readOn(id, (reader) => reader.range(id, ...rest)),
      columns: (id, ...rest) => readOn(id, (reader) => reader.columns(id, ...rest)),
      count: (id, ...rest) => readOn(id, (reader) => reader.count(id, ...rest)),
      latest: (id, ...rest) => readOn(id, (reader) => reader.latest(id, ...rest)),
      oldest: (id) => readOn(id, (reader) => reader.oldest(id)),
      neighbours: (id, ...rest) => readOn(id, (reader) => reader.neighbours(id, ...rest)),
      query: (id, work) => readOn(id, (reader) => reader.query(id, work)),
    }
  }

  return {
    createHistory,
    stats: (): ReplicaStats => ({ each: replicas.map((replica) => replica.stats()), reads: { ...reads } }),
    async close() {
      aborter.abort()
      await Promise.all(replicas.map((replica) => replica.close()))
    },
  }
}

type Shared = Required<Pick<ReplicaOptions, 'maxLag' | 'max' | 'onChange'>>

function createReplica(url: string, { maxLag, max, onChange }: Shared) {
  const { pool, readerOn, close } = createConnections(url, { max, timeouts: TIMEOUTS })
  const name = new URL(url).host
  const readers = new WeakMap<pg.PoolClient, HistoryReader>()
  /** Seconds behind, at an instant; undefined since the last failure. */
  let measured: { at: number; lag: number } | undefined
  let reported: ReplicaState | undefined

  function state(): ReplicaState {
    if (!measured) return 'failed'
    return measured.lag + (performance.now() - measured.at) / 1000 <= maxLag ? 'ok' : 'behind'
  }
  async function measure(samples: readonly Sample[]) {
    const { rows } = await pool.query(REPLICA_STATE)
    const { replayed, age, is_replica: isReplica, system } = rows[0]
    const newest = samples.at(-1)
    if (!isReplica || system !== newest?.system) throw new Error('It is no replica of DATABASE_URL.')
    const at = performance.now()
    const reached = samples.findLast(({ written }) => written <= replayed)
    // The lag began before this process started to measure: only the replica's own clock knows how long it is.
    const lag = reached
      ? reached === newest
        ? 0
        : (at - reached.at) / 1000
      : Math.max((at - samples[0]!.at) / 1000, age ?? Number.POSITIVE_INFINITY)
    measured = { at, lag }
  }
  function readerOf(client: pg.PoolClient) {
    const reader = readers.get(client) ?? createHistoryReader(readPositionsOn(client), readerOn(client))
    readers.set(client, reader)
    return reader
  }

  return {
    state,
    stats: () => ({ name, state: state(), lag: measured?.lag ?? null }),
    async probe(samples: readonly Sample[]) {
      let reason: string | undefined
      try {
        await measure(samples)
      } catch (error) {
        measured = undefined
        reason = String(error)
      }
      if (state() !== reported) onChange({ name, state: state(), ...(reason && { reason }) })
      reported = state()
    },
    /** Runs reads of a tracker in one snapshot; `version` is the last change of its positions in it. */
    async inSnapshot<T>(deviceId: number, work: (version: number, reader: HistoryReader) => Promise<T>): Promise<T> {
      let client: pg.PoolClient | undefined
      let lost: Error | undefined
      try {
        client = await pool.connect()
        // One round trip for both.
        const results: unknown = await client.query(`${BEGIN}; select version from position_changes where device_id = ${Number(deviceId)}`)
        const [, found] = results as [unknown, pg.QueryResult<{ version: number }>]
        return await work(found.rows[0]?.version ?? 0, readerOf(client))
      } catch (error) {
        if (classifyDbError(error) === 'unavailable') {
          lost = error as Error
          measured = undefined
        }
        throw error
      } finally {
        if (client) release(client, lost)
      }
    },
    close,
  }
}

/** Ends the transaction without making the caller wait. */
function release(client: pg.PoolClient, lost?: Error) {
  if (lost) client.release(lost)
  else
    client.query('commit').then(
      () => client.release(),
      (error) => client.release(error),
    )
}
