import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { classifyDbError } from '#db/classify-error.ts'
import { createConnections } from '#db/postgres/connection.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { report } from './fault-runs.ts'
import { addTrackers, expectedOf, FIRST_ID, listOwners, readTruth, startSenders } from './senders.ts'
import { openStreams } from './streams.ts'

const TRACKERS = 12
const SLOW = { timeout: 300_000 }
/** The time that monitoring takes to promote the standby. */
const DECISION_MS = 1000

/** A PostgreSQL managed by others must not be stopped by this test. */
const isOwn = !process.env.TEST_DATABASE_URL

const isStreaming = async ({ query }: Cluster) => (await query("select 1 from pg_stat_replication where state = 'streaming'")).length > 0

/** From now on a commit waits until the standby has it too. */
async function waitForStandby({ query, waitUntil }: Cluster) {
  await query("alter system set synchronous_standby_names = '*'")
  await query('select pg_reload_conf()')
  const isSync = async () => (await query("select 1 from pg_stat_replication where sync_state = 'sync'")).length > 0
  await waitUntil(isSync, 'the standby is synchronous')
}

/** A tracker of the seeds reports its position; resolves to the status. */
async function sendPosition({ urls }: Cluster) {
  const response = await fetch(`${urls()[0]}/devices/ingest/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': DEVICE_KEY },
    body: JSON.stringify({
      identifier: '1000000001',
      positions: [{ lat: -34.9, lng: -56.15, precision: 5, datetime: new Date(Date.now() - 60_000).toISOString() }],
    }),
  })
  return response.status
}

/** The time of each tracker's last position on the standby; 0 for a tracker without one. */
async function findLastOnStandby({ standby }: Cluster) {
  const client = new pg.Client(Object.assign(new URL(standby!.url), { pathname: '/portal' }).href)
  await client.connect()
  const { rows } = await client
    .query<{ time: string | null }>(
      `select max(time) as time from generate_series(${FIRST_ID}, ${FIRST_ID + TRACKERS - 1}) id
         left join positions on device_id = id group by id order by id`,
    )
    .finally(() => client.end())
  return rows.map(({ time }) => Number(time))
}

test.skipIf(!isOwn)(
  'when the primary is killed and its synchronous standby promoted, servers that know both hosts lose and double nothing',
  SLOW,
  async () => {
    await using cluster = await startCluster({ hasStandby: true })
    await cluster.waitUntil(() => isStreaming(cluster), 'the standby follows')
    await waitForStandby(cluster)
    const owners = await listOwners(cluster)
    const streams = await openStreams(cluster, owners)
    await addTrackers(cluster, TRACKERS, owners)
    const senders = startSenders(cluster, TRACKERS)
    await cluster.waitUntil(() => senders.seen.acknowledged > 40, 'messages are acknowledged')

    const killed = performance.now()
    await cluster.postgres.kill()
    await cluster.untilReadyz(503)
    await delay(DECISION_MS)
    const promoted = performance.now()
    await cluster.promote()
    const before = senders.seen.acknowledged
    await cluster.waitUntil(() => senders.seen.acknowledged > before, 'messages are acknowledged again')
    const served = performance.now()
    await cluster.untilReadyz(200)
    await cluster.waitUntil(() => senders.seen.acknowledged > before + 40, 'more messages are acknowledged')

    const ledgers = await senders.stop()
    const { acknowledged, refused, lost } = senders.seen
    report(
      `serves ${Math.round(served - killed)} ms after the kill, ${Math.round(served - promoted)} ms after the promotion; ${JSON.stringify({ acknowledged, refused, lost, ...streams.seen })}`,
    )
    expect(await readTruth(cluster, ledgers)).toEqual(expectedOf(ledgers))
    const { received, expected } = await streams.stop(FIRST_ID)
    expect(received).toEqual(expected)
  },
)

test.skipIf(!isOwn)(
  'an asynchronous standby that was cut off lacks what came after, and nothing else is lost or doubled',
  SLOW,
  async () => {
    await using cluster = await startCluster({ hasStandby: true })
    await cluster.waitUntil(() => isStreaming(cluster), 'the standby follows')
    await addTrackers(cluster, TRACKERS, await listOwners(cluster))
    const senders = startSenders(cluster, TRACKERS)
    await cluster.waitUntil(() => senders.seen.acknowledged > 40, 'messages are acknowledged')
    cluster.cutOffStandby()
    await cluster.waitUntil(async () => !(await isStreaming(cluster)), 'the standby is cut off')
    const behind = await findLastOnStandby(cluster)
    const before = senders.seen.acknowledged
    await cluster.waitUntil(() => senders.seen.acknowledged > before + 40, 'messages are acknowledged without the standby')

    await cluster.postgres.kill()
    await cluster.untilReadyz(503)
    await cluster.promote()
    await cluster.untilReadyz(200)
    const after = senders.seen.acknowledged
    await cluster.waitUntil(() => senders.seen.acknowledged > after + 40, 'messages are acknowledged again')

    const ledgers = await senders.stop()
    const { trackers } = await readTruth(cluster, ledgers)
    const lost = trackers.map(({ times }, index) => {
      const known = new Set(times)
      expect(known.size, 'nothing is doubled').toBe(times.length)
      return ledgers[index]!.times.filter((time) => !known.has(time))
    })
    report(`${lost.flat().length} of ${ledgers.flatMap(({ times }) => times).length} positions lost`)
    expect(lost.flat().length).toBeGreaterThan(0)
    for (const [index, times] of lost.entries()) expect(Math.min(...times), 'nothing is lost from before').toBeGreaterThan(behind[index]!)
  },
)

test.skipIf(!isOwn)(
  'while the only synchronous standby is gone each commit waits, and goes on once the standby is back',
  SLOW,
  async () => {
    await using cluster = await startCluster({ hasStandby: true, servers: 1, isRecorded: false })
    await cluster.waitUntil(() => isStreaming(cluster), 'the standby follows')
    await waitForStandby(cluster)
    const write = async () => {
      const client = new pg.Client(Object.assign(new URL(cluster.postgres.url), { pathname: '/portal' }).href)
      await client.connect()
      await client.query("insert into throttles (key, count, resets_at) values ('waits', 0, 0)")
      await client.end()
    }
    await cluster.standby!.kill()
    let isCommitted = false
    const written = write().then(() => {
      isCommitted = true
    })
    const isWaiting = async () => (await cluster.query("select 1 from pg_stat_activity where wait_event = 'SyncRep'")).length > 0
    await cluster.waitUntil(isWaiting, 'the commit waits for the standby')
    expect(isCommitted).toBe(false)
    await cluster.untilReadyz(200)
    expect(await sendPosition(cluster), 'a message without its standby is not acknowledged').toBe(503)
    const own = createConnections(Object.assign(new URL(cluster.postgres.url), { pathname: '/portal' }).href)
    const insert = "insert into throttles (key, count, resets_at) values ('cancelled', 0, 0)"
    const outcome = own.run([], (tx) => own.clientOf(tx).query(insert)).catch(classifyDbError)
    const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'whereabouts'"
    await cluster.waitUntil(async () => (await cluster.query(cancel)).length > 0, 'a wait is cancelled')
    expect(await outcome, 'a commit without its standby is not acknowledged').toBe('unavailable')
    await own.close()
    await cluster.standby!.start()
    await written
  },
)
