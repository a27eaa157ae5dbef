import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const PATH = '/tracker_contacts/'
const { bob, carol, dave } = SEED.contacts
const { enterHome, vehicleAlert } = SEED.alerts
const erin = { name: 'Erin', email: 'erin@example.net', phone: '(02) 123-456/7.8 +1' }
const one = (id: number) => `${PATH}${id}/`

test('R-3.39 the contacts of an account are listed by name', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'POST', PATH, { name: 'anna', email: 'anna@example.net' })
  const { status, body } = await portal.call(ALICE, 'GET', PATH)
  expect(status).toBe(200)
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['anna', 'Bob', 'Carol', 'Dave'])
  expect(body[1]).toEqual({ id: bob, name: 'Bob', email: 'bob@example.net', phone: '+598 99 123 456' })
})

describe('creating a contact', () => {
  test('R-3.39 a new contact is saved with trimmed values and cannot sign in', async () => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...erin, name: ' Erin ', email: ' Erin@Example.net' })
    expect([status, body]).toEqual([201, { id: expect.any(Number), ...erin }])
    const signIn = { username: erin.email, password: 'Demo-1234' }
    expect((await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', signIn)).status).toBe(401)
  })

  test.each([undefined, null, '', '  '])('R-3.39 a contact created with the phone %j has none', async (phone) => {
    await using portal = await startPortal()
    expect((await portal.call(ALICE, 'POST', PATH, { ...erin, phone })).body.phone).toBeNull()
  })

  test('R-3.39 creating a contact with an invalid value is refused with an error for its field', async () => {
    await using portal = await startPortal()
    const rows = [
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(51) }, 'name'],
      [{ email: 'erin' }, 'email'],
      [{ email: undefined }, 'email'],
      [{ phone: 'call me' }, 'phone'],
      [{ phone: '---' }, 'phone'],
      [{ phone: '1'.repeat(31) }, 'phone'],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([change, field]) => {
        const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...erin, ...change })
        expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
      }),
    ).toEqual([])
  })

  test("R-3.39 an e-mail is unique among an account's contacts, ignoring case", async () => {
    await using portal = await startPortal()
    const again = { name: 'Robert', email: 'BOB@example.NET' }
    expect(await portal.call(ALICE, 'POST', PATH, again)).toMatchObject({ status: 409, body: { code: 'contact_exists' } })
    expect((await portal.call('dario@example.com', 'POST', PATH, again)).status).toBe(201)
  })

  test('R-3.39 of simultaneous contacts with one e-mail only one is created', async () => {
    await using portal = await startPortal()
    const responses = await Promise.all([1, 2, 3].map((n) => portal.call(ALICE, 'POST', PATH, { ...erin, name: `Erin ${n}` })))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})

describe('changing a contact', () => {
  test('changing a contact affects only the given fields', async () => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'PATCH', one(bob), { name: 'Robert' })
    expect([status, body]).toEqual([200, { id: bob, name: 'Robert', email: 'bob@example.net', phone: '+598 99 123 456' }])
    expect((await portal.call(ALICE, 'PATCH', one(bob), { phone: '' })).body).toMatchObject({ name: 'Robert', phone: null })
    expect((await portal.call(ALICE, 'PATCH', one(bob), {})).body).toMatchObject({ name: 'Robert' })
    expect((await portal.call(ALICE, 'GET', PATH)).body.at(-1)).toMatchObject({ id: bob, name: 'Robert' })
  })

  test('R-3.39 a contact may repeat its own e-mail but not take that of another contact', async () => {
    await using portal = await startPortal()
    expect((await portal.call(ALICE, 'PATCH', one(bob), { email: 'Bob@example.net' })).status).toBe(200)
    const taken = await portal.call(ALICE, 'PATCH', one(bob), { email: 'Carol@Example.net' })
    expect(taken).toMatchObject({ status: 409, body: { code: 'contact_exists' } })
    const both = await Promise.all([bob, carol].map((id) => portal.call(ALICE, 'PATCH', one(id), { email: erin.email })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('changing a contact validates fields as creating does', async () => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'PATCH', one(bob), { name: '', email: null, phone: 'x' })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['name', 'email', 'phone']])
  })
})

describe('removing a contact', () => {
  test('removing a contact removes the alerts that have no recipient left, and no others', async () => {
    await using portal = await startPortal()
    expect(await portal.call(ALICE, 'DELETE', one(bob))).toMatchObject({ status: 200, body: { id: bob, deleted_alerts: [enterHome] } })
    const { body } = await portal.call(ALICE, 'DELETE', one(carol))
    expect(body.deleted_alerts).toEqual([SEED.alerts.leaveHome, vehicleAlert, SEED.alerts.leaveCabin])
    expect((await portal.call(ALICE, 'GET', '/tracker_alerts/')).body).toEqual([])
  })

  test('removing a contact without alerts removes no alert', async () => {
    await using portal = await startPortal()
    expect((await portal.call(ALICE, 'DELETE', one(dave))).body).toEqual({ id: dave, deleted_alerts: [] })
    expect((await portal.call(ALICE, 'DELETE', one(dave))).status).toBe(404)
  })
})

test('R-6.9 the contacts of another account are not found', async () => {
  await using portal = await startPortal()
  for (const method of ['PATCH', 'DELETE']) {
    const response = await portal.call('dario@example.com', method, one(bob), method === 'PATCH' ? { name: 'Mine' } : undefined)
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  expect((await portal.call('dario@example.com', 'GET', PATH)).body).toEqual([])
})

test("a pro member shares the account's contacts, and support reads all contacts but changes none", async () => {
  await using portal = await startPortal()
  const { body } = await portal.call('admin@pro.example.com', 'POST', PATH, erin)
  expect((await portal.call('member@pro.example.com', 'PATCH', one(body.id), { name: 'Eve' })).status).toBe(200)
  const seen = (await portal.call('support@example.com', 'GET', PATH)).body
  expect(seen.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['Bob', 'Eve']))
  expect((await portal.call('support@example.com', 'POST', PATH, erin)).status).toBe(403)
  expect((await portal.call('support@example.com', 'PATCH', one(bob), { name: 'Eve' })).status).toBe(403)
  expect((await portal.call('support@example.com', 'DELETE', one(bob))).status).toBe(403)
})
