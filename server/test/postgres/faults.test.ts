import { execFileSync } from 'node:child_process'
import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Cluster, startCluster } from './cluster.ts'
import { addTrackers, expectedOf, readTruth, startSenders } from './senders.ts'

/** A few repetitions by default; `FAULT_RUNS=50` for as many. */
const RUNS = Number(process.env.FAULT_RUNS ?? 0)
/** Where many repetitions write what the trackers have seen. */
const REPORT = '.cache/faults.txt'
const repeat = (few: number, most = Number.POSITIVE_INFINITY) => Math.min(RUNS || few, most)
const TRACKERS = 12
const SLOW = { timeout: 900_000 }

type Seen = ReturnType<typeof startSenders>['seen']

const summary = ({ mails, trackers }: Awaited<ReturnType<typeof readTruth>>) => ({
  mails,
  positions: sum(trackers, ({ times }) => times.length),
  messages: sum(trackers, ({ messages }) => messages),
  alerts: sum(trackers, ({ alerts }) => alerts),
  firings: sum(trackers, ({ firings }) => firings),
})
const sum = <T>(all: T[], pick: (each: T) => number) => all.reduce((total, each) => total + pick(each), 0)

/** Runs faults while trackers send; then all that was acknowledged is there once, and nothing else. */
async function underLoad(cluster: Cluster, faults: (seen: Seen) => Promise<void>, { trackers = TRACKERS, patienceMs = 60_000 } = {}) {
  await addTrackers(cluster, trackers)
  const senders = startSenders(cluster, trackers, patienceMs)
  await cluster.waitUntil(() => senders.seen.acknowledged > 20, 'the first messages are acknowledged')
  await faults(senders.seen)
  const after = senders.seen.acknowledged
  await cluster.waitUntil(() => senders.seen.acknowledged > after + 20, 'messages are acknowledged after the faults')
  const ledgers = await senders.stop()
  const { acknowledged, refused, lost } = senders.seen
  if (RUNS) appendFileSync(REPORT, `${expect.getState().currentTestName}: ${acknowledged} acknowledged, ${refused} refused, ${lost} lost\n`)
  const truth = await readTruth(cluster, ledgers)
  if (RUNS) appendFileSync(REPORT, `${JSON.stringify(summary(truth))} of ${JSON.stringify(summary(expectedOf(ledgers)))}\n`)
  expect(truth).toEqual(expectedOf(ledgers))
  expect([...new Set(senders.seen.refusals)].filter((each) => !each.startsWith('503'))).toEqual([])
}

test('servers that are killed under load lose and double nothing', SLOW, async () => {
  await using cluster = await startCluster()
  await underLoad(cluster, async () => {
    for (let run = 0; run < repeat(2); run++) {
      await delay(Math.random() * 300)
      await cluster.replace(run % 2)
    }
  })
})

/** A PostgreSQL that others run is not ours to end. */
const isOwn = !process.env.TEST_DATABASE_URL

test.skipIf(!isOwn)('a database that is killed under load loses nothing, and the servers go on by themselves', SLOW, async () => {
  await using cluster = await startCluster()
  await underLoad(cluster, async (seen) => {
    for (let run = 0; run < repeat(1, 10); run++) {
      await cluster.postgres.kill()
      await cluster.untilReadyz(503)
      await cluster.postgres.start()
      await cluster.untilReadyz(200)
      const before = seen.acknowledged
      await cluster.waitUntil(() => seen.acknowledged > before + 20, 'messages are acknowledged again')
    }
  })
})

test('a network without a word loses nothing, whether its connections continue or are forgotten', SLOW, async () => {
  await using cluster = await startCluster()
  await underLoad(cluster, async (seen) => {
    for (const forgets of RUNS ? [false, true, true] : [false]) {
      cluster.proxy.silence()
      await delay(2000)
      cluster.proxy.heal({ forgets })
      const before = seen.acknowledged
      await cluster.waitUntil(() => seen.acknowledged > before + 20, 'messages are acknowledged again')
      await cluster.untilReadyz(200)
    }
  })
})

test(
  'a server that is paused in its transactions holds up others for a while, and loses and doubles nothing when it wakes',
  SLOW,
  async () => {
    await using cluster = await startCluster()
    await underLoad(
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
      { patienceMs: 5000 },
    )
  },
)

test('more requests at once than connections wait for their turn', SLOW, async () => {
  await using cluster = await startCluster({ env: { DATABASE_CONNECTIONS: '2' } })
  await underLoad(
    cluster,
    async (seen) => {
      await cluster.waitUntil(() => seen.acknowledged > 500, 'all trackers have had several turns')
      expect(seen.refused).toBe(0)
    },
    { trackers: 100 },
  )
})

test('a database whose disk is full loses nothing, and the servers go on once there is room', SLOW, async (context) => {
  using small = isOwn ? mountSmallDisk() : undefined
  if (!small) return context.skip('no file system of a few megabytes')
  await using cluster = await startCluster({ parent: small.folder, flags: ['-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'] })
  await underLoad(cluster, async (seen) => {
    for (let run = 0; run < repeat(1, 3); run++) {
      const before = seen.refused
      small.fill()
      await cluster.waitUntil(() => seen.refused > before + 20, 'messages are refused')
      small.free()
      await cluster.postgres.start()
      await cluster.untilReadyz(200)
    }
  })
})

/** A file system of a few megabytes; undefined where this user may not mount one. */
function mountSmallDisk() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-disk-'))
  const ballast = path.join(folder, 'ballast')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=755', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'w')
      try {
        while (true) writeSync(file, Buffer.alloc(65_536))
      } catch {
        // It is full.
      }
      closeSync(file)
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true })
    },
  }
}
