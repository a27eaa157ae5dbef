import { afterAll, beforeAll, expect, test } from 'vitest'
import { findNoAddress } from '#db/addresses.ts'
import { openTestDatabase } from '#server/test/postgres/test-databases.ts'
import { type IngestWorld, ingest } from '#server/tracking/ingest/ingest.ts'
import type { PostgresDb } from './open.ts'

let db: PostgresDb
let trips: string[] = []
beforeAll(async () => {
  db = await openTestDatabase('family')
  const watched = new WeakSet<object>()
  db.connections.pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((first: string | { text: string; name?: string }, ...rest: unknown[]) => {
      trips.push(typeof first === 'string' ? first : `${first.name ? '' : 'unnamed '}${first.text}`)
      return query(first, ...rest)
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

/** The statements of a group of messages, one round trip each. */
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

test('a message of a known tracker takes eleven round trips, with 25 fixes as with one', async () => {
  const [tracker = ''] = await identifiers(1)
  await countTrips([message(tracker, 3)])
  expect(await countTrips([message(tracker, 1)])).toHaveLength(11)
  expect(await countTrips([message(tracker, 25)])).toHaveLength(11)
})

test('a group of messages has four round trips in common and seven for each message', async () => {
  const trackers = await identifiers(6)
  const send = () => countTrips(trackers.map((tracker) => message(tracker, 2)))
  await send()
  expect(await send()).toHaveLength(4 + 7 * trackers.length)
})

test('every statement of a plain message is planned once per connection, except the one that finds the accounts to lock', async () => {
  const [tracker = ''] = await identifiers(1)
  await countTrips([message(tracker, 1)])
  const statements = (await countTrips([message(tracker, 1)])).slice(1, -1)
  expect(statements.filter((text) => text.startsWith('unnamed') && !text.startsWith('unnamed select distinct "account_id"'))).toEqual([])
})
