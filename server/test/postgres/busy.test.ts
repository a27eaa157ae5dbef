import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { addTrackers, FIRST_ID, listOwners } from './senders.ts'
import { signIn } from './streams.ts'

const READERS = 60
const PERIOD = `not_before=${new Date(Date.now() - 86_400_000).toISOString()}&not_after=${new Date().toISOString()}`

describe.each([4, 10])('with %i connections', (connections) => {
  let cluster: Cluster
  let url = ''
  let sessions: Record<string, string>[] = []
  beforeAll(async () => {
    cluster = await startCluster({ servers: 1, env: { DATABASE_CONNECTIONS: String(connections) }, isRecorded: false })
    url = cluster.urls()[0]!
    const owners = await listOwners(cluster)
    await addTrackers(cluster, owners.length, owners)
    sessions = await Promise.all(owners.map(({ email }) => signIn(url, email)))
  })
  afterAll(() => cluster[Symbol.asyncDispose]())

  /** Holds a database lock until released, like a schema change or a stuck transaction. */
  async function hold(statement: string) {
    const client = new pg.Client(Object.assign(new URL(cluster.postgres.url), { pathname: '/portal' }).href)
    await client.connect()
    await client.query(`begin; ${statement}`)
    return { [Symbol.asyncDispose]: () => client.end() }
  }

  const send = (path: string, nth: number, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { signal: AbortSignal.timeout(30_000), ...init, headers: { ...sessions[nth], ...init.headers } })

  const ask = async (path: string, nth = 1) => ({ path, status: (await send(path, nth)).status })

  const isAwaited = "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = 'portal'"
  const untilAwaited = () =>
    cluster.waitUntil(async () => (await cluster.query<{ n: number }>(isAwaited))[0]!.n > 0, 'requests wait for the lock')

  /**
   * Sends requests that wait for a lock, and expects that all other requests are answered before it is released. Returns their later
   * responses.
   */
  async function whileHeld<T>(statement: string, sendAll: () => Promise<T>) {
    const paths = ['/', '/config.json', '/healthz', '/readyz', '/users/me/', '/devices/?type=tracker', '/tracker_tags/']
    let waiting: Promise<T> | undefined
    {
      await using _held = await hold(statement)
      waiting = sendAll()
      waiting.catch(() => {})
      await untilAwaited()
      expect(await Promise.all(paths.map((path) => ask(path)))).toEqual(paths.map((path) => ({ path, status: 200 })))
    }
    return waiting
  }

  test.each([
    ['positions', `/devices/${FIRST_ID}/tracker_data/?${PERIOD}`, [200]],
    // Exports are costly: one runs and two wait for each account, the rest get 429.
    ['positions', `/devices/${FIRST_ID}/tracker_data/export_csv/?${PERIOD}`, [200, 429]],
    ['places', '/tracker_places/', [200]],
    ['invoices', '/users/invoices/', [200]],
    ['imports', `/devices/${FIRST_ID}/imports/`, [200]],
  ])('sixty readers of one account who wait for the locked table %s delay no other requests: %s', async (table, path, statuses) => {
    const askAll = () => Promise.all(Array.from({ length: READERS }, () => send(path, 0).then(({ status }) => status)))
    const answers = await whileHeld(`lock table ${table} in access exclusive mode`, askAll)
    expect(new Set(answers)).toEqual(new Set(statuses))
  })

  test('sixty messages that wait for the lock of one account delay no other account', async () => {
    const [device] = await cluster.query<{ account: number }>(`select account_id::int as account from devices where id = ${FIRST_ID}`)
    const body = (nth: number) => JSON.stringify({ identifier: String(8_800_000_000 + nth), battery: 80, positions: [] })
    const report = (nth: number) =>
      send('/devices/ingest/', 0, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-device-key': DEVICE_KEY },
        body: body(nth),
      }).then(({ status }) => status)
    const answers = await whileHeld(`select id from devices where account_id = ${device!.account} for update`, () =>
      Promise.all(Array.from({ length: READERS }, () => report(0))),
    )
    expect(new Set(answers)).toEqual(new Set([201]))
  })
})
