import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { compareMails, compareMessages } from '#server/test/faults/compare-mails.ts'
import { mountSmallDisk } from '#server/test/faults/small-disk.ts'
import { startReceiver } from '#server/test/faults/test-receiver.ts'
import { startSmtp } from '#server/test/test-smtp.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { RUNS, report } from './fault-runs.ts'
import { addTrackers, expectedOf, FIRST_ID, listOwners, readTruth, startSenders } from './senders.ts'
import { openStreams } from './streams.ts'

const repeat = (few: number, most = Number.POSITIVE_INFINITY) => Math.min(RUNS || few, most)
const TRACKERS = 12
/** Mails that a server sends at once: that many may be accepted without being recorded when the server is killed, and are sent again. */
const MAIL_CONNECTIONS = 10
/** The same for webhooks: two to each of the four channels. */
const HOOK_CONNECTIONS = 8
/** A request that finds no free connection for this long is rejected; less the inaccuracy of timers. */
const PATIENCE_MS = 9900
const SLOW = { timeout: RUNS ? 3_600_000 : 900_000 }

type Receivers = Awaited<ReturnType<typeof startReceivers>>
type Seen = ReturnType<typeof startSenders>['seen']

/** A mail server and a receiver of webhooks, and the settings of servers that send to them. */
async function startReceivers() {
  const smtp = await startSmtp()
  const hooks = await startReceiver()
  return {
    smtp,
    hooks,
    env: { SMTP_URL: smtp.url, CHANNELS: 'listed', CHANNEL_SERVERS: hooks.url },
    async [Symbol.asyncDispose]() {
      hooks[Symbol.dispose]()
      await smtp[Symbol.asyncDispose]()
    },
  }
}

/** Gives each owner a webhook that gets all alerts. */
const addChannels = ({ query }: Cluster, url: string, owners: { email: string }[]) =>
  query(
    `insert into channels (user_id, kind, label, target, created_at, verified_at)
     select id, 'webhook', 'Faults', $1, $2, $2 from users where email = any($3)`,
    [`${url}/alerts`, Date.now(), owners.map(({ email }) => email)],
  )

const summary = ({ mails, trackers }: Awaited<ReturnType<typeof readTruth>>) => ({
  mails,
  positions: sum(trackers, ({ times }) => times.length),
  messages: sum(trackers, ({ messages }) => messages),
  alerts: sum(trackers, ({ alerts }) => alerts),
  firings: sum(trackers, ({ firings }) => firings),
})
const sum = <T>(all: T[], pick: (each: T) => number) => all.reduce((total, each) => total + pick(each), 0)

/**
 * Runs faults while trackers send; afterwards exactly the acknowledged messages are stored, each once, live streams received them in order,
 * and each alert was mailed and sent to a webhook under one id. Returns how many of them were sent again with the same one.
 */
async function underLoad(
  cluster: Cluster,
  faults: (seen: Seen) => Promise<void>,
  { receivers, trackers = TRACKERS, ...pace }: { receivers: Receivers; trackers?: number; patienceMs?: number; pauseMs?: number },
) {
  const owners = await listOwners(cluster)
  await addChannels(cluster, receivers.hooks.url, owners)
  const streams = await openStreams(cluster, owners)
  await addTrackers(cluster, trackers, owners)
  const senders = startSenders(cluster, trackers, pace)
  await cluster.waitUntil(() => senders.seen.acknowledged > 20, 'the first messages are acknowledged')
  await faults(senders.seen)
  const after = senders.seen.acknowledged
  await cluster.waitUntil(() => senders.seen.acknowledged > after + 20, 'messages are acknowledged after the faults')
  const ledgers = await senders.stop()
  const { acknowledged, refused, lost } = senders.seen
  report(`${acknowledged} acknowledged, ${refused} refused, ${lost} without a response`)
  const truth = await readTruth(cluster, ledgers)
  report(`${JSON.stringify(summary(truth))} of ${JSON.stringify(summary(expectedOf(ledgers)))}`)
  const { received, expected } = await streams.stop(FIRST_ID)
  report(`${received.flat().length} events in streams of ${expected.flat().length}; ${JSON.stringify(streams.seen)}`)
  expect(received).toEqual(expected)
  expect(expected.map(({ length }) => length > 0)).toEqual(owners.map(() => true))
  expect(streams.seen.resets).toBe(0)
  expect(truth).toEqual(expectedOf(ledgers))
  expect([...new Set(senders.seen.refusals)].filter((each) => !each.startsWith('503'))).toEqual([])
  return countMessages(cluster, receivers)
}

