import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { compareMails } from '#server/test/faults/compare-mails.ts'
import { mountSmallDisk } from '#server/test/faults/small-disk.ts'
import { startSmtp } from '#server/test/test-smtp.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { RUNS, report } from './fault-runs.ts'
import { addTrackers, expectedOf, FIRST_ID, listOwners, readTruth, startSenders } from './senders.ts'
import { openStreams } from './streams.ts'

const repeat = (few: number, most = Number.POSITIVE_INFINITY) => Math.min(RUNS || few, most)
const TRACKERS = 12
/** Mails that a server sends at once: that many may be accepted without being recorded when the server is killed, and are sent again. */
const MAIL_CONNECTIONS = 10
/** A request that finds no free connection for this long is rejected; less the inaccuracy of timers. */
const PATIENCE_MS = 9900
const SLOW = { timeout: RUNS ? 3_600_000 : 900_000 }

type Smtp = Awaited<ReturnType<typeof startSmtp>>
type Seen = ReturnType<typeof startSenders>['seen']

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
 * and each alert was mailed under one Message-ID. Returns how many mails were sent again with the same one.
 */
async function underLoad(
  cluster: Cluster,
  faults: (seen: Seen) => Promise<void>,
  { smtp, trackers = TRACKERS, ...pace }: { smtp: Smtp; trackers?: number; patienceMs?: number; pauseMs?: number },
) {
  const owners = await listOwners(cluster)
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
  return countMails(cluster, smtp)
}

/**
 * Waits until each alert was mailed; then checks that none is missing or has two Message-IDs. Returns how many mails were sent again with
 * the same one.
 */
async function countMails(cluster: Cluster, smtp: Smtp) {
  const count = async (where: string) =>
    Number((await cluster.query<{ n: string }>(`select count(*) as n from emails where ${where}`))[0]?.n)
  const isDue = () => `sent_at is null and given_up_at is null and coalesce(next_attempt_at, 0) <= ${Date.now()}`
  await cluster.waitUntil(async () => (await count(isDue())) === 0, 'all mails are sent that are not claimed')
  // The five minutes of a claim pass.
  await cluster.restart(() => cluster.query('update emails set next_attempt_at = null where sent_at is null'))
  await cluster.waitUntil(async () => (await count('sent_at is null')) === 0, 'the mails of dead servers are sent')
  const queued = await cluster.query<{ id: number; attempts: number }>(
    "select id::int, attempts::int from emails where template = 'low_battery' and created_at > $1 order by id",
    [Date.now() - 3_600_000],
  )
  const { repeated, ...compared } = compareMails(smtp.taken, queued)
  report(`mails ${JSON.stringify({ ...compared, repeated })}`)
  expect(compared).toMatchObject({ lost: 0, renamed: 0, unexplained: 0 })
  return repeated
}

test('servers killed under load neither lose nor duplicate anything, and each alert is mailed', SLOW, async () => {
  await using smtp = await startSmtp()
  await using cluster = await startCluster({ env: { SMTP_URL: smtp.url } })
  const kills = repeat(2)
  const repeated = await underLoad(
    cluster,
    async () => {
      for (let run = 0; run < kills; run++) {
        await delay(Math.random() * 300)
        await cluster.replace(run % 2)
      }
    },
    { smtp },
  )
  expect(repeated).toBeLessThanOrEqual(MAIL_CONNECTIONS * kills)
})

test('a network cut in the middle of a commit neither loses nor duplicates anything', SLOW, async () => {
  await using smtp = await startSmtp()
  await using cluster = await startCluster({ env: { SMTP_URL: smtp.url } })
  const repeated = await underLoad(
    cluster,
    async (seen) => {
      for (let run = 0; run < repeat(2); run++) {
        await cluster.proxy.cutAtCommit({ passes: run % 2 === 0 })
        await cluster.untilReadyz(503)
        cluster.proxy.heal()
        await cluster.untilReadyz(200)
        const before = seen.acknowledged
        await cluster.waitUntil(() => seen.acknowledged > before + 20, 'messages are acknowledged again')
      }
    },
    { smtp },
  )
  expect(repeated).toBe(0)
})

/** A PostgreSQL managed by others must not be stopped by this test. */
const isOwn = !process.env.TEST_DATABASE_URL

test.skipIf(!isOwn)('a database that is killed under load loses nothing, and the servers go on by themselves', SLOW, async () => {
  await using smtp = await startSmtp()
  await using cluster = await startCluster({ env: { SMTP_URL: smtp.url } })
  const repeated = await underLoad(
    cluster,
    async (seen) => {
      for (let run = 0; run < repeat(1, 10); run++) {
        await cluster.postgres.kill()
        await cluster.untilReadyz(503)
        await cluster.postgres.start()
        await cluster.untilReadyz(200)
        const before = seen.acknowledged
        await cluster.waitUntil(() => seen.acknowledged > before + 20, 'messages are acknowledged again')
      }
    },
    { smtp },
  )
  expect(repeated).toBe(0)
})

test('a silent network loses nothing, whether its connections continue or are forgotten', SLOW, async () => {
  await using smtp = await startSmtp()
  await using cluster = await startCluster({ env: { SMTP_URL: smtp.url } })
  const repeated = await underLoad(
    cluster,
    async (seen) => {
      for (const forgets of RUNS ? [false, true, true] : [false]) {
        cluster.proxy.silence()
        await delay(2000)
        cluster.proxy.heal({ forgets })
        const before = seen.acknowledged
        await cluster.waitUntil(() => seen.acknowledged > before + 20, 'messages are acknowledged again')
        await cluster.untilReadyz(200)
      }
    },
    { smtp },
  )
  expect(repeated).toBe(0)
})

test(
  'a server paused in its transactions delays others for a while, and neither loses nor duplicates anything when it resumes',
  SLOW,
  async () => {
    await using smtp = await startSmtp()
    await using cluster = await startCluster({ env: { SMTP_URL: smtp.url } })
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
      { smtp, patienceMs: 5000 },
    )
    expect(repeated).toBe(0)
  },
)

test(
  'more simultaneous requests than connections wait for their turn, and only one that has waited ten seconds is rejected',
  SLOW,
  async () => {
    const trackers = RUNS ? 100 : 24
    await using smtp = await startSmtp()
    await using cluster = await startCluster({ env: { DATABASE_CONNECTIONS: '2', SMTP_URL: smtp.url } })
    const repeated = await underLoad(
      cluster,
      async (seen) => {
        await cluster.waitUntil(() => seen.acknowledged > 5 * trackers, 'all trackers have had several turns')
        // On a machine that is slow for other reasons, the next turn may come too late.
        expect(seen.shortestRefusalMs).toBeGreaterThan(PATIENCE_MS)
      },
      { smtp, trackers, pauseMs: 0 },
    )
    expect(repeated).toBe(0)
  },
)

test('a database with a full disk loses nothing, and the servers continue once there is space', SLOW, async (context) => {
  using small = isOwn ? mountSmallDisk(256) : undefined
  if (!small) return context.skip('no file system of a few megabytes')
  await using smtp = await startSmtp()
  const env = { SMTP_URL: smtp.url }
  await using cluster = await startCluster({ env, parent: small.folder, flags: ['-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'] })
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
    { smtp },
  )
  expect(repeated).toBe(0)
})
