import { expect, test } from 'vitest'
import { connect } from './driver.ts'
import { createWatchVersions } from './watch-versions.ts'

const [rex, luna] = [
  { id: 1, accountId: 1 },
  { id: 2, accountId: 2 },
]

function open() {
  const raw = connect(':memory:')
  raw.exec(`
    create table alerts (id integer primary key, account_id integer, name text);
    create table alert_devices (
      alert_id integer references alerts (id) on delete cascade, device_id integer, state text, primary key (alert_id, device_id));
    create table usual_areas (device_id integer primary key, cells text);
    create table places (id integer primary key, account_id integer, radius integer);
    create table users (id integer primary key, account_id integer, role text, time_zone text, email text);
    insert into users values (1, 1, 'user', 'UTC', 'a@example.com');
    insert into alerts values (1, 1, 'Garden'), (2, 2, 'Garden');
    insert into alert_devices values (1, 1, null), (2, 2, null);
    insert into places values (1, 1, 100);
    pragma foreign_keys = on`)
  return { raw, versionOf: createWatchVersions(raw) }
}

test.each([
  ['an alert is changed', `update alerts set name = 'Park' where id = 1`],
  ['an alert is deleted', 'delete from alerts where id = 1'],
  ['an alert gets another tracker', 'insert into alert_devices values (2, 1, null)'],
  ['an alert loses the tracker', 'delete from alert_devices where device_id = 1'],
  ['the state of an alert is saved', `update alert_devices set state = '{}' where device_id = 1`],
  ['the tracker of an alert is replaced', 'update alert_devices set device_id = 3 where device_id = 1'],
  ['it is learnt where the tracker usually is', `insert into usual_areas values (1, '')`],
  ['a place is moved', 'update places set radius = 200'],
  ['a place is added', 'insert into places values (2, 1, 100)'],
  ['a user changes the time zone', `update users set time_zone = 'Europe/Madrid'`],
  ['a user joins', `insert into users values (2, 1, 'pro', 'UTC', 'b@example.com')`],
  ['all alerts of all accounts are deleted', 'delete from alerts'],
])('the version of a tracker differs after %s', (_, statement) => {
  const { raw, versionOf } = open()
  const before = versionOf(rex)
  raw.exec(statement)
  expect(versionOf(rex)).not.toBe(before)
})

test.each([
  ['an alert of another account is changed', 'update alerts set name = null where id = 2'],
  ['the state of another tracker is saved', `update alert_devices set state = '{}' where device_id = 2`],
  ['a user changes the address', `update users set email = 'c@example.com'`],
])('the version of a tracker stays when %s', (_, statement) => {
  const { raw, versionOf } = open()
  const before = versionOf(rex)
  raw.exec(statement)
  expect(versionOf(rex)).toBe(before)
})

test('a rollback restores the version', () => {
  const { raw, versionOf } = open()
  const before = [versionOf(rex), versionOf(luna)]
  raw.exec('begin; delete from alerts')
  expect([versionOf(rex), versionOf(luna)]).not.toEqual(before)
  raw.exec('rollback')
  expect([versionOf(rex), versionOf(luna)]).toEqual(before)
})

test('no version is known in the first transaction, whose rollback would stop the count', () => {
  const { raw, versionOf } = open()
  raw.exec('begin')
  expect(versionOf(rex)).toBeNull()
  raw.exec('rollback')
  expect(versionOf(rex)).toBe(0)
})
