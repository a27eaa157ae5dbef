import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { buildApp } from '#server/app.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { createSharedLive } from '#server/live/shared-live.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { createPostgresFactory } from '#server/test/postgres/postgres-worlds.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { countReported, REPORTS } from '#server/tracking/ingest/report-limit.ts'
import { openPostgres, type PostgresDb } from './open.ts'

const ALICE = 'alice@example.com'
const SUPPORT = 'support@example.com'
const quiet = { info() {}, warn() {}, error() {} }
const DAY_MS = 86_400_000

/** Two servers with separate pools and live streams, on one database with one clock. */
async function startServers() {
  const make = createPostgresFactory({
    city: await openTestCity(),
    log: quiet,
    limits: { credentials: true },
    secondFactor: { isRequired: false },
    originOf: () => 'http://portal.test',
  })
  const world = await make({ id: 'main', seed: 1, scenario: 'family', clock: { at: ANCHOR } })
  const first = world.db as unknown as PostgresDb
  const { rows } = await first.connections.pool.query('select current_database() as name')
  const url = Object.assign(new URL(process.env.DATABASE_URL!), { pathname: `/${rows[0].name}` }).href
  const second = await openPostgres(url, { max: 4 })
  const start = async (db: PostgresDb) => {
    const live = createSharedLive(db, db.log!, quiet)
    const own = { ...world, db, positions: db.positions, live }
    return { db, live, world: own, app: await buildApp({ worlds: { of: () => own }, rateLimits: false, docs: false }) }
  }
  const servers = [await start(first), await start(second)] as const
  return {
    servers,
    world,
    pool: first.connections.pool,
    async close() {
      for (const { app, live } of servers) {
        await app.close()
        live.stop()
      }
      await second.close()
      world.close()
    },
  }
}

type Server = Awaited<ReturnType<typeof startServers>>['servers'][number]

let started: Awaited<ReturnType<typeof startServers>>
let [one, other] = [] as unknown as [Server, Server]
beforeEach(async () => {
  started = await startServers()
  ;[one, other] = started.servers
})
afterEach(() => started.close())

/** Opens a stream of a session; resolves once it has begun. */
async function listen({ app }: Server, token: string, lastEventId?: number) {
  const resume = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }
  const response = await app.inject({
    url: '/devices/live/',
    headers: { authorization: `Bearer ${token}`, ...resume },
    payloadAsStream: true,
  })
  const chunks = response.stream()[Symbol.asyncIterator]()
  let text = String((await chunks.next()).value)
  const events = () =>
    [...text.matchAll(/^id: (\d+)\nevent: (\w+)\ndata: (.*)$/gm)].map(([, id, type, data]) => ({
      id: Number(id),
      type,
      n: JSON.parse(data!).n as number | undefined,
    }))
  return {
    /** Resolves to the received events, once there are `count` or the stream has ended. */
    async take(count: number) {
      while (events().length < count) {
        const { done, value } = await chunks.next()
        if (done) break
        text += String(value)
      }
      return events()
    },
    isOver: async () => (await chunks.next()).done === true,
    leave: () => chunks.return?.(),
  }
}

const rex = { id: SEED.devices.rex, accountId: 0 }
beforeEach(async () => {
  const { rows } = await started.pool.query('select account_id from devices where id = $1', [rex.id])
  rex.accountId = rows[0].account_id
})

/** Commits an event of Alice's tracker on a server and returns its id; its body is a number. */
async function append({ db }: Server, n: number) {
  const body = { n } as never
  await db.write([`account:${rex.accountId}`], (tx) => appendLiveEvent(tx, { device: rex, type: 'status', body, at: ANCHOR }))
  return db.log!.findNewest(rex.accountId)
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)
const token = (email: string) => signInAs(one.world, email)

