import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { buildApp } from '#server/app.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createSeededIds } from '#server/mock/lib/seeded-ids.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { createWorld } from '#server/mock/worlds/world.ts'
import { startProxy } from '#server/test/postgres/proxy.ts'
import { startPostgres, type TestPostgres } from '#server/test/postgres/start-postgres.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { fillTemplates } from '#server/test/test-process.ts'
import { readDays } from '#server/tracking/days/days.handlers.ts'
import { openPostgres, type PostgresDb } from './open.ts'

const ALICE = 'alice@example.com'
const { rex, grandpa } = SEED.devices
const WEEK = 'not_before=2026-02-23T00:00:00Z&not_after=2026-03-01T12:00:00Z'
const [FIRST, LAST] = [0, 2 ** 31]
/** Seconds. No test takes this long, unless it is about the limit. */
const NEVER = 600

let primary: TestPostgres
let standby: TestPostgres
let network: Awaited<ReturnType<typeof startProxy>>
const portalOf = (url: string, port?: number) =>
  Object.assign(new URL(url), { pathname: '/portal', ...(port && { port: String(port) }) }).href

beforeAll(async () => {
  if (process.env.TEST_DATABASE_URL) return
  // A commit that waits for the log has already reached the standby.
  primary = await startPostgres({ flags: ['-c', 'synchronous_commit=on'] })
  await fillTemplates(primary.url, [`portal=${templateFile()}`])
  standby = await startPostgres({ standbyOf: primary })
  network = await startProxy(Number(new URL(standby.url).port))
})
afterAll(async () => {
  network?.close()
  await standby?.stop()
  await primary?.stop()
})

type Options = { maxLag?: number; probeMs?: number; url?: string }

/** A server with connections of its own to the primary and to the standby. */
async function startServer({ maxLag = NEVER, probeMs = 20, url = portalOf(standby.url, network.port) }: Options = {}) {
  const changes: string[] = []
  const onChange = ({ state, reason }: { state: string; reason?: string }) => void changes.push([state, reason ?? []].flat().join(': '))
  const db = await openPostgres(portalOf(primary.url), { max: 4, replicas: { urls: [url], maxLag, probeMs, max: 3, onChange } })
  const { clock: _, ids: _ids, ...seeded } = await readSeed(db.read)
  const world = createWorld({
    ...seeded,
    city: await openTestCity(),
    id: 'main',
    db: db as never,
    origin: 'http://portal.test',
    clock: { mode: 'frozen', at: new Date(ANCHOR.getTime() + ++hours * 3_600_000) },
    ids: createSeededIds(hours, 0),
    log: { info() {}, warn() {}, error() {} },
    limits: { credentials: true },
    secondFactor: { isRequired: false },
  })
  const app = await buildApp({ worlds: { of: () => world }, rateLimits: false, docs: false })
  const token = await signInAs(world, ALICE)
  const server = {
    db,
    world,
    changes,
    replica: () => db.stats!().replicas!.each[0]!,
    reads: () => db.stats!().replicas!.reads,
    get: (url: string) => app.inject({ url, headers: { authorization: `Bearer ${token}` } }),
    history: async (id: number) => (await server.get(`/devices/${id}/tracker_data/?${WEEK}`)).json() as { count: number },
    async close() {
      await app.close()
      await db.close()
    },
  }
  opened.push(server)
  return server
}
const opened: { close(): Promise<void> }[] = []
let hours = 0
let second = Math.floor(Date.parse('2026-02-25T00:00:00Z') / 1000)

/** Reports a past position to a server, which adds one to the count of its week. */
async function report({ db }: { db: PostgresDb }, id: number) {
  // The tracker's previous position: the new one is close to it, so that it is believed.
  const before = await db.positions.latest(id, FIRST, second)
  const row = { ...before!, time: ++second }
  expect(await db.write('everything', (tx) => db.positions.add(tx, id, [row]))).toBe(1)
}

let admin: PostgresDb
const ask = async (db: PostgresDb, text: string) => (await db.connections.pool.query(text)).rows
const onStandby = (text: string) => ask(admin, text)

