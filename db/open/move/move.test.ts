import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openSharedDb } from '#db/open/open-db.ts'
import { connect } from '#db/sqlite/driver.ts'
import { lockFolder } from '#db/sqlite/lock.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { createEmptyDatabase } from '#server/test/postgres/test-databases.ts'
import { findProgram } from '#server/test/test-process.ts'
import { isSame, moveDatabase } from './move.ts'

const FILENAME = 'whereabouts.db'
const now = new Date('2026-03-02T09:00:00Z')

/** A data folder with the seeded database, and an empty PostgreSQL. */
async function createMove(change = (_: ReturnType<typeof connect>) => {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-move-'))
  const file = path.join(folder, FILENAME)
  copyFileSync(templateFile(), file)
  const sqlite = connect(file)
  change(sqlite)
  sqlite.close()
  const { url, remove } = await createEmptyDatabase()
  const client = new pg.Client(url)
  await client.connect()
  client.on('error', () => {})
  return {
    folder,
    file,
    url,
    client,
    move: (options = {}) => moveDatabase({ folder, filename: FILENAME, url, now, ...options }),
    async [Symbol.asyncDispose]() {
      await client.end()
      await remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function addPositions(sqlite: ReturnType<typeof connect>, count: number) {
  const add = sqlite.prepare(
    `insert or ignore into positions (device_id, time, lat, lng, precision, event, battery, altitude)
     with recursive n(i) as (select 0 union all select i + 1 from n where i < ? - 1)
     select 1000 + i % 50, 1600000000 + i / 50 * 300, i % 900000000 - 450000000, i % 7 * -1000, i % 40, i % 3, null, -i % 50 from n`,
  )
  add.run(count)
}

test('a database moves completely: every table is equal, and new rows get ids after those that moved', async () => {
  await using moved = await createMove()
  const tables = await moved.move()
  expect(tables.filter((table) => !isSame(table))).toEqual([])
  expect(tables.length).toBeGreaterThan(50)
  expect(tables.find(({ name }) => name === 'positions')?.source.rows).toBeGreaterThan(0)
  const sqlite = connect(moved.file)
  const newest = sqlite.prepare("select seq from sqlite_sequence where name = 'accounts'").pluck().get()
  sqlite.close()
  const { rows } = await moved.client.query('insert into accounts default values returning id')
  expect(rows[0].id).toBe(Number(newest) + 1)
})

test('the comparison detects one changed row in a table of numbers and in one of texts', async () => {
  await using moved = await createMove()
  const tables = await moved.move({
    async onVerify(name: string) {
      if (name !== 'accounts') return
      await moved.client.query('update positions set lat = lat + 1 where ctid = (select ctid from positions limit 1)')
      await moved.client.query("update users set first_name = 'X' where id = (select min(id) from users)")
    },
  })
  expect(tables.filter((table) => !isSame(table)).map(({ name }) => name)).toEqual(['users', 'positions'])
})

test('positions of all months get partitions of their own', async () => {
  await using moved = await createMove((sqlite) => addPositions(sqlite, 20_000))
  await moved.move()
  const { rows } = await moved.client.query('select count(*) as n from positions_other')
  expect(Number(rows[0].n)).toBe(0)
})

test('a move that is killed in the middle continues where it stopped', async () => {
  await using moved = await createMove((sqlite) => addPositions(sqlite, 120_000))
  const program = await findProgram('server/move.ts')
  const start = () => {
    const args = [program, '--from', moved.folder, '--to', moved.url]
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH } })
    const out: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => out.push(String(text)))
    return {
      child,
      ended: new Promise<{ code: number | null; out: string }>((resolve) =>
        child.on('close', (code) => resolve({ code, out: out.join('') })),
      ),
    }
  }
  const readRows = async () => {
    const statement = "select rows from whereabouts_move.progress where name = 'positions' and rows > 0 and not is_done"
    const { rows } = await moved.client.query(statement).catch(() => ({ rows: [] }))
    return Number(rows[0]?.rows ?? 0)
  }
  const first = start()
  const end = first.ended.then(({ out }) => Promise.reject(new Error(out)))
  while ((await readRows()) === 0) await Promise.race([delay(5), end])
  end.catch(() => {})
  first.child.kill('SIGKILL')
  await first.ended
  const before = await readRows()
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(300_000)
  await expect(openSharedDb(moved.url, now, {})).rejects.toThrow('A move into this database has not ended.')

  const { code, out } = await start().ended
  expect(out).toContain('Moved ')
  expect(out).not.toContain('DIFFERENT')
  expect(code).toBe(0)
  const { rows } = await moved.client.query("select to_regclass('whereabouts_move.progress') as name")
  expect(rows[0].name).toBeNull()
  await (await openSharedDb(moved.url, now, {})).close()
})

test('a target with rows is rejected, even that of a finished move', async () => {
  await using moved = await createMove()
  await moved.move()
  await expect(moved.move()).rejects.toThrow('The target is not empty: accounts has rows.')
})

test('a data folder in use is rejected', async () => {
  await using moved = await createMove()
  const unlock = lockFolder(moved.folder)
  await expect(moved.move()).rejects.toThrow(`A server uses the data folder ${moved.folder}.`)
  unlock()
})

test.each([
  ['a newer', 'update __drizzle_migrations set created_at = created_at + 1e12', 'belongs to a newer release'],
  ['an older', 'delete from __drizzle_migrations where created_at = (select max(created_at) from __drizzle_migrations)', 'older release'],
])('a source of %s release is refused', async (_, statement, sentence) => {
  await using moved = await createMove((sqlite) => sqlite.exec(statement))
  await expect(moved.move()).rejects.toThrow(sentence)
})

test('a folder without a database is rejected', async () => {
  await using moved = await createMove()
  await expect(moved.move({ filename: 'other.db' })).rejects.toThrow('There is no database')
})

test('a NUL in a text stops the move with row and column, and is replaced on request', async () => {
  await using moved = await createMove((sqlite) => sqlite.prepare("update users set first_name = 'A' || char(0) || 'B' where id = 2").run())
  await expect(moved.move()).rejects.toThrow('the row 2 of users has a NUL in first_name')
  const tables = await moved.move({ replacesNul: true })
  expect(tables.filter((table) => !isSame(table))).toEqual([])
  const { rows } = await moved.client.query('select first_name from users where id = 2')
  expect(rows[0].first_name).toBe('A\ufffdB')
})

test('half of a surrogate pair moves as the three replacement characters that SQLite returns for it', async () => {
  await using moved = await createMove((sqlite) => sqlite.exec("update users set last_name = cast(x'41eda080' as text) where id = 2"))
  const tables = await moved.move()
  expect(tables.filter((table) => !isSame(table))).toEqual([])
  const { rows } = await moved.client.query('select last_name from users where id = 2')
  expect(rows[0].last_name).toBe('A\ufffd\ufffd\ufffd')
})

test('a row that PostgreSQL rejects is named in the error', async () => {
  await using moved = await createMove((sqlite) => sqlite.exec('update places set radius = 1.5 where id = (select min(id) from places)'))
  await expect(moved.move()).rejects.toThrow(/PostgreSQL refuses the row \d+ of places: .*1\.5/)
})
