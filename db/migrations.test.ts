import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { invoices } from '#db/schema/commerce.ts'
import { deviceKeys, includedMonthsUsed, stockItems } from '#db/schema/devices.ts'
import { liveEvents, liveMarks } from '#db/schema/positions.ts'
import { MIGRATIONS, migrate, openSqlite, type SqliteDb } from '#db/sqlite/open.ts'

/** Every row of every table that two releases have in common; the list of the factory has another name by now. */
function rowsOf({ raw }: SqliteDb) {
  const tables = raw.prepare(
    "select name from sqlite_schema where type = 'table' and name not glob '*_migrations' and name not glob 'sqlite_*' and name <> 'factory_devices'",
  )
  return Object.fromEntries((tables.pluck().all() as string[]).map((name) => [name, raw.prepare(`select * from ${name}`).all()]))
}

/** Trackers of a release that deleted the claimed ones from the list of the factory. */
const OLD_TRACKERS = `
  insert into accounts (id, is_pro) values (3, 0);
  insert into factory_devices (identifier, serial, type, board_name) values ('9000000001', 'FACTORY00001', 'tracker_06', 'T6');
  insert into devices (id, account_id, type, board_name, name, kind, identifier, serial, created_at, mode, sub_state) values
    (1, 3, 'tracker_01', 'T1', 'A', 'dog', '1000000001', 'AAAA00000001', 1000, 1, 'active'),
    (2, 3, 'tracker_02', 'T2', 'B', 'dog', '1000000002', 'AAAA00000002', 2000, 1, 'not_activated'),
    (3, 3, 'tracker_01', 'T1', 'C', 'dog', '1000000003', null, 3000, 1, 'ended');
  insert into subscriptions (device_id, is_recurring, months, extra, options, started_at) values (1, 0, 12, 0, '[]', 5000);`

/** The migrations of the release that had `count` migrations. */
function releaseWith(count: number) {
  const parent = mkdtempSync(path.join(tmpdir(), 'release-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = path.join(parent, 'migrations')
  cpSync(MIGRATIONS, folder, { recursive: true })
  const journal = path.join(folder, 'meta', '_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  expect(entries.length).toBeGreaterThan(count)
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }))
  return folder
}

test('a database file of the first release keeps its data', async () => {
  const db = openSqlite(':memory:')
  migrate(db, releaseWith(1))
  db.raw.exec(`
    insert into accounts (id, is_pro) values (1, 0);
    insert into devices (id, account_id, type, board_name, name, kind, created_at, mode, sub_state) values (7, 1, 'tracker_01', 'T1', 'Rex', 'dog', 0, 1, 'active');
    insert into device_keys (hash, label) values ('abc', 'Gateway');
    insert into live_events (id, device_id, type, body, at) values (41, 7, 'status', '{}', 1000);
  `)
  expect(await db.isReady()).toBe(false)
  migrate(db)
  expect(await db.isReady()).toBe(true)
  expect(await db.read.select().from(deviceKeys)).toMatchObject([{ hash: 'abc', label: 'Gateway', deviceId: null }])
  expect(await db.read.select().from(liveEvents)).toMatchObject([{ id: 41, deviceId: 7 }])
  expect(db.raw.pragma('foreign_key_check')).toEqual([])
  db.close()
})

test('a live event of an older release gets the account of its tracker, and the log a mark before its oldest event', async () => {
  const db = openSqlite(':memory:')
  migrate(db, releaseWith(35))
  db.raw.exec(`
    insert into accounts (id, is_pro) values (3, 0);
    insert into devices (id, account_id, type, board_name, name, kind, created_at, mode, sub_state) values (7, 3, 'tracker_01', 'T1', 'Rex', 'dog', 0, 1, 'active');
    insert into live_events (id, device_id, type, body, at) values (41, 7, 'status', '{}', 1000), (42, 7, 'status', '{}', 2000);
  `)
  migrate(db)
  expect(await db.read.select().from(liveEvents)).toMatchObject([{ accountId: 3 }, { accountId: 3 }])
  expect(await db.read.select().from(liveMarks)).toEqual([{ accountId: 0, prunedTo: 40 }])
  db.close()
})

