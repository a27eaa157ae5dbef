import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { connect } from './driver.ts'
import { migrate, openSqlite } from './open.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const createSignal = () => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
const file = () => path.join(folder, 'portal.db')

function fresh() {
  const db = openSqlite(file())
  migrate(db)
  return db
}

function inMemory() {
  const db = openSqlite(':memory:')
  migrate(db)
  return db
}

test('a write is stored completely', async () => {
  const db = fresh()
  await db.write('everything', async (tx) => void (await tx.insert(accounts).values({ id: 1 })))
  expect(await db.read.select().from(accounts)).toHaveLength(1)
  db.close()
})

test('a failed write leaves nothing, and the next one works', async () => {
  const db = fresh()
  const failing = db.write('everything', async (tx) => {
    await tx.insert(accounts).values({ id: 1 })
    throw new Error('half way')
  })
  await expect(failing).rejects.toThrow('half way')
  expect(await db.read.select().from(accounts)).toHaveLength(0)
  await db.write('everything', async (tx) => void (await tx.insert(accounts).values({ id: 2 })))
  expect(await db.read.select().from(accounts)).toMatchObject([{ id: 2 }])
  db.close()
})

test('writes take turns, even when all begin at once', async () => {
  const db = fresh()
  const count = async () => (await db.read.select().from(accounts)).length
  const seen: number[] = []
  const turn = () =>
    db.write('everything', async (tx) => {
      const before = (await tx.select().from(accounts)).length
      await Promise.resolve()
      await tx.insert(accounts).values({ id: before + 1 })
      seen.push(before)
    })
  await Promise.all(Array.from({ length: 20 }, turn))
  expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => i))
  expect(await count()).toBe(20)
  db.close()
})

describe.each([
  ['file', fresh],
  ['memory', () => inMemory()],
] as const)('readers of a database in %s', (_, open) => {
  test('uncommitted writes are invisible to other readers', async () => {
    const db = open()
    const begun = createSignal()
    const goOn = createSignal()
    const writing = db.write('everything', async (tx) => {
      await tx.insert(accounts).values({ id: 1 })
      await db.positions.add(tx, 1, [{ time: 1, lat: 0, lng: 0, precision: 1, event: null, battery: null }])
      begun.resolve()
      await goOn.promise
      throw new Error('half way')
    })
    await begun.promise
    const rows = db.read.select().from(accounts)
    const reads = Promise.all([rows, db.read.$count(accounts), db.read.query.accounts.findMany(), db.positions.count(1, 0, 9)])
    goOn.resolve()
    await expect(writing).rejects.toThrow('half way')
    expect(await reads).toEqual([[], 0, [], 0])
    await db.close()
  })

  test('committed writes are visible to the next reader', async () => {
    const db = open()
    await db.write('everything', (tx) => tx.insert(accounts).values([{ id: 1 }, { id: 2 }]))
    expect(await db.read.$count(accounts)).toBe(2)
    expect((await db.read.query.accounts.findFirst())?.id).toBe(1)
    expect(await db.read.select().from(accounts)).toMatchObject([{ id: 1 }, { id: 2 }])
    await db.close()
  })

  test('a reader gets its rows between two of many queued transactions', async () => {
    const db = open()
    await db.read.$count(accounts) // sets up the reader
    const writes = Array.from({ length: 20 }, (_, index) =>
      db.write('everything', async (tx) => {
        await tx.insert(accounts).values({ id: index + 1 })
        await new Promise((resolve) => setImmediate(resolve))
      }),
    )
    await writes[0]
    expect(await db.read.$count(accounts)).toBeLessThan(20)
    await Promise.all(writes)
    expect(await db.read.$count(accounts)).toBe(20)
    await db.close()
  })
})

test('in memory, a read inside a transaction that bypasses its tx fails with a clear error', async () => {
  vi.useFakeTimers()
  try {
    const db = inMemory()
    const wrong = expect(db.write('everything', () => db.positions.count(1, 0, 9))).rejects.toThrow('read through its tx')
    await vi.advanceTimersByTimeAsync(10_000)
    await wrong
    await db.write('everything', (tx) => tx.insert(accounts).values({ id: 1 }))
    expect(await db.read.$count(accounts)).toBe(1)
    await db.close()
  } finally {
    vi.useRealTimers()
  }
})

test('migrations run once, and again without harm', async () => {
  const db = fresh()
  migrate(db)
  expect(await db.isReady()).toBe(true)
  db.close()
})

test('positions are clustered by tracker and second', () => {
  const db = fresh()
  const [{ sql }] = db.raw.prepare("select sql from sqlite_master where name = 'positions'").all() as [{ sql: string }]
  expect(sql).toMatch(/WITHOUT ROWID/)
  db.close()
})

test('a database that was not migrated is not ready', async () => {
  const db = openSqlite(file())
  await expect(db.isReady()).rejects.toThrow()
  db.close()
})

