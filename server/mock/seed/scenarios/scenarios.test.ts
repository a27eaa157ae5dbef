import { expect, test } from 'vitest'
import { SCENARIO_KEYS, type ScenarioKey } from '#contracts/mock/scenarios.ts'
import { openSqlite } from '#db/sqlite/open.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { openSeeded } from '#server/mock/seed/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { buildScenario } from './build-scenario.ts'
import { lastBackwardNight } from './edge.ts'
import { SCENARIOS } from './scenarios.ts'

/** `scripts/bench` covers crowd with its two million positions. */
const SMALL = SCENARIO_KEYS.filter((key) => key !== 'crowd')
const city = await openTestCity()
const family = await openSeeded()
const bytes = family.raw.serialize()
const open = async (key: ScenarioKey) => openSqlite(await buildScenario(bytes, key, city))

/** Every state that a screen can show, with a query that finds it. */
const STATES: Record<string, string> = {
  'a subscription: active': "select 1 from devices where sub_state = 'active'",
  'a subscription: ended': "select 1 from devices where sub_state = 'ended'",
  'a subscription: not begun': "select 1 from devices where sub_state = 'not_activated'",
  'a subscription: none': "select 1 from devices where sub_state = 'none'",
  'a subscription that renews itself': 'select 1 from subscriptions where is_recurring',
  'a mode on its way': 'select 1 from devices where pending_mode is not null',
  'a network lost': "select 1 from devices where network_state = 'deactivated'",
  'a tracker never seen': 'select 1 from devices where position_at is null',
  'a battery nobody knows': 'select 1 from devices where battery < 0',
  'a configurable board without parameters':
    "select 1 from devices where board_name like 'SCT2%' and id not in (select device_id from sct2_params)",
  'a theft: open': "select 1 from theft_reports where status = 'open'",
  'a theft: closed': "select 1 from theft_reports where status = 'closed'",
  'a link: permanent': 'select 1 from public_links where is_permanent',
  'a link: ended': 'select 1 from public_links where end_told_at is not null',
  'a link: to several trackers': 'select 1 from link_devices',
  'five links of one tracker': 'select 1 from public_links group by device_id having count(*) = 5',
  'an invoice that failed': "select 1 from invoices where status = 'failed'",
  'an order on its way': "select 1 from orders where status = 'shipping'",
  'a serial locked': 'select 1 from serial_attempts where remaining = 0',
  'a serial with one attempt left': 'select 1 from serial_attempts where remaining = 1',
  'an unlink request': "select 1 from unlink_requests where status = 'pending'",
  'an address not confirmed': 'select 1 from users where not email_confirmed',
  'a code for a subscription': 'select 1 from verification_codes where months is not null and used_at is null',
  'an administrator': "select 1 from users where role = 'admin'",
  support: "select 1 from users where role = 'deepsupport'",
  'a tracker on helium': "select 1 from devices where operator = 'helium'",
  'a thousand trackers in stock': 'select 1 from stock_items where blocked_at is null limit 1 offset 980',
  'an order to send': "select 1 from orders where status = 'in_progress' limit 1 offset 5",
  'a print run of codes': 'select 1 from code_batches',
  'a payment in dispute': "select 1 from invoices where dispute = 'open'",
  'a request refused': "select 1 from unlink_requests where status = 'refused'",
  'a way for alerts of each kind': 'select 1 from channels where verified_at is not null group by user_id having count(distinct kind) = 3',
  'a way for alerts that was stopped': 'select 1 from channels where stopped_at is not null',
  'a way for alerts without its code': 'select 1 from channels where verified_at is null',
  'a way for some alerts of one tracker':
    'select 1 from channels join channel_devices on channel_id = id where kinds is not null group by id having count(*) = 1',
  'quiet hours that differ by day': 'select 1 from users where quiet_spans is not null',
  'a tracker whose alerts are muted': 'select 1 from alert_silence_devices',
  'an alert that was a false alarm': 'select 1 from alert_firings where false_alarm_at is not null',
  'an alert that did not reach a chat': `select 1 from alert_firings where notices like '%"failed"%'`,
  'an unread alert': 'select 1 from alert_firings where published_at is not null and id > (select max(seen_firings) from users)',
  'an alert with a rule of each sort':
    'select 1 from alerts where rule is not null and schedule is null and place_id is null and exists (select 1 from alerts where rule is not null and schedule is not null and place_id is not null)',
  'an alert about two trackers that has begun':
    "select 1 from alerts join alert_devices on alert_id = id where rule like '%together%' and state is not null",
  'an alert about a tracker that is not as usual': "select 1 from alerts where rule like '%unusual%'",
  'a tracker of which the server learns where it is': 'select 1 from usual_areas where is_on',
  'a second factor': 'select 1 from totp_secrets where confirmed_at is not null',
  'nothing at all': 'select 1 where not exists (select 1 from devices) and not exists (select 1 from places)',
  'a name of two hundred letters': 'select 1 from devices where length(name) = 200',
  'both sides of the antimeridian':
    'select 1 from positions where lng > 1790000000 and device_id in (select device_id from positions where lng < -1790000000)',
}