test('trackers without and with an account become stock items, and activated ones have used their included months', async () => {
  const db = openSqlite(':memory:')
  migrate(db, releaseWith(46))
  db.raw.exec(OLD_TRACKERS)
  migrate(db)
  const items = await db.read.select().from(stockItems).orderBy(stockItems.identifier)
  expect(items).toMatchObject([
    {
      identifier: '1000000001',
      serial: 'AAAA00000001',
      type: 'tracker_01',
      boardName: 'T1',
      includedMonths: 12,
      batch: null,
      addedAt: null,
      isClaimed: true,
    },
    { identifier: '1000000002', serial: 'AAAA00000002', type: 'tracker_02', boardName: 'T2', isClaimed: true },
    { identifier: '9000000001', serial: 'FACTORY00001', type: 'tracker_06', boardName: 'T6', isClaimed: false },
  ])
  expect(await db.read.select().from(includedMonthsUsed).orderBy(includedMonthsUsed.key)).toEqual([
    { key: '1000000001', at: new Date(5000) },
    { key: '1000000003', at: new Date(3000) },
  ])
  db.close()
})

test('an invoice of the first release gets the lines and the tax of its order, and without an order none', async () => {
  const db = openSqlite(':memory:')
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

test('all references to a row are preserved when the keys of the tables become serial', () => {
  const db = openSqlite(':memory:')
  migrate(db, releaseWith(9))
  db.raw.exec(`
    insert into accounts (id, is_pro, stripe_customer) values (3, 1, 'cus_1');
    insert into users (id, account_id, username, email, role, first_name, last_name, created_at) values (5, 3, 'ana', 'ana@example.com', 'admin', 'A', 'B', 1);
    insert into tokens (hash, user_id, expires_at) values ('abc', 5, 1);
    insert into email_keys (hash, user_id, kind, expires_at) values ('def', 5, 'reset', 1);
    insert into emails (id, user_id, "to", template, language, data, created_at) values (8, 5, 'ana@example.com', 'reset', 'en', '{}', 1);
    insert into tags (id, account_id, name, key, color) values (2, 3, 'Pets', 'pets', '#ffffff');
    insert into devices (id, account_id, tag_id, type, board_name, name, kind, created_at, mode, sub_state) values (7, 3, 2, 'tracker_01', 'T1', 'Rex', 'dog', 0, 1, 'active');
    insert into device_keys (id, hash, label, device_id) values (4, 'ghi', 'Phone', 7);
    insert into hidden_devices (user_id, device_id) values (5, 7);
    insert into team_devices (user_id, device_id) values (5, 7);
    insert into live_events (id, device_id, type, body, at) values (41, 7, 'status', '{}', 1000);
    insert into places (id, account_id, name, address, type, radius, lat, lng) values (6, 3, 'Home', 'Elm 1', 'home', 100, 1, 2);
    insert into place_devices (place_id, device_id) values (6, 7);
    insert into contacts (id, account_id, name, email) values (9, 3, 'Bob', 'bob@example.com');
    insert into alerts (id, account_id, place_id, trigger) values (10, 3, 6, 'enter');
    insert into alert_devices (alert_id, device_id) values (10, 7);
    insert into alert_contacts (alert_id, contact_id) values (10, 9);
    insert into prices (id, type, name, currency, unit_amount, tax_behavior, months, extra) values ('price_1', 'plan', 'Month', 'eur', 1, 'inclusive', 1, 0);
    insert into subscriptions (id, device_id, price_id, is_recurring, months, extra, options, started_at) values (12, 7, 'price_1', 0, 1, 0, '[]', 1);
    insert into invoices (id, account_id, number, date, amount, balance, currency, status, provider_id) values (13, 3, 'INV-1', 0, 1, 0, 'eur', 'paid', 'in_1');
    insert into payment_tasks (id, kind, ref, next_attempt_at) values (14, 'trim', 'sub_1', 1);
    insert into theft_reports (id, device_id, date, address, description, status, created_at) values (15, 7, 1, 'Elm 1', 'Gone', 'open', 1);
    insert into unlink_requests (id, identifier, user_id, email, reason, status, created_at) values (16, '1000000001', 5, 'ana@example.com', 'gift', 'pending', 1);
  `)
  const before = rowsOf(db)
  migrate(db)
  expect(rowsOf(db)).toMatchObject(before)
  expect(db.raw.pragma('foreign_key_check')).toEqual([])
  expect(db.raw.pragma('foreign_keys', { simple: true })).toBe(1)
  db.close()
})

test('the number of a live event is never reused', async () => {
  const db = openSqlite(':memory:')
  migrate(db, MIGRATIONS)
  db.raw.pragma('foreign_keys = OFF')
  const add = () =>
    db.write('everything', (tx) =>
      tx
        .insert(liveEvents)
        .values({ deviceId: 1, type: 'status', body: '{}', at: new Date(0) })
        .returning(),
    )
  const [first] = await add()
  await db.write('everything', (tx) => tx.delete(liveEvents).where(sql`true`))
  const [second] = await add()
  expect(second!.id).toBe(first!.id + 1)
  db.close()
})
