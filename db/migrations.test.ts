import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accounts, users } from '#db/tables/accounts.ts'
import { type Db, MIGRATIONS, migrate, openDb } from './open.ts'

let folder = ''
let db: Db
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  db = openDb(join(folder, 'portal.db'))
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const steps = () => db.raw.prepare('select count(*) from __drizzle_migrations').pluck().get()
const schema = () => db.raw.prepare("select name, sql from sqlite_schema where name not like '\\_\\_%' escape '\\' order by name").all()
const journal = (from: string) =>
  JSON.parse(readFileSync(join(from, 'meta/_journal.json'), 'utf8')) as { entries: { idx: number; tag: string; when: number }[] }
const ana = { id: 1, accountId: 1, username: 'ana', email: 'ana@example.com', firstName: 'Ana', lastName: 'B', createdAt: new Date(0) }

/** The migrations of the next release: ours and one more. */
function nextRelease(sql: string) {
  const next = join(folder, 'next')
  cpSync(MIGRATIONS, next, { recursive: true })
  const known = journal(next)
  const last = known.entries.at(-1)!
  known.entries.push({ ...last, idx: last.idx + 1, tag: 'next', when: last.when + 1 })
  writeFileSync(join(next, 'meta/_journal.json'), JSON.stringify(known))
  writeFileSync(join(next, 'next.sql'), sql)
  return next
}

const keep = () =>
  db.write(async (tx) => {
    await tx.insert(accounts).values({ id: 1 })
    await tx.insert(users).values(ana)
  })

describe('migrations', () => {
  test('bring an empty file to the newest schema', () => {
    migrate(db)
    expect(db.isReady()).toBe(true)
    expect(steps()).toBe(journal(MIGRATIONS).entries.length)
  })

  test('run a second time change nothing', async () => {
    migrate(db)
    const before = schema()
    await keep()
    migrate(db)
    expect(schema()).toEqual(before)
    expect(steps()).toBe(journal(MIGRATIONS).entries.length)
    expect(await db.read.select().from(users)).toHaveLength(1)
  })

  test('are known to a file that is opened again', async () => {
    migrate(db)
    await keep()
    db.close()
    db = openDb(join(folder, 'portal.db'))
    expect(db.isReady()).toBe(true)
    migrate(db)
    expect(await db.read.select().from(users)).toMatchObject([{ email: 'ana@example.com', role: 'user', language: 'en', currency: 'eur' }])
  })

  test('of the next release run on data of this one, and only they', async () => {
    migrate(db)
    await keep()
    migrate(db, nextRelease("ALTER TABLE `users` ADD `nickname` text DEFAULT 'none' NOT NULL;"))
    expect(db.raw.prepare('select email, nickname from users').all()).toEqual([{ email: 'ana@example.com', nickname: 'none' }])
    expect(steps()).toBe(journal(MIGRATIONS).entries.length + 1)
  })

  test('that fail leave the file as it was, with references still checked', async () => {
    migrate(db)
    await keep()
    const before = schema()
    const broken = nextRelease('CREATE TABLE `half` (`id` integer);\n--> statement-breakpoint\nALTER TABLE `nobody` ADD `x` text;')
    expect(() => migrate(db, broken)).toThrow()
    expect(schema()).toEqual(before)
    expect(db.raw.pragma('foreign_keys', { simple: true })).toBe(1)
    expect(await db.read.select().from(users)).toHaveLength(1)
  })

  test('leave references checked', async () => {
    migrate(db)
    expect(db.raw.pragma('foreign_keys', { simple: true })).toBe(1)
    await expect(db.write((tx) => tx.insert(users).values({ ...ana, accountId: 9 }))).rejects.toThrow(/FOREIGN KEY/)
    expect(db.raw.pragma('foreign_key_check')).toEqual([])
  })

  test('are the same in memory as in a file', () => {
    migrate(db)
    const memory = openDb(':memory:')
    migrate(memory)
    const there = memory.raw.prepare("select name, sql from sqlite_schema where name not like '\\_\\_%' escape '\\' order by name").all()
    expect(there).toEqual(schema())
    memory.close()
  })
})