const SHOWN: Partial<Record<ScenarioKey, string[]>> = {
  empty: ['nothing at all'],
  theft: ['a theft: open', 'a theft: closed'],
  sct2: ['a configurable board without parameters'],
  pro: ['an administrator', 'support', 'a tracker on helium'],
  billing_trouble: ['an invoice that failed', 'a subscription that renews itself', 'a subscription: ended'],
  expiring: [
    'a subscription: active',
    'a subscription: not begun',
    'a subscription: none',
    'a network lost',
    'a subscription that renews itself',
  ],
  link_code: ['a subscription: none', 'a code for a subscription'],
  unconfirmed: ['an address not confirmed'],
  alarms: [
    'a way for alerts of each kind',
    'a way for alerts that was stopped',
    'a way for alerts without its code',
    'a way for some alerts of one tracker',
    'quiet hours that differ by day',
    'a tracker whose alerts are muted',
    'an alert that was a false alarm',
    'an alert that did not reach a chat',
    'an unread alert',
    'an alert with a rule of each sort',
    'an alert about two trackers that has begun',
    'an alert about a tracker that is not as usual',
    'a tracker of which the server learns where it is',
  ],
  shop: [
    'a thousand trackers in stock',
    'an order to send',
    'a print run of codes',
    'a payment in dispute',
    'a request refused',
    'an unlink request',
  ],
  conflict: ['a serial locked', 'a serial with one attempt left', 'an unlink request'],
  links_max: ['five links of one tracker', 'a link: ended', 'a link: permanent'],
  second_factor: ['a second factor'],
  edge: ['a battery nobody knows', 'a name of two hundred letters', 'both sides of the antimeridian', 'a tracker never seen'],
}

test('every scenario is consistent and shows the states it is for', async () => {
  expect(
    await collectFailures(SMALL, String, async (key) => {
      const db = await open(key)
      const has = (state: string) => db.raw.prepare(`select exists (${STATES[state]})`).pluck().get() === 1
      expect(db.raw.pragma('foreign_key_check')).toEqual([])
      expect(db.raw.prepare('select count(*) from positions where device_id not in (select id from devices)').pluck().get()).toBe(0)
      expect(db.raw.prepare('select scenario from seeds').pluck().get()).toBe(key)
      expect((SHOWN[key] ?? []).filter((state) => !has(state))).toEqual([])
      const emails = db.raw.prepare('select email from users').pluck().all()
      expect(SCENARIOS[key].cast.every((persona) => emails.some((email) => String(email).startsWith(`${persona}@`)))).toBe(true)
      db.close()
    }),
  ).toEqual([])
})

test('the scenarios together reach every state a screen can show', async () => {
  const dbs = await Promise.all(SMALL.map(open))
  const reached = (question: string) => dbs.some((db) => db.raw.prepare(`select exists (${question})`).pluck().get() === 1)
  expect(Object.keys(STATES).filter((state) => !reached(STATES[state]!))).toEqual([])
  for (const db of dbs) db.close()
})

test('staging a scenario twice gives the same bytes', async () => {
  const [once, again] = [await buildScenario(bytes, 'edge', city), await buildScenario(bytes, 'edge', city)]
  expect(again.equals(once)).toBe(true)
})

test('the last night before a date in which the clocks went back is found', async () => {
  const rows = [
    ['2026-03-02T09:00:00Z', '2025-10-26T01:00:00.000Z'],
    ['2026-12-01T00:00:00Z', '2026-10-25T01:00:00.000Z'],
    ['2026-10-25T00:00:00Z', '2025-10-26T01:00:00.000Z'],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([before]) => before,
      ([before, night]) => {
        expect(lastBackwardNight(new Date(before)).toISOString()).toBe(night)
      },
    ),
  ).toEqual([])
})