test('a file that is not a database is named, with a remedy', () => {
  writeFileSync(file(), 'this is a letter, not a database'.repeat(200))
  expect(() => openSqlite(file())).toThrow(`The database ${file()} is not a database. Restore a backup`)
})

test('a damaged file is named, with a remedy', () => {
  fresh().close()
  const bytes = readFileSync(file())
  bytes.fill(7, 100, 8000)
  writeFileSync(file(), bytes)
  expect(() => openSqlite(file())).toThrow(`The database ${file()} is damaged. Restore a backup`)
})

test('a file locked by another program is named, with a remedy', () => {
  fresh().close()
  const other = connect(file())
  other.pragma('journal_mode = DELETE')
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE')
  expect(() => openSqlite(file(), { busyTimeout: 20 })).toThrow(`The database ${file()} is locked by another program`)
  other.close()
})

test('a folder that does not exist is named, with a remedy', () => {
  expect(() => openSqlite(path.join(folder, 'nowhere', 'portal.db'))).toThrow('cannot be opened. Check that the folder exists')
})

test('an empty file is rejected: it is the remainder of a lost database', () => {
  writeFileSync(file(), '')
  expect(() => openSqlite(file())).toThrow(`The database ${file()} is empty. Restore a backup`)
})

test('a database of a newer release is rejected and left unchanged', () => {
  const db = fresh()
  db.raw.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run('later', 9e14)
  db.close()
  const again = openSqlite(file())
  expect(() => migrate(again)).toThrow(`The database ${file()} belongs to a newer release.`)
  again.close()
})

test('only the owner may read the database and its journal', async () => {
  fresh().close()
  chmodSync(file(), 0o644)
  const db = openSqlite(file())
  await db.write('everything', async (tx) => void (await tx.insert(accounts).values({ id: 1 })))
  for (const name of readdirSync(folder)) expect((statSync(path.join(folder, name)).mode & 0o777).toString(8), name).toBe('600')
  db.close()
})

test('a write waits for the lock of another program without blocking the process', async () => {
  const db = fresh()
  const other = connect(file())
  other.exec('BEGIN IMMEDIATE')
  const written = db.write('everything', async (tx) => void (await tx.insert(accounts).values({ id: 1 })))
  const ticks = vi.fn()
  const timer = setInterval(ticks, 1)
  await expect.poll(() => ticks.mock.calls.length).toBeGreaterThan(20)
  clearInterval(timer)
  expect(await db.read.select().from(accounts)).toEqual([])
  other.exec('COMMIT')
  await written
  expect(await db.read.select().from(accounts)).toHaveLength(1)
  other.close()
  db.close()
})

test('a write gives up when another program keeps its lock', async () => {
  const db = openSqlite(file(), { busyTimeout: 40 })
  migrate(db)
  const other = connect(file())
  other.exec('BEGIN IMMEDIATE')
  await expect(db.write('everything', async (tx) => void (await tx.insert(accounts).values({ id: 1 })))).rejects.toMatchObject({
    code: 'SQLITE_BUSY',
  })
  expect(db.transactions).toEqual({ committed: 0, retried: 0, failed: 1 })
  other.close()
  db.close()
})

test('a database that cannot be written is not ready', async () => {
  const db = fresh()
  db.raw.pragma('query_only = ON')
  await expect(db.isReady()).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
  db.close()
})

test('a database that is busy with a long transaction is ready, because the last write counts', async () => {
  const db = fresh()
  const [begun, ended] = [createSignal(), createSignal()]
  const long = db.write('everything', () => {
    begun.resolve()
    return ended.promise
  })
  await begun.promise
  expect(await db.isReady()).toBe(true)
  ended.resolve()
  await long
  db.close()
})

test('the journal of a database is truncated after a large transaction', async () => {
  const db = fresh()
  const rows = Array.from({ length: 60_000 }, (_, id) => ({ id: id + 1 }))
  await db.write('everything', async (tx) => {
    for (let at = 0; at < rows.length; at += 500) await tx.insert(accounts).values(rows.slice(at, at + 500))
  })
  db.raw.exec('create table large (text); insert into large select hex(randomblob(2000)) from accounts limit 10000')
  db.raw.pragma('wal_checkpoint(RESTART)')
  await db.write('everything', async (tx) => void (await tx.insert(accounts).values({ id: 99_999 })))
  expect(statSync(`${file()}-wal`).size).toBeLessThanOrEqual(17 * 1024 * 1024)
  db.close()
})

test('a long queue of slow transactions leaves turns to the event loop', async () => {
  const db = fresh()
  const count = 'with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 300000) select count(*) from numbers'
  let committed = 0
  const slow = Array.from({ length: 12 }, () =>
    db.write('everything', async () => void db.raw.prepare(count).get()).then(() => committed++),
  )
  await nextTurn()
  expect(committed).toBeLessThan(12)
  await Promise.all(slow)
  db.close()
})