/**
 * Waits until each alert was mailed and sent to the webhook of its owner; then checks that none is missing or has two ids. Returns how many
 * mails and webhooks were sent again with the same one.
 */
async function countMessages(cluster: Cluster, { smtp, hooks }: Receivers) {
  const count = async (from: string) => Number((await cluster.query<{ n: string }>(`select count(*) as n from ${from}`))[0]?.n)
  const isDue = (column: string) => `coalesce(${column}, 0) <= ${Date.now()}`
  const [openMails, openHooks] = ['emails where sent_at is null', 'channel_deliveries where ended_at is null']
  await cluster.waitUntil(
    async () => (await count(`${openMails} and given_up_at is null and ${isDue('next_attempt_at')}`)) === 0,
    'all mails are sent that are not claimed',
  )
  await cluster.waitUntil(
    async () => (await count(`${openHooks} and ${isDue('next_attempt_at')}`)) === 0,
    'all webhooks are sent that are not claimed',
  )
  // The time of the claims passes.
  await cluster.restart(async () => {
    await cluster.query('update emails set next_attempt_at = null where sent_at is null')
    await cluster.query('update channel_deliveries set next_attempt_at = 0 where ended_at is null')
  })
  await cluster.waitUntil(async () => (await count(openMails)) === 0, 'the mails of dead servers are sent')
  await cluster.waitUntil(async () => (await count(openHooks)) === 0, 'the webhooks of dead servers are sent')
  const since = Date.now() - 3_600_000
  const mails = await cluster.query<{ id: number; attempts: number }>(
    "select id::int, attempts::int from emails where template = 'low_battery' and created_at > $1 order by id",
    [since],
  )
  const deliveries = await cluster.query<{ id: number; attempts: number }>(
    'select id::int, attempts::int from channel_deliveries where created_at > $1 order by id',
    [since],
  )
  const compared = { mails: compareMails(smtp.taken, mails), hooks: compareMessages(hooks.taken, deliveries) }
  report(`mails ${JSON.stringify(compared.mails)}, webhooks ${JSON.stringify(compared.hooks)}`)
  const none = { lost: 0, renamed: 0, unexplained: 0 }
  expect(compared).toMatchObject({ mails: none, hooks: { ...none, alerts: mails.length } })
  return { mails: compared.mails.repeated, hooks: compared.hooks.repeated }
}

const NONE = { mails: 0, hooks: 0 }

test('servers killed under load neither lose nor duplicate anything, and each alert is mailed and sent to its webhook', SLOW, async () => {
  await using receivers = await startReceivers()
  await using cluster = await startCluster({ env: receivers.env })
  const kills = repeat(2)
  const repeated = await underLoad(
    cluster,
    async () => {
      for (let run = 0; run < kills; run++) {
        await delay(Math.random() * 300)
        await cluster.replace(run % 2)
      }
    },
    { receivers },
  )
  expect(repeated.mails).toBeLessThanOrEqual(MAIL_CONNECTIONS * kills)
  expect(repeated.hooks).toBeLessThanOrEqual(HOOK_CONNECTIONS * kills)
})

/** A PostgreSQL managed by others must not be stopped by this test. */
const isOwn = !process.env.TEST_DATABASE_URL

type Fault = { name: string; run: (cluster: Cluster, untilServed: () => Promise<void>) => Promise<void> }

const cuts: Fault = {
  name: 'a network cut in the middle of a commit',
  async run({ proxy, untilReadyz }, untilServed) {
    for (let run = 0; run < repeat(2); run++) {
      await proxy.cutAtCommit({ passes: run % 2 === 0 })
      await untilReadyz(503)
      proxy.heal()
      await untilServed()
    }
  },
}

