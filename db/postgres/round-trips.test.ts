import { afterAll, beforeAll, expect, test } from 'vitest'
import { findNoAddress } from '#db/addresses.ts'
import { openTestDatabase } from '#server/test/postgres/test-databases.ts'
import { type IngestWorld, ingest } from '#server/tracking/ingest/ingest.ts'
import type { PostgresDb } from './open.ts'

let db: PostgresDb
/** The statements of each round trip. */
let trips: string[][] = []
beforeAll(async () => {
  db = await openTestDatabase('family')
  const watched = new WeakSet<object>()
  db.connections.pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    let unanswered = 0
    const isAnswered = () => void unanswered--
    client.query = ((first: string | { text: string; name?: string }, ...rest: unknown[]) => {
      // A statement that is sent before the previous one is answered needs no round trip of its own.
      if (unanswered === 0) trips.push([])
      trips.at(-1)!.push(typeof first === 'string' ? first : `${first.name ? '' : 'unnamed '}${first.text}`)
      const result = query(first, ...rest)
      if (result instanceof Promise) {
        unanswered++
        result.then(isAnswered, isAnswered)
      }
      return result
    }) as typeof client.query
  })
})
afterAll(() => db.close())

const START = Date.parse('2026-03-02T09:00:00Z')
let second = 0

/** A message of a moving tracker of the scenario `family`, as on a street. */
const message = (identifier: string, fixes: number) => ({
  identifier,
  battery: 80,
  positions: Array.from({ length: fixes }, () => ({
    lat: -34.9,
    lng: -56.2 + ++second / 1e5,
    precision: 6,
    datetime: new Date(START + second * 1000).toISOString(),
  })),
})

/** The round trips of messages that are sent at the same time. */
async function countTrips(messages: ReturnType<typeof message>[]) {
  const world: IngestWorld = {
    db,
    positions: db.positions,
    graceDays: 14,
    clock: { now: () => new Date(START + second * 1000) },
    geocode: { search: () => [], nearest: findNoAddress },
  }
  trips = []
  await Promise.all(messages.map((each) => ingest(world, each)))
  return trips
}

const identifiers = async (count: number) => {
  const rows = await db.connections.pool.query<{ identifier: string }>(
    'select identifier from devices where identifier is not null order by id limit $1',
    [count],
  )
  return rows.rows.map(({ identifier }) => identifier)
}

test('a message of a known tracker takes two round trips, with 25 fixes as with one', async () => {
  const [tracker = ''] = await identifiers(1)
  await countTrips([message(tracker, 3)])
  expect(await countTrips([message(tracker, 1)])).toHaveLength(2)
  expect(await countTrips([message(tracker, 25)])).toHaveLength(2)
})

test('a group of messages takes two round trips and six statements, whatever its size', async () => {
  const trackers = await identifiers(6)
  const send = (messages: number) =>
    countTrips(Array.from({ length: messages }, (_, index) => message(trackers[index % trackers.length]!, 1 + (index % 3))))
  await send(6)
  for (const messages of [2, 6, 60]) {
    const group = await send(messages)
    expect([group.length, group.flat().length]).toEqual([2, 6])
  }
})

test('the first message of a tracker takes one more round trip, which finds its account', async () => {
  const tracker = (await identifiers(7)).at(-1)!
  expect(await countTrips([message(tracker, 1)])).toHaveLength(3)
})

test('every statement of a group is planned once per connection', async () => {
  const trackers = await identifiers(3)
  await countTrips(trackers.map((tracker) => message(tracker, 1)))
  const statements = (await countTrips(trackers.map((tracker) => message(tracker, 1)))).flat().slice(1, -1)
  expect(statements.filter((text) => text.startsWith('unnamed'))).toEqual([])
})
