import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import { tables } from './tables.ts'

type Info = { name: string; notnull: 0 | 1; pk: number }
type Key = { from: string; table: string; on_delete: string }

let db: SqliteDb
beforeAll(() => {
  db = openSqlite(':memory:')
  migrate(db)
})
afterAll(() => db.close())

const declared = Object.values(tables).map((table: SQLiteTable) => getTableConfig(table))
const names = declared.map(({ name }) => name).sort()
const stored = () =>
  db.raw
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like '\\_\\_%' escape '\\'")
    .pluck()
    .all()
const columns = (table: string) => db.raw.pragma(`table_info(${table})`) as Info[]
const keys = (table: string) => db.raw.pragma(`foreign_key_list(${table})`) as Key[]
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

describe('tables', () => {
  test.each([
    ['Tracker', 'devices'],
    ['Tag', 'tags'],
    ['Place', 'places'],
    ['Alert', 'alerts'],
    ['Contact', 'contacts'],
    ['User', 'users'],
    ['Public link', 'public_links'],
    ['Subscription', 'subscriptions'],
    ['Price', 'prices'],
    ['Verification code', 'verification_codes'],
    ['Order', 'orders'],
    ['Invoice', 'invoices'],
    ['Payment method', 'payment_methods'],
    ['Sct2 parameters', 'sct2_params'],
    ['Theft report', 'theft_reports'],
    ['Unlink request', 'unlink_requests'],
    ['Serial check', 'serial_checks'],
    ['Position', 'positions'],
    ['Session', 'tokens'],
    ['E-mail', 'emails'],
  ])('the %s of the specification is stored in %s', (_, table) => expect(stored()).toContain(table))

  test('a migrated file has exactly the declared tables', () => expect(stored().sort()).toEqual(names))

  test.each(declared)('table $name has the declared columns, as created by the migration', ({ name, columns: all }) => {
    const wanted = all.map((column) => [snake(column.name), column.notNull || column.primary])
    const made = columns(name).map((column) => [column.name, column.notnull === 1 || column.pk > 0])
    expect(Object.fromEntries(made)).toEqual(Object.fromEntries(wanted))
  })

  test.each(declared)('table $name has a primary key', ({ name }) => {
    expect(columns(name).filter(({ pk }) => pk > 0).length).toBeGreaterThan(0)
  })

  test.each(declared)('table $name has the declared indexes', ({ name, indexes }) => {
    const made = (db.raw.pragma(`index_list(${name})`) as { name: string; unique: 0 | 1 }[]).map((index) => [
      index.name,
      index.unique === 1,
    ])
    for (const { config } of indexes) expect(made).toContainEqual([config.name, config.unique])
  })
})

