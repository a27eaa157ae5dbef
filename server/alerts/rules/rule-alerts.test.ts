import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const ALERTS = '/tracker_alerts/'
const { rex, misty } = SEED.devices
const { bob } = SEED.contacts
const { home } = SEED.places
const base = { devices: [rex], contacts: [bob] }
const APART = { kind: 'apart', meters: 500 }
const WORKDAYS = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }

test('an alert with a rule is saved and read with its rule, schedule and pause', async () => {
  await using portal = await startPortal()
  const schedule = { ...WORKDAYS, days: [5, 1, 5, 3] }
  const { status, body } = await portal.call(ALICE, 'POST', ALERTS, { ...base, rule: { kind: 'stands', minutes: 90 }, schedule, pause: 60 })
  const fields = { place: null, trigger: null, vehicle_alert: false, rule: { kind: 'stands', minutes: 90 } }
  const expected = { id: body.id, name: null, ...base, ...fields, schedule: { ...WORKDAYS, days: [1, 3, 5] }, pause: 60 }
  expect([status, body]).toEqual([201, expected])
  expect((await portal.call(ALICE, 'GET', ALERTS)).body.at(-1)).toEqual(expected)
})

test('an alert without rule, schedule and pause has none of these fields, also when they are sent as null and 0', async () => {
  await using portal = await startPortal()
  const alert = { ...base, place: home, trigger: 'leave' }
  const { body } = await portal.call(ALICE, 'POST', ALERTS, { ...alert, rule: null, schedule: null, pause: 0 })
  expect(body).toEqual({ id: body.id, name: null, ...alert, vehicle_alert: false })
})

test('D-42 an alert that contradicts its rule is refused with the field and the reason', async () => {
  await using portal = await startPortal()
  const rows: [object, string][] = [
    [{ rule: { kind: 'silent' }, trigger: 'enter' }, 'trigger'],
    [{ rule: { kind: 'silent' }, place: home }, 'place'],
    [{ rule: { kind: 'moved' }, vehicle_alert: true }, 'vehicle_alert'],
    [{ rule: { kind: 'not_arrived', by: '08:30' } }, 'place'],
    [{ rule: { kind: 'not_left', by: '07:30' }, place: home, schedule: WORKDAYS }, 'schedule'],
    [{ rule: { kind: 'battery', below: 60 } }, 'rule'],
    [{ rule: { kind: 'unheard' } }, 'rule.kind'],
    [{ rule: { kind: 'stands', minutes: 5 } }, 'rule.minutes'],
    [{ rule: { kind: 'speed', over: 4, seconds: 0 } }, 'rule.over'],
    [{ rule: { kind: 'not_left', by: '24:00' }, place: home }, 'rule.by'],
    [{ rule: { kind: 'silent' }, schedule: { ...WORKDAYS, days: [] } }, 'schedule.days'],
    [{ rule: { kind: 'silent' }, schedule: { ...WORKDAYS, days: [0] } }, 'schedule.days.0'],
    [{ rule: { kind: 'silent' }, pause: -1 }, 'pause'],
    [{ rule: APART }, 'devices'],
    [{ rule: APART, devices: [rex, rex] }, 'devices'],
    [{ rule: APART, devices: [rex, misty, SEED.devices.familyCar] }, 'devices'],
    [{ rule: APART, devices: [rex, misty], place: home }, 'place'],
    [{ rule: { kind: 'together', meters: 49 }, devices: [rex, misty] }, 'rule.meters'],
    [{ rule: { kind: 'apart', meters: 100_001 }, devices: [rex, misty] }, 'rule.meters'],
  ]
  expect(
    await collectFailures(
      rows,
      ([change]) => JSON.stringify(change),
      async ([change, field]) => {
        const { status, body } = await portal.call(ALICE, 'POST', ALERTS, { ...base, ...change })
        expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
      },
    ),
  ).toEqual([])
})