describe.skipIf(process.env.TEST_DATABASE_URL)('with a standby', () => {
  beforeEach(async () => {
    admin = await openPostgres(portalOf(standby.url), { max: 2 })
    const db = await openPostgres(portalOf(primary.url), { max: 1 })
    await untilArrived({ db })
    await db.close()
  })
  afterEach(async () => {
    await onStandby('select pg_wal_replay_resume()')
    for (const each of [admin, ...opened.splice(0)]) await each.close()
  })

  const untilState = (server: Awaited<ReturnType<typeof startServer>>, state: string) =>
    expect.poll(() => server.replica().state).toBe(state)
  const untilArrived = async ({ db }: { db: PostgresDb }) => {
    const [row] = await ask(db, 'select pg_current_wal_flush_lsn() as lsn')
    await expect.poll(async () => (await onStandby(`select pg_last_wal_replay_lsn() >= '${row.lsn}' as ok`))[0].ok).toBe(true)
  }

  test('history, tracks, files, totals and ways are read from the replica', async () => {
    const server = await startServer()
    await onStandby('select pg_wal_replay_pause()')
    // An update that does not count as a change is invisible to the replica's check, so the response shows where it was read.
    await ask(server.db, `update positions set lat = 0 where device_id = ${rex}`)
    const page = await server.get(`/devices/${rex}/tracker_data/?${WEEK}`)
    expect(page.json().results[0].lat).toBeLessThan(-30)
    expect(server.reads()).toEqual({ replica: 2, behind: 0, failed: 0, missing: 0 })
    const days = 'from=2026-02-23&to=2026-03-01&tz=UTC'
    for (const path of [
      `tracker_data/track/?${WEEK}`,
      `tracker_data/export_csv/?${WEEK}`,
      `tracker_data/export/?format=gpx&${WEEK}`,
      `days/?${days}`,
      `ways/?${days}`,
    ]) {
      const before = server.reads().replica
      expect([path, (await server.get(`/devices/${rex}/${path}`)).statusCode]).toEqual([path, 200])
      expect([path, server.reads().replica > before]).toEqual([path, true])
    }
    expect(server.reads()).toMatchObject({ behind: 0, failed: 0, missing: 0 })
  })

  test('packed months are read from the replica, with the same answers', async () => {
    const server = await startServer()
    const paths = [
      `tracker_data/?${WEEK}`,
      `tracker_data/track/?${WEEK}`,
      `tracker_data/export/?format=gpx&${WEEK}`,
      'ways/?from=2026-02-23&to=2026-02-28&tz=UTC',
    ]
    const readAll = async () => {
      const answers = []
      for (const path of paths) answers.push((await server.get(`/devices/${grandpa}/${path}`)).rawPayload.toString('latin1'))
      return answers
    }
    const before = await readAll()
    expect(await server.db.packPositions!({ endedBy: new Date('2026-03-01T00:00:00Z'), goesOn: () => true })).toBeGreaterThan(1000)
    await untilArrived(server)
    const [{ rows }] = await onStandby(
      `select count(*) as rows from positions where device_id = ${grandpa} and time between 1771804800 and 1772323199`,
    )
    const reads = server.reads()
    expect(rows).toBe(0)
    expect(await readAll()).toEqual(before)
    expect(server.reads()).toMatchObject({ ...reads, replica: expect.any(Number) })
    expect(server.reads().replica).toBeGreaterThan(reads.replica + 3)
    await server.db.unpackPositions!(() => {})
    await untilArrived(server)
    expect(await readAll()).toEqual(before)
  })

  test('a position that one server accepted is in the history of all servers at once, though the replica has not received it', async () => {
    const [one, other] = [await startServer(), await startServer()]
    const { count } = await one.history(rex)
    expect(await other.history(rex)).toMatchObject({ count })
    await onStandby('select pg_wal_replay_pause()')
    await report(one, rex)
    for (const server of [one, other]) {
      const before = server.reads()
      expect(await server.history(rex)).toMatchObject({ count: count + 1 })
      expect(server.reads()).toEqual({ ...before, missing: 2 })
      // Another tracker has not changed.
      await server.history(grandpa)
      expect(server.reads().replica).toBe(before.replica + 2)
    }
    await onStandby('select pg_wal_replay_resume()')
    await untilArrived(one)
    const before = other.reads()
    expect(await other.history(rex)).toMatchObject({ count: count + 1 })
    expect(other.reads()).toEqual({ ...before, replica: before.replica + 2 })
  })

  test('whatever servers write, no read misses it while a replica alternately hangs and continues', async () => {
    const servers = [await startServer(), await startServer()]
    const devices = [rex, grandpa, SEED.devices.cityBike]
    const counts = await Promise.all(devices.map((id) => servers[0]!.db.positions.count(id, FIRST, LAST)))
    let isOver = false
    const toggling = (async () => {
      while (!isOver) for (const verb of ['pause', 'resume']) await onStandby(`select pg_wal_replay_${verb}()`)
    })()
    const wrong: unknown[] = []
    await Promise.all(
      devices.map(async (id, index) => {
        for (let round = 0; round < 60; round++) {
          await report(servers[round % 2]!, id)
          const reading = servers[(round >> 1) % 2]!
          const count = await reading.db.history().count(id, FIRST, LAST)
          if (count !== ++counts[index]!) wrong.push({ id, round, count, expected: counts[index] })
        }
      }),
    )
    isOver = true
    await toggling
    expect(wrong).toEqual([])
    const sum = (name: 'replica' | 'missing') => servers.reduce((total, server) => total + server.reads()[name], 0)
    expect([sum('replica') > 0, sum('missing') > 0, sum('replica') + sum('missing')]).toEqual([true, true, 180])
  })

  test('new and removed positions count in totals at once, though the replica has not received them', async () => {
    const server = await startServer()
    const read = async () => (await server.get(`/devices/${rex}/days/?from=2026-02-24&to=2026-02-25&tz=UTC`)).json().days
    await read()
    await untilArrived(server)
    const before = await read()
    await onStandby('select pg_wal_replay_pause()')
    await report(server, rex)
    expect((await read()).at(-1).positions).toBe(before.at(-1).positions + 1)
    await server.db.write('everything', (tx) => server.db.positions.removeAt(tx, rex, [second]))
    expect(await read()).toEqual(before)
  })

  test('totals that miss a position which arrives while they are read from the replica are not saved', async () => {
    const { db } = await startServer()
    const days = { from: '2026-02-25', to: '2026-02-25', timeZone: 'UTC' }
    await ask(db, 'delete from day_summaries')
    await untilArrived({ db })
    await onStandby('select pg_wal_replay_pause()')
    const count = await db.history().count(rex, Date.parse('2026-02-25T00:00:00Z') / 1000, Date.parse('2026-02-26T00:00:00Z') / 1000 - 1)
    let readers = 0
    const interrupted: PostgresDb = {
      ...db,
      history() {
        const reader = db.history()
        if (readers++ > 0) return reader
        const query: typeof reader.query = async (...args) => {
          const rows = await reader.query(...args)
          await report({ db }, rex)
          return rows
        }
        return { ...reader, query }
      },
    }
    for (const reading of [interrupted, db])
      expect((await readDays({ db: reading }, rex, days)).days).toMatchObject([{ positions: count + 1 }])
    expect(await ask(db, `select positions, is_stale from day_summaries where device_id = ${rex}`)).toEqual([
      { positions: count + 1, is_stale: false },
    ])
    expect(readers).toBe(2)
  })

  test('a reader sees everything committed before it was created', async () => {
    const { db } = await startServer()
    await untilArrived({ db })
    const reader = db.history()
    const count = await reader.count(rex, FIRST, LAST)
    await onStandby('select pg_wal_replay_pause()')
    await report({ db }, rex)
    expect(await reader.count(rex, FIRST, LAST)).toBe(count)
    expect(await db.history().count(rex, FIRST, LAST)).toBe(count + 1)
    await onStandby('select pg_wal_replay_resume()')
    await untilArrived({ db })
    // The replica is ahead of what the reader needs, and the result is still right.
    expect(await reader.count(rex, FIRST, LAST)).toBe(count + 1)
    expect(db.stats!().replicas!.reads).toEqual({ replica: 3, behind: 0, failed: 0, missing: 1 })
  })

  test('totals computed from the replica are saved on the primary', async () => {
    const { db, get, reads } = await startServer()
    await ask(db, 'delete from day_summaries')
    await untilArrived({ db })
    expect((await get(`/devices/${rex}/days/?from=2026-02-23&to=2026-02-26&tz=UTC`)).json().days.length).toBeGreaterThan(2)
    expect(reads()).toMatchObject({ failed: 0, missing: 0 })
    expect((await ask(db, `select * from day_summaries where device_id = ${rex}`)).length).toBeGreaterThan(2)
  })

  test('a replica that lags more than the limit is not used until it has caught up', async () => {
    const server = await startServer({ maxLag: 2 })
    await untilState(server, 'ok')
    await onStandby('select pg_wal_replay_pause()')
    await report(server, grandpa)
    await untilState(server, 'behind')
    expect(server.replica().lag).toBeGreaterThan(1.5)
    const before = server.reads()
    await server.history(rex)
    expect(server.reads()).toEqual({ ...before, behind: before.behind + 2 })
    const ready = await server.get('/readyz')
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready', database: 'ok', replicas: 'degraded', process: 'ok' }])
    await onStandby('select pg_wal_replay_resume()')
    await untilState(server, 'ok')
    expect(server.changes.slice(-2)).toEqual(['behind', 'ok'])
    expect((await server.get('/readyz')).json()).toMatchObject({ replicas: 'ok' })
  })

  test('a replica that already hung when the server started counts as lagging', async () => {
    const first = await startServer()
    await onStandby('select pg_wal_replay_pause()')
    await report(first, rex)
    const isOld = async () =>
      (await onStandby("select clock_timestamp() - pg_last_xact_replay_timestamp() > interval '1.2 seconds' as ok"))[0].ok
    await expect.poll(isOld).toBe(true)
    expect((await startServer({ maxLag: 1 })).replica().state).toBe('behind')
  })

  test('the primary answers while the replica is down, and the replica again once it is back', async () => {
    const server = await startServer()
    const { count } = await server.history(rex)
    await admin.close()
    await standby.kill()
    try {
      expect(await server.history(rex)).toMatchObject({ count })
      await untilState(server, 'failed')
      expect((await server.get('/readyz')).json()).toMatchObject({ status: 'ready', replicas: 'degraded' })
      const { body } = await server.get('/metrics')
      expect(body).toMatch(/^history_reads_total\{outcome="failed"\} [1-9]/m)
      expect(body).not.toMatch(/^database_replica_lag_seconds\{/m)
    } finally {
      await standby.start()
      admin = await openPostgres(portalOf(standby.url), { max: 2 })
    }
    await untilState(server, 'ok')
    await untilArrived(server)
    const before = server.reads()
    expect(await server.history(rex)).toMatchObject({ count })
    expect(server.reads().replica).toBe(before.replica + 2)
    const host = `127.0.0.1:${network.port}`
    expect((await server.get('/metrics')).body).toMatch(new RegExp(`^database_replica_lag_seconds\\{replica="${host}"\\} `, 'm'))
  })

  test('a network to the replica that drops everything delays few requests, and each only for seconds', async () => {
    const server = await startServer()
    const { count } = await server.history(rex)
    network.silence()
    const since = performance.now()
    expect(await server.history(rex)).toMatchObject({ count })
    expect(performance.now() - since).toBeLessThan(20_000)
    await untilState(server, 'failed')
    const again = performance.now()
    await server.history(rex)
    // Less than the timeout of a connection to a replica.
    expect(performance.now() - again).toBeLessThan(2000)
    network.heal()
    await untilState(server, 'ok')
  })

  test('a database that is not a replica of the primary is not used, and does not keep a server from starting', async () => {
    const itself = await startServer({ url: portalOf(primary.url) })
    const nothing = await startServer({ url: 'postgres://127.0.0.1:1/portal' })
    for (const server of [itself, nothing]) {
      expect(server.replica()).toMatchObject({ state: 'failed', lag: null })
      expect((await server.history(rex)).count).toBeGreaterThan(0)
      expect(server.reads()).toEqual({ replica: 0, behind: 0, failed: 2, missing: 0 })
    }
    expect(itself.changes).toEqual(['failed: Error: It is no replica of DATABASE_URL.'])
  })
})