test('positions posted to one server arrive in the stream of another, in order and once', async () => {
  const stream = await listen(one, await token(ALICE))
  const { rows } = await started.pool.query('select identifier from devices where id = $1', [rex.id])
  for (const n of numbers(10)) {
    started.world.clock.set({ at: new Date(ANCHOR.getTime() + n * 60_000) })
    const datetime = new Date(ANCHOR.getTime() + n * 60_000).toISOString()
    const payload = { identifier: rows[0].identifier, positions: [{ lat: -34.9 + n / 1e4, lng: -56.16, precision: 10, datetime }] }
    const response = await other.app.inject({ method: 'POST', url: '/devices/ingest/', headers: { 'x-device-key': DEVICE_KEY }, payload })
    expect(response.statusCode).toBe(201)
  }
  const { rows: stored } = await started.pool.query('select id from live_events where account_id = $1 order by id', [rex.accountId])
  expect(stored.length).toBeGreaterThan(9)
  expect((await stream.take(stored.length)).map(({ id }) => id)).toEqual(stored.map(({ id }) => id))
})

test('a list cached by one server shows at once what another server changed', async () => {
  const headers = { authorization: `Bearer ${await token(ALICE)}` }
  const read = async () => (await one.app.inject({ url: '/devices/?type=tracker', headers })).json() as { id: number; name: string }[]
  const nameOf = (list: { id: number; name: string }[]) => list.find(({ id }) => id === rex.id)?.name
  const before = await read()
  const payload = { name: 'Rexona' }
  const url = `/devices/${rex.id}/`
  expect((await other.app.inject({ method: 'PATCH', url, headers, payload })).statusCode).toBe(200)
  expect([nameOf(before), nameOf(await read())]).toEqual(['Rex', 'Rexona'])
  await other.app.inject({ method: 'PATCH', url, headers, payload: { name: 'Rex' } })
})