const killedDatabase: Fault = {
  name: 'a database that is killed under load',
  async run({ postgres, untilReadyz }, untilServed) {
    for (let run = 0; run < repeat(1, 10); run++) {
      await postgres.kill()
      await untilReadyz(503)
      await postgres.start()
      await untilServed()
    }
  },
}

const silence: Fault = {
  name: 'a silent network, whether its connections continue or are forgotten,',
  async run({ proxy }, untilServed) {
    for (const forgets of RUNS ? [false, true, true] : [false]) {
      proxy.silence()
      await delay(2000)
      proxy.heal({ forgets })
      await untilServed()
    }
  },
}

const faults = isOwn ? [cuts, killedDatabase, silence] : [cuts, silence]

/** Starting a cluster and checking every row takes longer than a fault. Repeated runs count each fault by itself. */
const loads = RUNS ? faults.map((fault) => [fault]) : [faults]

for (const load of loads)
  test(`${load.map(({ name }) => name).join(' and ')} neither loses nor duplicates anything`, SLOW, async () => {
    await using receivers = await startReceivers()
    await using cluster = await startCluster({ env: receivers.env })
    const repeated = await underLoad(
      cluster,
      async (seen) => {
        const untilServed = async () => {
          await cluster.untilReadyz(200)
          const before = seen.acknowledged
          await cluster.waitUntil(() => seen.acknowledged > before + 20, 'messages are acknowledged again')
        }
        for (const { run } of load) await run(cluster, untilServed)
      },
      { receivers },
    )
    expect(repeated).toEqual(NONE)
  })

test(
  'a server paused in its transactions delays others for a while, and neither loses nor duplicates anything when it resumes',
  SLOW,
  async () => {
    await using receivers = await startReceivers()
    await using cluster = await startCluster({ env: receivers.env })
    const repeated = await underLoad(
      cluster,
      async (seen) => {
        for (let run = 0; run < repeat(1, 3); run++) {
          const server = cluster.servers[run % 2]!
          server.signal('SIGSTOP')
          // Longer than a transaction may be idle, so that the database has ended it.
          await delay(12_000)
          const before = seen.acknowledged
          await cluster.waitUntil(() => seen.acknowledged > before, 'the other server continues')
          server.signal('SIGCONT')
          await cluster.untilReadyz(200)
        }
      },
      { receivers, patienceMs: 5000 },
    )
    expect(repeated).toEqual(NONE)
  },
)

test(
  'more simultaneous requests than connections wait for their turn, and only one that has waited ten seconds is rejected',
  SLOW,
  async () => {
    const trackers = RUNS ? 100 : 24
    await using receivers = await startReceivers()
    await using cluster = await startCluster({ env: { DATABASE_CONNECTIONS: '2', ...receivers.env } })
    const repeated = await underLoad(
      cluster,
      async (seen) => {
        await cluster.waitUntil(() => seen.acknowledged > 5 * trackers, 'all trackers have had several turns')
        // On a machine that is slow for other reasons, the next turn may come too late.
        expect(seen.shortestRefusalMs).toBeGreaterThan(PATIENCE_MS)
      },
      { receivers, trackers, pauseMs: 0 },
    )
    expect(repeated).toEqual(NONE)
  },
)

test('a database with a full disk loses nothing, and the servers continue once there is space', SLOW, async (context) => {
  using small = isOwn ? mountSmallDisk(256) : undefined
  if (!small) return context.skip('no file system of a few megabytes')
  await using receivers = await startReceivers()
  await using cluster = await startCluster({
    env: receivers.env,
    parent: small.folder,
    flags: ['-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'],
  })
  const repeated = await underLoad(
    cluster,
    async (seen) => {
      for (let run = 0; run < repeat(1, 3); run++) {
        const before = seen.refused
        small.fill()
        await cluster.waitUntil(() => seen.refused > before + 20, 'messages are refused')
        await cluster.untilReadyz(503)
        small.free()
        await cluster.postgres.start()
        await cluster.untilReadyz(200)
      }
    },
    { receivers },
  )
  expect(repeated).toEqual(NONE)
})
