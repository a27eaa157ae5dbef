import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { classifyDbError } from '#db/classify-error.ts'
import { changeLast } from '#db/commit-hooks.ts'
import type { Lock, Tx } from '#db/db.ts'
import { accounts, throttles } from '#db/schema/accounts.ts'
import { openTestDatabase } from '#server/test/postgres/test-databases.ts'
import { createConnections } from './connection.ts'
import { migrate, openPostgres, type PostgresDb } from './open.ts'

let db: PostgresDb
beforeAll(async () => {
  db = await openTestDatabase('family')
})
afterAll(() => db.close())

/** Begins a transaction while another one is open; returns whether it runs before the first has ended. */
async function runsBeside(open: Lock, other: Lock) {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const { isBeside, second } = await db.write(open, async () => {
    const second = db.write(other, async () => begin())
    const aborter = new AbortController()
    const isBeside = await Promise.race([begun.then(() => true), untilLockIsAwaited(aborter.signal).then(() => false)])
    aborter.abort()
    return { isBeside, second: { ended: second } }
  })
  await second.ended
  return isBeside
}

const AWAITED = `select 1 from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`

async function untilLockIsAwaited(signal: AbortSignal) {
  while (!signal.aborted && (await db.connections.pool.query(AWAITED)).rows.length === 0);
}

test.each([
  ['of one account runs after the other', ['account:1'], ['account:1'], false],
  ['of another account runs beside it', ['account:1'], ['account:2'], true],
  ['with one key in common runs after the other', ['account:1', 'order:number'], ['order:number', 'account:2'], false],
  ['that needs no lock runs beside it', [], [], true],
  ['that needs everything runs after the other', [], 'everything', false],
  ['runs after one that needs everything', 'everything', [], false],
] as const)('a transaction %s', async (_, open, other, expected) => {
  expect(await runsBeside(open, other)).toBe(expected)
})

test('transactions that name the same keys in different orders never deadlock', async () => {
  const keys = ['account:1', 'account:2', 'account:3'] as const
  const before = db.connections.counts.retried
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => db.write(index % 2 ? keys : [...keys].reverse(), (tx) => tx.$count(throttles))),
  )
  expect(db.connections.counts.retried).toBe(before)
})

test('after a deadlock over rows the transaction is repeated, and both commit', async () => {
  const before = db.connections.counts.retried
  await db.write([], async (tx) => {
    for (const key of ['one', 'two']) await tx.insert(throttles).values({ key, count: 0, resetsAt: new Date(0) })
  })
  let holders = 0
  let meet = () => {}
  const bothHold = new Promise<void>((resolve) => {
    meet = resolve
  })
  const raise = (...order: string[]) =>
    db.write([], async (tx) => {
      for (const key of order) {
        await tx
          .update(throttles)
          .set({ count: sql`${throttles.count} + 1` })
          .where(sql`${throttles.key} = ${key}`)
        if (++holders === 2) meet()
        await bothHold
      }
    })
  await Promise.all([raise('one', 'two'), raise('two', 'one')])
  const rows = await db.read.select().from(throttles).where(sql`${throttles.key} in ('one', 'two')`)
  expect(rows.map(({ count }) => count)).toEqual([2, 2])
  expect(db.connections.counts.retried).toBeGreaterThan(before)
})

test('a transaction that throws changes nothing, and its connection serves the next one', async () => {
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

test('last changes are part of their transaction, and one that would be sent after the commit is refused', async () => {
  const count = () => db.write([], (tx) => tx.$count(accounts))
  const before = await count()
  const insert = (tx: Tx) => tx.insert(accounts).values({})
  await db.write([], async (tx) => changeLast(tx, async () => void (await insert(tx))))
  expect(await count()).toBe(before + 1)
  const failing = db.write([], async (tx) => {
    changeLast(tx, async () => void (await insert(tx)))
    changeLast(tx, async () => void (await tx.insert(accounts).values({ id: 1 })))
  })
  await expect(failing).rejects.toThrow()
  const broken = db.write([], async (tx) => {
    changeLast(tx, async () => void (await insert(tx)))
    changeLast(tx, () => Promise.reject(new Error('no statement')))
  })
  await expect(broken).rejects.toThrow('no statement')
  expect(await count()).toBe(before + 1)
  const late = db.write([], async (tx) =>
    changeLast(tx, async () => {
      await turn()
      await insert(tx)
    }),
  )
  await expect(late).rejects.toThrow()
  expect(await count()).toBe(before + 1)
})

test('an unreachable database is reported as unavailable for reads and writes', async () => {
  const lost = createConnections('postgres://127.0.0.1:1/none')
  const kinds = await Promise.all(
    [lost.run([], async () => 1), lost.pool.query('select 1')].map((call) => call.then(String, (error) => classifyDbError(error))),
  )
  expect(kinds).toEqual(['unavailable', 'unavailable'])
  await lost.pool.end()
})

test('a transaction that times out waiting for a lock or a connection counts as failed, one that rejects its input does not', async () => {
  const { url } = db.connections
  const timeouts = { connect: 10_000, statement: 30_000, answer: 35_000, lock: 50, idleInTransaction: 10_000 }
  const impatient = createConnections(url, { max: 4, timeouts })
  await db.write(['account:1'], async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => impatient.run(['account:1'], async () => 1).catch(classifyDbError)))
    expect(outcomes).toEqual(['unavailable', 'unavailable', 'unavailable'])
  })
  expect(impatient.counts).toMatchObject({ committed: 0, failed: 3 })
  const lost = createConnections('postgres://127.0.0.1:1/none')
  await lost.run([], async () => 1).catch(() => undefined)
  expect(lost.counts.failed).toBe(1)
  const refuse = async () => {
    throw new Error('no')
  }
  await impatient.run([], refuse).catch(() => undefined)
  expect(impatient.counts.failed).toBe(3)
  await Promise.all([impatient.pool.end(), lost.pool.end()])
})

describe('through a pooler that gives a connection to each transaction', () => {
  test('a transaction sets its own timeouts, the session has none, and no statement has a name', async () => {
    const url = db.connections.pool.options.connectionString!
    await using pooled = await open(url, url)
    const { pool, clientOf } = pooled.connections
    const show = async (on: Pick<pg.ClientBase, 'query'>) => (await on.query('show lock_timeout')).rows[0].lock_timeout
    expect(await show(pool as never)).toBe('0')
    expect(await pooled.write(['account:1'], (tx) => show(clientOf(tx)))).toBe('15s')
    expect(await show(pool as never)).toBe('0')
    expect((await pool.query({ name: 'one', text: 'select 1 as one' })).rows).toEqual([{ one: 1 }])
    expect(await pooled.positions.oldest(1)).toBe(await db.positions.oldest(1))
    expect((await pool.query('select name from pg_prepared_statements')).rows).toEqual([])
  })

  test('migrations and notices go to the database itself', async () => {
    await using pooled = await open(db.connections.pool.options.connectionString!, 'postgres://127.0.0.1:1/direct')
    await expect(migrate(pooled, new Date())).rejects.toThrow('The database postgres://127.0.0.1:1/direct does not answer.')
    const { errors } = pooled
    const unlisten = pooled.log!.listen(
      () => {},
      () => {},
    )
    await expect.poll(() => errors.map(({ message }) => message).join()).toContain('ECONNREFUSED 127.0.0.1:1')
    unlisten()
  })

  async function open(url: string, directUrl: string) {
    const errors: Error[] = []
    const opened = await openPostgres(url, { max: 1, directUrl, onError: (error) => void errors.push(error) })
    return { ...opened, errors, [Symbol.asyncDispose]: () => opened.close() }
  }
})
