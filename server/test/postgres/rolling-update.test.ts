import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startBalancer } from './balancer.ts'
import { startCluster } from './cluster.ts'
import { RUNS, report } from './fault-runs.ts'
import { addTrackers, expectedOf, FIRST_ID, listOwners, PAUSE_MS, readTruth, startSenders } from './senders.ts'
import { openStreams, signIn } from './streams.ts'

const TRACKERS = 6

/** Users who read and change their trackers, one request after the other. */
function startPeople(url: string, people: { session: Record<string, string>; tracker: number }[]) {
  let isStopping = false
  const seen: Record<string, number> = {}
  const running = people.map(async ({ session, tracker }) => {
    const requests = [
      ['GET', '/devices/?type=tracker'],
      ['GET', `/devices/${tracker}/tracker_status/`],
      ['GET', `/devices/${tracker}/tracker_data/`],
      ['PATCH', `/devices/${tracker}/`, JSON.stringify({ name: `Tracker ${tracker}` })],
      ['GET', '/users/me/'],
    ] as const
    for (let turn = 0; !isStopping; turn++) {
      const [method, path, body] = requests[turn % requests.length]!
      const outcome = await fetch(`${url}${path}`, {
        method,
        headers: { ...session, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body }),
      }).then(
        (response) => response.text().then(() => `${method} ${response.status}`),
        (error) => `${method} ${(error as Error).message}`,
      )
      seen[outcome] = (seen[outcome] ?? 0) + 1
      await delay(PAUSE_MS)
    }
  })
  return {
    seen,
    stop() {
      isStopping = true
      return Promise.all(running)
    },
  }
}

test('an update that replaces one server after the other under load loses no request', { timeout: 600_000 }, async () => {
  await using cluster = await startCluster({ env: { DRAIN_SECONDS: '2' } })
  await using balancer = await startBalancer(cluster.urls)
  const balanced = { ...cluster, urls: () => [balancer.url] }
  const owners = await listOwners(cluster)
  const streams = await openStreams(balanced, owners)
  await addTrackers(cluster, TRACKERS, owners)
  const people = await Promise.all(
    owners.map(async ({ email }, nth) => ({ session: await signIn(balancer.url, email), tracker: FIRST_ID + nth })),
  )
  const senders = startSenders(balanced, TRACKERS)
  const visitors = startPeople(balancer.url, people)
  const codes: (number | null)[] = []
  for (let round = 0; round < (RUNS ? 5 : 1); round++)
    for (const index of cluster.servers.keys()) {
      const before = senders.seen.acknowledged
      codes.push(await cluster.update(index))
      await cluster.waitUntil(() => senders.seen.acknowledged > before + 10, 'messages are acknowledged')
    }
  await visitors.stop()
  const ledgers = await senders.stop()
  report(`${JSON.stringify(balancer.seen)}, ${JSON.stringify(senders.seen)}, ${JSON.stringify(visitors.seen)}`)
  expect(await readTruth(cluster, ledgers)).toEqual(expectedOf(ledgers))
  const { received, expected } = await streams.stop(FIRST_ID)
  expect(received).toEqual(expected)
  expect(codes).toEqual(codes.map(() => 0))
  expect(senders.seen).toMatchObject({ refused: 0, lost: 0 })
  expect(Object.keys(visitors.seen).sort()).toEqual(['GET 200', 'PATCH 200'])
  expect(balancer.seen.broken).toBe(0)
})
