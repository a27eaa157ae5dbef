import { expect, test } from 'vitest'
import { serialChecks } from '#db/schema/sharing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const [ALICE, BRUNO, SUPPORT] = ['alice@example.com', 'bruno@example.com', 'support@example.com']
const PATH = '/devices/trackers/serial_check/'
const [FREE, LAST, LOCKED] = ['80000000-01', '80000000-02', '80000000-03']

test('the serial check shows the attempts left', async () => {
  await using portal = await startPortal()
  const rows = [
    [FREE, 3, false],
    [LAST, 1, false],
    [LOCKED, 0, true],
    ['10000000-01', 3, false],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([identifier]) => identifier,
      async ([identifier, remaining, locked]) => {
        const response = { identifier: identifier.replace('-', ''), remaining_attempts: remaining, locked }
        for (const email of [ALICE, 'member@pro.example.com', SUPPORT])
          expect(await portal.call(email, 'GET', `${PATH}?identifier=${identifier}`)).toMatchObject({ status: 200, body: response })
      },
    ),
  ).toEqual([])
})

test('unknown and malformed identifiers are refused by every serial check endpoint', async () => {
  await using portal = await startPortal()
  const rows = [
    ['12345678', 400, 'invalid_identifier'],
    ['', 400, 'invalid_identifier'],
    ['99999999-99', 404, 'unknown_tracker'],
    ['90000000-01', 404, 'unknown_tracker'],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([identifier]) => identifier,
      async ([identifier, status, code]) => {
        for (const response of [
          await portal.call(ALICE, 'GET', `${PATH}?identifier=${identifier}`),
          await portal.call(ALICE, 'POST', PATH, { identifier, serial: 'VICTOR000001' }),
          await portal.call(SUPPORT, 'POST', `${PATH}unlock/`, { identifier }),
        ])
          expect(response).toMatchObject({ status, body: { code } })
      },
    ),
  ).toEqual([])
})

test('the right serial earns a proof, stored as a hash only, and resets the attempts', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'POST', PATH, { identifier: LAST, serial: 'victor-000 002' })
  expect([status, body.verified]).toEqual([200, true])
  expect(body.serial_proof).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  expect(JSON.stringify(await portal.world.db.read.select().from(serialChecks))).not.toContain(body.serial_proof)
  expect((await portal.call(ALICE, 'GET', `${PATH}?identifier=${LAST}`)).body.remaining_attempts).toBe(3)
})

test('R-4.27 the third wrong serial locks the tracker, counted over all users', async () => {
  await using portal = await startPortal()
  const wrong = { identifier: FREE, serial: 'VICTOR000009' }
  expect(await portal.call(ALICE, 'POST', PATH, wrong)).toMatchObject({
    status: 400,
    body: { code: 'serial_mismatch', remaining_attempts: 2 },
  })
  expect((await portal.call(BRUNO, 'POST', PATH, wrong)).body).toMatchObject({ code: 'serial_mismatch', remaining_attempts: 1 })
  expect(await portal.call(ALICE, 'POST', PATH, wrong)).toMatchObject({
    status: 423,
    body: { code: 'serial_locked', remaining_attempts: 0 },
  })
  expect((await portal.call(ALICE, 'GET', `${PATH}?identifier=${LAST}`)).body.remaining_attempts).toBe(1)
})

test('R-4.28 a locked tracker refuses even the right serial, from every user', async () => {
  await using portal = await startPortal()
  for (const email of [ALICE, BRUNO])
    expect(await portal.call(email, 'POST', PATH, { identifier: LOCKED, serial: 'VICTOR000003' })).toMatchObject({
      status: 423,
      body: { code: 'serial_locked', remaining_attempts: 0 },
    })
})

test('a malformed serial costs no attempt', async () => {
  await using portal = await startPortal()
  for (const serial of ['', 'SHORT', 'VICTOR-00000-1!', 'VICTOR0000011'])
    expect(await portal.call(ALICE, 'POST', PATH, { identifier: LAST, serial })).toMatchObject({
      status: 400,
      body: { code: 'invalid_serial', errors: { serial: [expect.any(String)] } },
    })
  expect((await portal.call(ALICE, 'GET', `${PATH}?identifier=${LAST}`)).body.remaining_attempts).toBe(1)
})

test('simultaneous wrong serials are counted one by one', async () => {
  await using portal = await startPortal()
  const guesses = ['1', '2', '3', '4', '5', '6'].map((end) => ({ identifier: FREE, serial: `GUESS000000${end}` }))
  const responses = await Promise.all(guesses.map((guess) => portal.call(ALICE, 'POST', PATH, guess)))
  expect(responses.map(({ status }) => status).sort()).toEqual([400, 400, 423, 423, 423, 423])
})

test('a tracker without a known serial can never be proven', async () => {
  await using portal = await startPortal()
  const body = { identifier: '12345678-90', name: 'Unlabelled', kind: 'other', type: 'tracker_01' }
  expect((await portal.call(BRUNO, 'POST', '/devices/trackers/', body)).body.serial).toBeNull()
  expect((await portal.call(ALICE, 'POST', PATH, { identifier: body.identifier, serial: 'NULLNULLNULL' })).body).toMatchObject({
    code: 'serial_mismatch',
  })
})

test('support unlocks a tracker, or restores all attempts of one that is not locked', async () => {
  await using portal = await startPortal()
  for (const identifier of [LOCKED, LAST])
    expect(await portal.call(SUPPORT, 'POST', `${PATH}unlock/`, { identifier })).toMatchObject({
      status: 200,
      body: { identifier: identifier.replace('-', ''), remaining_attempts: 3, locked: false },
    })
  expect((await portal.call(ALICE, 'POST', PATH, { identifier: LOCKED, serial: 'VICTOR000003' })).status).toBe(200)
})

test('only support unlocks serial checks, and support cannot check serials', async () => {
  await using portal = await startPortal()
  for (const email of [ALICE, 'admin@pro.example.com'])
    expect((await portal.call(email, 'POST', `${PATH}unlock/`, { identifier: LOCKED })).status).toBe(403)
  expect((await portal.call(SUPPORT, 'POST', PATH, { identifier: FREE, serial: 'VICTOR000001' })).status).toBe(403)
})