describe('what belongs to an account goes with it', () => {
  const owners = {
    account_id: 'accounts',
    user_id: 'users',
    device_id: 'devices',
    place_id: 'places',
    alert_id: 'alerts',
    contact_id: 'contacts',
  }
  /** Rows that outlive their owner until the erasing code deletes them, each for a reason. */
  const kept: Record<string, string> = {
    'credit_notes.account_id': 'the law requires it for years; it loses its account',
    'deeds.account_id': 'the log keeps who did what, without the account',
    'invoice_payments.account_id': 'the law requires it for years; it loses its account',
    'live_events.account_id': 'an event is removed with its tracker',
    'live_marks.account_id': 'one mark is for all accounts; the others are removed by age',
    'past_claims.account_id': 'the history of a stock item, without the account',
    'plan_pauses.device_id': 'the pause of a renewal of several trackers ends also when one of them has gone',
    'positions.device_id': 'the table without rowid is erased through the store of positions',
    'team_devices.user_id': 'a list that is erased with the member',
    'team_devices.device_id': 'a list that is erased with the tracker',
    'unlink_requests.user_id': 'asks for the tracker of somebody else',
    'withdrawals.account_id': 'the company has to prove what was declared; it loses its account',
    'verification_codes.device_id': 'a code stays used when its tracker has gone',
  }
  const belonging = names.flatMap((table) => {
    const found = declared.find(({ name }) => name === table)!.columns.map(({ name }) => snake(name))
    return found.flatMap((column) => (column in owners ? [[table, column]] : []))
  }) as [string, keyof typeof owners][]

  test.each(belonging.filter(([table, column]) => !(`${table}.${column}` in kept)))('%s.%s cascades', (table, column) => {
    expect(keys(table).filter(({ from }) => from === column)).toMatchObject([{ table: owners[column], on_delete: 'CASCADE' }])
  })

  test.each(Object.keys(kept))('%s is known to be erased by hand', (name) => {
    const [table = '', column = ''] = name.split('.')
    expect(columns(table).map((each) => each.name)).toContain(column)
    expect(keys(table).filter(({ from }) => from === column)).toEqual([])
  })

  test('references other than to owners point only to tags, imports, copies, other trackers, silences, keys, fired alerts, links, destinations, sessions, browsers, channels, tokens, staff or prices', () => {
    const other = names.flatMap((table) =>
      keys(table)
        .filter(({ from }) => !(from in owners))
        .map(({ from, on_delete }) => [table, from, on_delete]),
    )
    expect(other).toEqual([
      ['alert_firings', 'other_id', 'CASCADE'],
      ['alert_silence_devices', 'silence_id', 'CASCADE'],
      ['api_token_devices', 'token_hash', 'CASCADE'],
      ['channel_deliveries', 'channel_id', 'CASCADE'],
      ['channel_devices', 'channel_id', 'CASCADE'],
      ['data_copy_files', 'copy_id', 'CASCADE'],
      ['devices', 'tag_id', 'SET NULL'],
      ['firing_marks', 'firing_id', 'CASCADE'],
      ['hand_offs', 'session', 'CASCADE'],
      ['held_alerts', 'other_id', 'CASCADE'],
      ['import_blocks', 'import_id', 'CASCADE'],
      ['key_messages', 'key_id', 'CASCADE'],
      ['link_devices', 'link_uuid', 'CASCADE'],
      ['public_links', 'destination_id', 'SET NULL'],
      ['push_browsers', 'session', 'CASCADE'],
      ['pushes', 'browser_id', 'CASCADE'],
      ['staff_recovery_codes', 'staff_id', 'CASCADE'],
      ['staff_sessions', 'staff_id', 'CASCADE'],
      ['subscriptions', 'price_id', 'NO ACTION'],
    ])
  })
})

describe('what must be unique is', () => {
  const numbered = declared.filter(({ columns: all }) =>
    all.some(({ name, primary, dataType }) => name === 'id' && primary && dataType === 'number'),
  )

  test('most tables have numeric keys', () => expect(numbered.length).toBeGreaterThan(10))

  test.each(numbered)('an id of $name is not reused after its row was removed', ({ name }) => {
    expect(db.raw.prepare('select sql from sqlite_schema where name = ?').pluck().get(name)).toMatch(
      /`id` integer PRIMARY KEY AUTOINCREMENT/,
    )
  })

  test.each([
    ['R-3.3 the identifier of a tracker', 'devices', ['identifier']],
    ['R-3.3 the serial number of a tracker', 'devices', ['serial']],
    ['the serial number of a stock item', 'stock_items', ['serial']],
    ['R-3.41 a user name', 'users', ['username']],
    ['R-3.42 an address', 'users', ['email']],
    ['a tag of an account, ignoring case', 'tags', ['account_id', 'key']],
    ['a contact of an account', 'contacts', ['account_id', 'email']],
    ['the number of an invoice', 'invoices', ['number']],
    ['the customer at the card provider', 'accounts', ['stripe_customer']],
  ])('%s', (_, table, wanted) => {
    const unique = (db.raw.pragma(`index_list(${table})`) as { name: string; unique: 0 | 1 }[]).filter((index) => index.unique === 1)
    const covered = unique.map(({ name }) => (db.raw.pragma(`index_info(${name})`) as { name: string }[]).map((column) => column.name))
    expect(covered).toContainEqual(wanted)
  })
})
