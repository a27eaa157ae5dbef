import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { connect } from './driver.ts'
import { migrate, openDb } from './open.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => path.join(folder, 'portal.db')

function fresh() {
  const db = openDb(file())
  migrate(db)
  return db
}

test('a write is kept whole', async () => {
  const db = fresh()
  await db.write(async (tx) => void (await tx.insert(accounts).values({ id: 1 })))
  expect(await db.read.select().from(accounts)).toHaveLength(1)
  db.close()
})

test('a write that fails leaves nothing, and the next one works', async () => {
  const db = fresh()
  const failing = db.write(async (tx) => {
    await tx.insert(accounts).values({ id: 1 })
    throw new Error('half way')
  })
  await expect(failing).rejects.toThrow('half way')
  expect(await db.read.select().from(accounts)).toHaveLength(0)
  await db.write(async (tx) => void (await tx.insert(accounts).values({ id: 2 })))
  expect(await db.read.select().from(accounts)).toMatchObject([{ id: 2 }])
  db.close()
})

test('writes take turns, even when all begin at once', async () => {
  const db = fresh()
  const count = async () => (await db.read.select().from(accounts)).length
  const seen: number[] = []
  const turn = () =>
    db.write(async (tx) => {
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

test('what is not yet kept, nobody else reads', async () => {
  const db = fresh()
  await db.write(async (tx) => {
    await tx.insert(accounts).values({ id: 1 })
    expect(await db.read.select().from(accounts)).toHaveLength(0)
  })
  expect(await db.read.select().from(accounts)).toHaveLength(1)
  db.close()
})

test('migrations run once, and again without harm', () => {
  const db = fresh()
  migrate(db)
  expect(db.isReady()).toBe(true)
  db.close()
})

test('positions are clustered by tracker and second', () => {
  const db = fresh()
  const [{ sql }] = db.raw.prepare("select sql from sqlite_master where name = 'positions'").all() as [{ sql: string }]
  expect(sql).toMatch(/WITHOUT ROWID/)
  db.close()
})

test('a database that was not migrated is not ready', () => {
  const db = openDb(file())
  expect(() => db.isReady()).toThrow()
  db.close()
})

test('a file that is no database is named, with what to do', () => {
  writeFileSync(file(), 'this is a letter, not a database'.repeat(200))
  expect(() => openDb(file())).toThrow(`The database ${file()} is not a database. Restore a backup`)
})

test('a damaged file is named, with what to do', () => {
  fresh().close()
  const bytes = readFileSync(file())
  bytes.fill(7, 100, 8000)
  writeFileSync(file(), bytes)
  expect(() => openDb(file())).toThrow(`The database ${file()} is damaged. Restore a backup`)
})

test('a file that another program holds is named, with what to do', () => {
  fresh().close()
  const other = connect(file())
  other.pragma('journal_mode = DELETE')
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE')
  expect(() => openDb(file(), { busyTimeout: 20 })).toThrow(`The database ${file()} is locked by another program`)
  other.close()
})

test('a folder that does not exist is named, with what to do', () => {
  expect(() => openDb(path.join(folder, 'nowhere', 'portal.db'))).toThrow('cannot be opened. Check that the folder exists')
})