test('a list read while another server changed a tracker is not shown again after the change is reverted', async () => {
  const { kitchen } = SEED.devices
  const headers = { authorization: `Bearer ${await token(ALICE)}` }
  const isPublic = async () => {
    const list = (await one.app.inject({ url: '/devices/?type=tracker', headers })).json() as { id: number; is_public: boolean }[]
    return list.find(({ id }) => id === kitchen)?.is_public
  }
  const payload = { label: 'Race', end_date: new Date(ANCHOR.getTime() + DAY_MS).toISOString() }
  const link = () => other.app.inject({ method: 'POST', url: `/devices/${kitchen}/public_share_link/`, headers, payload })
  const query = started.pool.query.bind(started.pool) as (...args: unknown[]) => never
  let linked: ReturnType<typeof link> | undefined
  vi.spyOn(started.pool, 'query').mockImplementation(async (...args: unknown[]) => {
    // Called between reading the versions of the rows and the rows.
    if (JSON.stringify(args[0]).includes('board_name')) {
      linked ??= link()
      await linked
    }
    return query(...args)
  })
  await isPublic()
  expect(linked).toBeDefined()
  const url = `/tracker_public_share_links/${(await linked!).json().uuid}/`
  expect((await other.app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(200)
  expect(await isPublic()).toBe(false)
})

test('events that both servers commit simultaneously arrive at both in one order, once each', async () => {
  const session = await token(ALICE)
  const streams = [await listen(one, session), await listen(other, session)]
  await Promise.all(numbers(100).map((n) => append(n % 2 === 0 ? one : other, n)))
  const [first, second] = await Promise.all(streams.map((stream) => stream.take(100)))
  expect(first!.map(({ n }) => n).sort((a, b) => a! - b!)).toEqual(numbers(100))
  expect(first!.map(({ id }) => id)).toEqual(first!.map(({ id }) => id).sort((a, b) => a - b))
  expect(second).toEqual(first)
})

test('an event whose server died after the commit arrives without a notice', async () => {
  const stream = await listen(one, await token(ALICE))
  vi.spyOn(other.db.log!, 'send').mockResolvedValue()
  await append(other, 7)
  expect(await stream.take(1)).toMatchObject([{ n: 7 }])
})

test('a client that reconnects to another server receives what it missed, and nothing twice', async () => {
  const session = await token(ALICE)
  const before = await listen(one, session)
  for (const n of numbers(3)) await append(other, n)
  const seen = await before.take(3)
  await before.leave()
  for (const n of numbers(3, 3)) await append(one, n)
  const after = await listen(other, session, seen.at(-1)!.id)
  for (const n of numbers(3, 6)) await append(one, n)
  expect([...seen, ...(await after.take(6))].map(({ n }) => n)).toEqual(numbers(9))
})

test('a connection for notices reconnects after a cut and loses nothing', async () => {
  const stream = await listen(one, await token(ALICE))
  const cut = () =>
    started.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'whereabouts notices' and datname = current_database()`,
    )
  for (const n of numbers(50)) {
    await append(n % 2 === 0 ? one : other, n)
    if (n % 10 === 5) await cut()
  }
  expect((await stream.take(50)).map(({ n }) => n)).toEqual(numbers(50))
  const connected = async () =>
    (
      await started.pool.query(
        `select 1 from pg_stat_activity where application_name = 'whereabouts notices' and datname = current_database()`,
      )
    ).rowCount
  await expect.poll(connected).toBe(2)
})

test('signing out at one server ends the stream of the session at the other at once', async () => {
  const session = await token(ALICE)
  const stream = await listen(other, session)
  const headers = { authorization: `Bearer ${session}` }
  expect((await one.app.inject({ method: 'DELETE', url: '/api/v1/auth/web_get_token/', headers })).statusCode).toBe(200)
  expect(await stream.isOver()).toBe(true)
})

test('support receives events of all accounts, and reloads when it reconnects', async () => {
  const session = await token(SUPPORT)
  const stream = await listen(one, session)
  const id = await append(other, 1)
  expect(await stream.take(1)).toMatchObject([{ id, n: 1 }])
  await stream.leave()
  const again = await listen(other, session, id)
  expect(await again.take(1)).toMatchObject([{ type: 'reset' }])
  await append(one, 2)
  expect((await again.take(2)).at(-1)).toMatchObject({ n: 2 })
})

test('a busy account keeps its newest thousand events, and the others keep all of theirs', async () => {
  const { pool } = started
  const insert = (account: number, count: number) =>
    pool.query(
      `insert into live_events (account_id, device_id, type, body, at) select $1::bigint, $2::bigint, 'status', '{"n":1}', $3::bigint from generate_series(1, $4::int)`,
      [account, rex.id, ANCHOR.getTime(), count],
    )
  await insert(99, 5)
  await insert(rex.accountId, 1200)
  await one.db.log!.prune(new Date(ANCHOR.getTime() - DAY_MS))
  const { rows } = await pool.query('select account_id, count(*) as n, min(id) as first from live_events group by account_id order by n')
  expect(rows).toMatchObject([
    { account_id: 99, n: 5 },
    { account_id: rex.accountId, n: 1000 },
  ])
  const first = rows[1].first as number
  const session = await token(ALICE)
  expect(await (await listen(other, session, first - 1)).take(1000)).toHaveLength(1000)
  expect(await (await listen(other, session, first - 2)).take(1)).toMatchObject([{ type: 'reset' }])
})

test('events older than a day are removed, and a client that has seen the newest one resumes without them', async () => {
  const id = await append(one, 1)
  await one.db.log!.prune(ANCHOR)
  expect((await started.pool.query('select * from live_events')).rows).toEqual([])
  expect((await started.pool.query('select * from live_marks')).rows).toEqual([{ account_id: 0, pruned_to: id }])
  const stream = await listen(other, await token(ALICE), id)
  await append(one, 2)
  expect(await stream.take(1)).toMatchObject([{ type: 'status', n: 2 }])
})

test('D-51 two servers together accept 20,000 positions of a tracker per day', async () => {
  let taken = 0
  for (const server of [one, other, one, other, one])
    for (let sent = 0; sent < REPORTS.perDay; sent += 250)
      try {
        await countReported(server.world, rex.id, 250)
        taken += 250
      } catch {
        break
      }
  expect(taken).toBe(REPORTS.perDay)
  started.world.clock.set({ at: new Date(ANCHOR.getTime() + DAY_MS) })
  await countReported(other.world, rex.id, 250)
})
