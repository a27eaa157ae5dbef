import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { invoices } from '#db/tables/commerce.ts'
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

test('an invoice of the first release gets the lines and the tax of its order, one without an order none', async () => {
  const db = openDb(':memory:')
  migrate(db, releaseWith(1))
  db.raw.exec(`
    insert into accounts (id, is_pro) values (1, 0);
    insert into orders (reference, account_id, date, status, total, tax, currency, lines)
      values ('ORD-1', 1, 0, 'delivered', 199, 35, 'eur', '[{"label":"1 month","quantity":1,"unit_amount":199}]');
    insert into invoices (id, account_id, number, date, amount, balance, currency, status, order_reference)
      values (1, 1, 'INV-1', 0, 199, 0, 'eur', 'paid', 'ORD-1'), (2, 1, 'INV-2', 0, 199, 199, 'eur', 'failed', null);
  `)
  migrate(db)
  expect(await db.read.select().from(invoices)).toMatchObject([
    { number: 'INV-1', tax: 35, lines: [{ label: '1 month', quantity: 1, unit_amount: 199 }], providerId: null },
    { number: 'INV-2', tax: null, lines: [] },
  ])
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