test('a change of a specified field is judged together with the rule, which can be replaced in the same request', async () => {
  await using portal = await startPortal()
  const { body: alert } = await portal.call(ALICE, 'POST', ALERTS, { ...base, rule: { kind: 'silent' } })
  const patch = (change: object) => portal.call(ALICE, 'PATCH', `${ALERTS}${alert.id}/`, change)
  expect((await patch({ trigger: 'enter', place: home })).body.errors).toEqual({
    trigger: ['An alert with the rule silent has no trigger; set trigger or rule to null'],
    place: ['The rule silent has no place; set place or rule to null'],
  })
  expect((await patch({ rule: null })).body.errors).toMatchObject({ place: [expect.any(String)], trigger: [expect.any(String)] })
  expect((await patch({ devices: [rex, misty] })).body).toMatchObject({ devices: [rex, misty], rule: { kind: 'silent' } })
  const { body: changed } = await patch({ rule: null, trigger: 'enter', place: home })
  expect(changed).toEqual({ ...alert, devices: [rex, misty], trigger: 'enter', place: home, rule: undefined })
  expect(changed).not.toHaveProperty('rule')
})

test('a firing of a rule names the rule as it was', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'POST', ALERTS, { ...base, rule: { kind: 'battery', below: 45 } })
  const { identifier } = await portal.call(ALICE, 'GET', `/devices/${rex}/`).then(({ body }) => body)
  await portal.call(null, 'POST', '/devices/ingest/', { identifier, battery: 40, positions: [] }, { 'x-device-key': DEVICE_KEY })
  const { firings } = (await portal.call(ALICE, 'GET', '/alert_firings/')).body
  expect(firings[0]).toMatchObject({ kind: 'battery', device: rex, place: null, rule: { kind: 'battery', below: 45 }, mails: 1 })
})

test('an alert about two trackers keeps exactly two, also when its trackers or its rule change', async () => {
  await using portal = await startPortal()
  const { status, body: alert } = await portal.call(ALICE, 'POST', ALERTS, { ...base, devices: [misty, rex], rule: APART })
  expect([status, alert]).toMatchObject([201, { devices: [rex, misty], rule: APART, place: null, trigger: null }])
  const patch = (id: number, change: object) => portal.call(ALICE, 'PATCH', `${ALERTS}${id}/`, change)
  expect((await patch(alert.id, { devices: [rex] })).body.errors).toEqual({ devices: ['The rule apart needs exactly two trackers'] })
  const { familyCar } = SEED.devices
  expect((await patch(alert.id, { devices: [rex, familyCar] })).body).toMatchObject({ devices: [rex, familyCar].sort((a, b) => a - b) })
  const { body: silent } = await portal.call(ALICE, 'POST', ALERTS, { ...base, rule: { kind: 'silent' } })
  expect((await patch(silent.id, { rule: APART })).body.errors).toHaveProperty('devices')
  expect((await patch(silent.id, { rule: APART, devices: [rex, misty] })).status).toBe(200)
  expect((await patch(silent.id, { rule: { kind: 'silent' }, devices: [rex] })).status).toBe(200)
})

test('a team member sees an alert about two trackers only with both in the list of the team', async () => {
  await using portal = await startPortal()
  const [admin, member] = ['admin@pro.example.com', 'member@pro.example.com']
  const all = (await portal.call(admin, 'GET', '/devices/')).body.map(({ id }: { id: number }) => id)
  const seen = (await portal.call(member, 'GET', '/devices/')).body.map(({ id }: { id: number }) => id)
  const hidden = all.filter((id: number) => !seen.includes(id))
  const contacts = [(await portal.call(admin, 'POST', '/tracker_contacts/', { name: 'Eve', email: 'eve@example.net' })).body.id]
  const create = (devices: number[]) => portal.call(admin, 'POST', ALERTS, { devices, contacts, rule: APART })
  const half = await create([seen[0], hidden[0]])
  const whole = await create([seen[0], seen[1]])
  expect([half.status, whole.status]).toEqual([201, 201])
  const listed = (await portal.call(member, 'GET', ALERTS)).body.map(({ id }: { id: number }) => id)
  expect([listed.includes(half.body.id), listed.includes(whole.body.id)]).toEqual([false, true])
  expect((await portal.call(member, 'GET', `${ALERTS}${half.body.id}/`)).status).toBe(404)
  expect((await portal.call(member, 'DELETE', `${ALERTS}${half.body.id}/`)).status).toBe(404)
  const { body: silent } = await portal.call(admin, 'POST', ALERTS, { devices: [seen[0], hidden[0]], contacts, rule: { kind: 'silent' } })
  const { status, body } = await portal.call(member, 'PATCH', `${ALERTS}${silent.id}/`, { rule: APART })
  expect([status, body.errors]).toEqual([400, { devices: ['The rule apart needs exactly two trackers'] }])
})
