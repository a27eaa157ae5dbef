import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#db/db.ts'
import { accounts } from '#db/schema/accounts.ts'
import { backUp, restore } from './backup.ts'
import { connect } from './driver.ts'
import { migrate, openSqlite } from './open.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const LETTER = 'a letter, not a database. '.repeat(300)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => path.join(folder, name)
const names = () => readdirSync(folder).sort()

const add = (db: Db, id: number) => db.write('everything', async (tx) => void (await tx.insert(accounts).values({ id })))
const idsIn = (file: string) => {
  const db = connect(file)
  const ids = db.prepare('select id from accounts order by id').pluck().all()
  db.close()
  return ids
}

async function fresh() {
  const db = openSqlite(at('portal.db'))
  migrate(db)
  await add(db, 1)
  return db
}

/** A backup with account 1 of a database that now has accounts 1 and 2 and is closed. */
async function backedUp() {
  const db = await fresh()
  backUp(at('portal.db'), at('kept.db'))
  await add(db, 2)
  db.close()
}

describe('a backup', () => {
  test('a backup made while the server writes is one complete file', async () => {
    const db = await fresh()
    backUp(at('portal.db'), at('kept.db'))
    await add(db, 2)
    expect(idsIn(at('kept.db'))).toEqual([1])
    expect(idsIn(at('portal.db'))).toEqual([1, 2])
    db.close()
    expect(names()).toEqual(['kept.db', 'portal.db'])
  })

  test('a backup never replaces an existing file', async () => {
    const db = await fresh()
    writeFileSync(at('kept.db'), 'a letter')
    expect(() => backUp(at('portal.db'), at('kept.db'))).toThrow(`${at('kept.db')} exists`)
    expect(readFileSync(at('kept.db'), 'utf8')).toBe('a letter')
    db.close()
  })

  test('a backup without a database is rejected, and creates nothing', () => {
    expect(() => backUp(at('portal.db'), at('kept.db'))).toThrow(`There is no database ${at('portal.db')}`)
    expect(names()).toEqual([])
  })

  test('a backup of a file that is not a database is rejected', () => {
    writeFileSync(at('portal.db'), LETTER)
    expect(() => backUp(at('portal.db'), at('kept.db'))).toThrow('is not a database')
    expect(names()).toEqual(['portal.db'])
  })
})

describe('a restore', () => {
  test("a restore brings back the backup's rows, and keeps the former database next to it", async () => {
    await backedUp()
    expect(restore(at('kept.db'), at('portal.db'), NOW)).toBe(at('portal.db.until-2026-03-02T090000Z'))
    expect(idsIn(at('portal.db'))).toEqual([1])
    expect(idsIn(at('portal.db.until-2026-03-02T090000Z'))).toEqual([1, 2])
    expect(names()).toEqual(['kept.db', 'portal.db', 'portal.db.until-2026-03-02T090000Z'])
  })

  test('a restore creates a database where there is none', async () => {
    await backedUp()
    rmSync(at('portal.db'))
    expect(restore(at('kept.db'), at('portal.db'), NOW)).toBeUndefined()
    const db = openSqlite(at('portal.db'))
    expect(await db.isReady()).toBe(true)
    db.close()
  })

  test('a restore replaces a damaged database, which is preserved unchanged', async () => {
    await backedUp()
    writeFileSync(at('portal.db'), LETTER)
    writeFileSync(at('portal.db-wal'), 'what the last crash left')
    const former = restore(at('kept.db'), at('portal.db'), NOW)
    expect(idsIn(at('portal.db'))).toEqual([1])
    expect(readFileSync(former!, 'utf8')).toBe(LETTER)
    expect(names()).toEqual(['kept.db', 'portal.db', 'portal.db.until-2026-03-02T090000Z'])
  })

  test('a restore is refused while a server has the database open, and changes nothing', async () => {
    await backedUp()
    const server = openSqlite(at('portal.db'))
    expect(() => restore(at('kept.db'), at('portal.db'), NOW)).toThrow('is locked by another program. Stop the other server')
    await add(server, 3)
    server.close()
    expect(idsIn(at('portal.db'))).toEqual([1, 2, 3])
    expect(names()).toEqual(['kept.db', 'portal.db'])
  })

  test.each([
    ['a letter', () => writeFileSync(at('other'), LETTER)],
    ['an empty file', () => writeFileSync(at('other'), '')],
    ['a database of something else', () => connect(at('other')).exec('create table notes (text)').close()],
    [
      'half a backup',
      () => {
        const whole = readFileSync(at('kept.db'))
        writeFileSync(at('other'), whole.subarray(0, whole.length / 2))
      },
    ],
  ])('of %s is refused, and changes nothing', async (_, make) => {
    await backedUp()
    make()
    expect(() => restore(at('other'), at('portal.db'), NOW)).toThrow(`${at('other')} is not a whole backup of Whereabouts.`)
    expect(idsIn(at('portal.db'))).toEqual([1, 2])
    expect(names()).toEqual(['kept.db', 'other', 'portal.db'])
  })

  test('a restore from a missing file says so', () => {
    expect(() => restore(at('kept.db'), at('portal.db'), NOW)).toThrow(`There is no file ${at('kept.db')}.`)
  })
})
