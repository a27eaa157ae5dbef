import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { applyToBody, type Habit, type Json, type Sent } from './habit.ts'
import { aboutEndpoint } from './test-about.ts'
import * as habits from './value-habits.ts'

const position = { lat: -34.9, lng: 56.25, precision: 12, datetime: '2026-03-02T09:00:00Z' }
const status = {
  sub_state: 'active',
  battery: 80.5,
  last_position: position,
  last_event: { type: 'moving', datetime: '2026-03-02T09:00:00Z' },
}
const invoice = {
  id: 7,
  number: 'I-7',
  date: '2026-03-02T09:00:00Z',
  amount: 2985,
  balance: 0,
  currency: 'eur',
  status: 'paid',
  order: null,
}
const alert = { id: 3, name: null, devices: [1, 2], contacts: [], place: 4, trigger: 'enter', vehicle_alert: false }

type Row = [habit: Habit, endpoint: string, before: Json, after: Json]

const rows: Row[] = [
  [habits.instantsWithOffset, 'invoices.list', [{ date: '2026-03-02T09:00:00Z' }], [{ date: '2026-03-02T09:00:00+00:00' }]],
  [habits.instantsWithMicroseconds, 'invoices.list', [{ date: '2026-03-02T09:00:00Z' }], [{ date: '2026-03-02T09:00:00.000000Z' }]],
  [habits.instantsWithMicroseconds, 'invoices.list', [{ date: '2026-03-02T09:00:00.12Z' }], [{ date: '2026-03-02T09:00:00.120000Z' }]],
  [habits.instantsWithMilliseconds, 'invoices.list', [{ date: '2026-03-02T09:00:00+02:00' }], [{ date: '2026-03-02T09:00:00.000+02:00' }]],
  [habits.instantsWithoutZone, 'invoices.list', [{ date: '2026-03-02T09:00:00Z' }], [{ date: '2026-03-02T09:00:00' }]],
  [habits.instantsInSeconds, 'invoices.list', [{ date: '2026-03-02T09:00:00Z' }], [{ date: 1_772_442_000 }]],
  [habits.instantsInMilliseconds, 'invoices.list', [{ date: '2026-03-02T09:00:00Z' }], [{ date: 1_772_442_000_000 }]],
  [
    habits.instantsInMilliseconds,
    'devices.status',
    { sub_end_date: null, stationary_since: null },
    { sub_end_date: null, stationary_since: null },
  ],
  [
    habits.datesWithTime,
    'users.settings',
    { birthday: '1980-01-31', language: 'en' },
    { birthday: '1980-01-31T00:00:00Z', language: 'en' },
  ],
  [
    habits.decimalsAsText,
    'devices.status',
    status,
    { ...status, battery: '80.5', last_position: { ...position, lat: '-34.900000', lng: '56.250000', precision: '12' } },
  ],
  [habits.decimalsAsText, 'invoices.list', [invoice], [{ ...invoice, amount: '2985', balance: '0' }]],
  [habits.precisionWithFraction, 'devices.status', status, { ...status, last_position: { ...position, precision: 12.4 } }],
  [habits.idsAsText, 'alerts.list', [alert], [{ ...alert, id: '3', devices: ['1', '2'], place: '4' }]],
  [habits.idsAsUuids, 'alerts.list', [{ id: 3, devices: [12] }], [{ id: habits.toUuid(3), devices: [habits.toUuid(12)] }]],
  [habits.booleansAsNumbers, 'alerts.list', [alert], [{ ...alert, vehicle_alert: 0 }]],
  [habits.booleansAsNumbers, 'sessions.options', { email_confirmed: true, role: 'user' }, { email_confirmed: 1, role: 'user' }],
  [habits.currenciesInCapitals, 'invoices.list', [invoice], [{ ...invoice, currency: 'EUR' }]],
  [habits.choicesInCapitals, 'alerts.list', [alert], [{ ...alert, trigger: 'ENTER' }]],
  [
    habits.choicesInCapitals,
    'devices.status',
    status,
    { ...status, sub_state: 'ACTIVE', last_event: { type: 'MOVING', datetime: '2026-03-02T09:00:00Z' } },
  ],
]

test('a deviation of values changes the values of its kind and no others', async () => {
  const nameOf = ([{ name }, endpoint]: Row) => `${name}, ${endpoint}`
  const check = ([habit, endpoint, before, after]: Row) => expect(applyToBody([habit], before, aboutEndpoint(endpoint))).toEqual(after)
  expect(await collectFailures(rows, nameOf, check)).toEqual([])
})

const uuid = habits.toUuid

test("a value that a client sends back in the backend's format is mapped to the mock server's", async () => {
  type Sending = [habit: Habit, endpoint: string, sent: Partial<Sent>, understood: Partial<Sent>]
  const table: Sending[] = [
    [habits.idsAsText, 'alerts.create', { json: { devices: ['1', '2'], contacts: ['3'] } }, { json: { devices: [1, 2], contacts: [3] } }],
    [habits.idsAsText, 'trackers.change', { json: { name: '17', tag: '2' } }, { json: { name: '17', tag: 2 } }],
    [habits.idsAsUuids, 'devices.get', { path: `/devices/${uuid(17)}/` }, { path: '/devices/17/' }],
    [habits.idsAsUuids, 'alerts.create', { json: { devices: [uuid(1)], place: uuid(8) } }, { json: { devices: [1], place: 8 } }],
    [
      habits.idsAsUuids,
      'subscriptions.pay',
      { json: { items: [{ device: uuid(5), price: 'p' }] } },
      { json: { items: [{ device: 5, price: 'p' }] } },
    ],
    [habits.booleansAsNumbers, 'trackers.change', { json: { visible: 0 } }, { json: { visible: false } }],
    [habits.choicesInCapitals, 'trackers.change', { json: { name: 'DOG', kind: 'DOG' } }, { json: { name: 'DOG', kind: 'dog' } }],
  ]
  const nameOf = ([{ name }, endpoint]: Sending) => `${name}, ${endpoint}`
  const check = ([habit, endpoint, sent, understood]: Sending) => {
    const given = { path: '/', query: new URLSearchParams(), headers: {}, ...sent }
    expect(habit.request!(given, aboutEndpoint(endpoint))).toMatchObject(understood)
  }
  expect(await collectFailures(table, nameOf, check)).toEqual([])
})
