import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { classifyDbError } from '#db/classify-error.ts'
import type { Lock } from '#db/db.ts'
import { accounts, throttles } from '#db/schema/accounts.ts'
import { openTestDatabase } from '#server/test/postgres/test-databases.ts'
import { createConnections } from './connection.ts'
import type { PostgresDb } from './open.ts'

let db: PostgresDb
beforeAll(async () => {
  db = await openTestDatabase('family')
})
afterAll(() => db.close())

/** Runs two transactions that begin together; returns what they did in order. */
async function race(first: Lock, second: Lock) {
  const events: string[] = []
  const run = (name: string, lock: Lock) =>
    db.write(lock, async (tx) => {
      events.push(`${name} begins`)
      await tx.select({ pause: sql`pg_sleep(0.05)` }).from(throttles).limit(1)
      await delay(30)
      events.push(`${name} ends`)
    })
  await Promise.all([run('a', first), run('b', second)])
  return events.map((event) => event.slice(2))
}

const SERIAL = ['begins', 'ends', 'begins', 'ends']
const TOGETHER = ['begins', 'begins', 'ends', 'ends']

test.each([
  ['of one account run one after the other', ['account:1'], ['account:1'], SERIAL],
  ['of two accounts run together', ['account:1'], ['account:2'], TOGETHER],
  ['with one key in common run one after the other', ['account:1', 'order:number'], ['order:number', 'account:2'], SERIAL],
  ['that need no lock run together', [], [], TOGETHER],
  ['that need everything run alone', 'everything', [], SERIAL],
] as const)('transactions %s', async (_, first, second, expected) => {
  expect(await race(first, second)).toEqual(expected)
})

test('transactions that name the same keys in different orders never block each other for ever', async () => {
  const keys = ['account:1', 'account:2', 'account:3'] as const
  const before = db.connections.counts.retries
  await Promise.all(Array.from({ length: 12 }, (_, index) => db.write(index % 2 ? keys : [...keys].reverse(), async () => delay(1))))
  expect(db.connections.counts.retries).toBe(before)
})

test('a deadlock over rows is run again, and both transactions end', async () => {
  const before = db.connections.counts.retries
  await db.write([], async (tx) => {
    for (const key of ['one', 'two']) await tx.insert(throttles).values({ key, count: 0, resetsAt: new Date(0) })
  })
  const raise = (...order: string[]) =>
    db.write([], async (tx) => {
      for (const key of order) {
        await tx
          .update(throttles)
          .set({ count: sql`${throttles.count} + 1` })
          .where(sql`${throttles.key} = ${key}`)
        await delay(20)
      }
    })
  await Promise.all([raise('one', 'two'), raise('two', 'one')])
  const rows = await db.read.select().from(throttles).where(sql`${throttles.key} in ('one', 'two')`)
  expect(rows.map(({ count }) => count)).toEqual([2, 2])
  expect(db.connections.counts.retries).toBeGreaterThan(before)
})

test('a transaction that throws leaves nothing, and its connection serves the next one', async () => {
  const before = await db.read.$count(accounts)
  for (let round = 0; round < 10; round++)
    await expect(
      db.write([], async (tx) => {
        await tx.insert(accounts).values({})
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
  expect(await db.read.$count(accounts)).toBe(before)
})

test('a transaction whose connection is cut fails, and the next one gets a new connection', async () => {
  await expect(
    db.write([], async (tx) => {
      const [row] = await tx.select({ pid: sql<number>`pg_backend_pid()` }).from(accounts).limit(1)
      await db.read
        .select({ ended: sql`pg_terminate_backend(${row!.pid})` })
        .from(accounts)
        .limit(1)
      await tx.insert(accounts).values({})
    }),
  ).rejects.toThrow()
  expect(await db.write([], (tx) => tx.$count(accounts))).toBeGreaterThan(0)
})

test('a database that cannot be reached is unavailable, whether it is read or written', async () => {
  const lost = createConnections('postgres://127.0.0.1:1/none')
  const kinds = await Promise.all(
    [lost.run([], async () => 1), lost.pool.query('select 1')].map((call) => call.then(String, (error) => classifyDbError(error))),
  )
  expect(kinds).toEqual(['unavailable', 'unavailable'])
  await lost.pool.end()
})
