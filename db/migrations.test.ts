import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deviceKeys } from '#db/tables/devices.ts'
import { liveEvents } from '#db/tables/positions.ts'
import { MIGRATIONS, migrate, openDb } from './open.ts'

/** The migrations of the release that had so many. */
function releaseWith(count: number) {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'release-')), 'migrations')
  cpSync(MIGRATIONS, folder, { recursive: true })
  const journal = path.join(folder, 'meta', '_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  expect(entries.length).toBeGreaterThan(count)
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }))
  return folder
}

test('a file of the first release keeps its data', async () => {
  const db = openDb(':memory:')
  migrate(db, releaseWith(1))
  db.raw.exec(`
    insert into accounts (id, is_pro) values (1, 0);
    insert into devices (id, account_id, type, board_name, name, kind, created_at, mode, sub_state) values (7, 1, 'tracker_01', 'T1', 'Rex', 'dog', 0, 1, 'active');
    insert into device_keys (hash, label) values ('abc', 'Gateway');
    insert into live_events (id, device_id, type, body, at) values (41, 7, 'status', '{}', 1000);
  `)
  expect(db.isReady()).toBe(false)
  migrate(db)
  expect(db.isReady()).toBe(true)
  expect(await db.read.select().from(deviceKeys)).toMatchObject([{ hash: 'abc', label: 'Gateway', deviceId: null }])
  expect(await db.read.select().from(liveEvents)).toMatchObject([{ id: 41, deviceId: 7 }])
  expect(db.raw.pragma('foreign_key_check')).toEqual([])
  db.close()
})

test('the number of a live event is never given twice', async () => {
  const db = openDb(':memory:')
  migrate(db, MIGRATIONS)
  db.raw.pragma('foreign_keys = OFF')
  const add = () =>
    db.write((tx) =>
      tx
        .insert(liveEvents)
        .values({ deviceId: 1, type: 'status', body: '{}', at: new Date(0) })
        .returning(),
    )
  const [first] = await add()
  await db.write((tx) => tx.delete(liveEvents).where(sql`true`))
  const [second] = await add()
  expect(second!.id).toBe(first!.id + 1)
  db.close()
})
