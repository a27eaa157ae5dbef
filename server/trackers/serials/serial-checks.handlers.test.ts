import { expect, test } from 'vitest'
import { stockItems } from '#db/schema/devices.ts'
import { serialChecks } from '#db/schema/sharing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const [ALICE, BRUNO, SUPPORT] = ['alice@example.com', 'bruno@example.com', 'support@example.com']
const PATH = '/devices/trackers/serial_check/'
const [FREE, LAST, LOCKED] = ['80000000-01', '80000000-02', '80000000-03']

test('the serial check shows the attempts left to the account, and to support the fewest of all accounts', async () => {
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
        const own = await portal.call('victor@example.com', 'GET', `${PATH}?identifier=${identifier}`)
        expect(own.body).toMatchObject({ remaining_attempts: 3, locked: false })
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

test('the correct serial returns a proof, stored as a hash only, and resets the attempts', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'POST', PATH, { identifier: LAST, serial: 'victor-000 002' })
  expect([status, body.verified]).toEqual([200, true])
  expect(body.serial_proof).toMatch(/^[0-9a-f]{40}$/)
  expect(JSON.stringify(await portal.world.db.read.select().from(serialChecks))).not.toContain(body.serial_proof)
  expect((await portal.call(ALICE, 'GET', `${PATH}?identifier=${LAST}`)).body.remaining_attempts).toBe(3)
})

test('R-4.27 the third wrong serial of an account locks the tracker for that account', async () => {
  await using portal = await startPortal()
  const guess = (serial: string) => portal.call(ALICE, 'POST', PATH, { identifier: FREE, serial })
  expect(await guess('VICTOR000009')).toMatchObject({ status: 400, body: { code: 'serial_mismatch', remaining_attempts: 2 } })
  expect((await guess('VICTOR000008')).body).toMatchObject({ code: 'serial_mismatch', remaining_attempts: 1 })
  expect(await guess('VICTOR000007')).toMatchObject({ status: 423, body: { code: 'serial_locked', remaining_attempts: 0 } })
  expect((await portal.call(ALICE, 'GET', `${PATH}?identifier=${LAST}`)).body.remaining_attempts).toBe(1)
})

test('R-4.28 an account that is locked out of a tracker is refused even with the correct serial', async () => {
  await using portal = await startPortal()
  for (const email of [ALICE, BRUNO])
    expect(await portal.call(email, 'POST', PATH, { identifier: LOCKED, serial: 'VICTOR000003' })).toMatchObject({
      status: 423,
      body: { code: 'serial_locked', remaining_attempts: 0 },
    })
})

test('a lock ends a day after the last wrong serial, and then the correct one is accepted', async () => {
  await using portal = await startPortal()
  const check = (serial: string) => portal.call(ALICE, 'POST', PATH, { identifier: FREE, serial })
  const read = async (email: string) => (await portal.call(email, 'GET', `${PATH}?identifier=${FREE}`)).body.remaining_attempts
  for (const end of ['7', '8', '9']) await check(`VICTOR00000${end}`)
  portal.clock.set({ at: new Date('2026-03-03T08:59:59Z') })
  expect((await check('VICTOR000001')).status).toBe(423)
  expect([await read(ALICE), await read(SUPPORT)]).toEqual([0, 0])
  portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
  expect([await read(ALICE), await read(SUPPORT)]).toEqual([3, 3])
  expect((await check('VICTOR000001')).body.verified).toBe(true)
})

/** Unrelated accounts without any attempt. */
async function register(portal: Awaited<ReturnType<typeof startPortal>>, count: number) {
  const emails = Array.from({ length: count }, (_, nth) => `stranger${nth}@example.org`)
  for (const email of emails) {
    const person = { email, password: 'Demo-1234', first_name: 'A', last_name: 'B', language: 'en', currency: 'eur', terms: true }
    expect((await portal.call(null, 'POST', '/users/register/', person)).status).toBe(201)
  }
  return emails
}

test('wrong serials of other accounts do not lock out the account that knows the correct one', async () => {
  await using portal = await startPortal()
  const strangers = await register(portal, 8)
  for (const email of strangers)
    for (const end of ['1', '2', '3']) await portal.call(email, 'POST', PATH, { identifier: FREE, serial: `GUESS000000${end}` })
  expect(await portal.call(BRUNO, 'POST', PATH, { identifier: FREE, serial: 'VICTOR000001' })).toMatchObject({
    status: 200,
    body: { verified: true },
  })
})

test('after twelve wrong serials of several accounts each account waits for an hour between its attempts at that tracker', async () => {
  await using portal = await startPortal()
  const strangers = await register(portal, 5)
  const guess = (email: string, serial: string) => portal.call(email, 'POST', PATH, { identifier: FREE, serial })
  for (const email of strangers.slice(0, 4)) for (const end of ['1', '2', '3']) await guess(email, `GUESS000000${end}`)
  const typing = strangers[4]!
  expect((await guess(typing, 'VICTOR00000I')).body).toMatchObject({ code: 'serial_mismatch', remaining_attempts: 2 })
  expect(await guess(typing, 'VICTOR000001')).toMatchObject({
    status: 429,
    headers: { 'retry-after': '3600' },
    body: { code: 'throttled' },
  })
  portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
  expect((await guess(typing, 'VICTOR000001')).status).toBe(200)
})

test('an account that enters twenty wrong serials in a day waits until the day is over, at every tracker', async () => {
  await using portal = await startPortal()
  const unlink = (serial: string) =>
    portal.call(ALICE, 'POST', '/devices/trackers/unlink_request/', { serial, email: ALICE, reason: 'gift' })
  for (let nth = 10; nth < 30; nth++) expect((await unlink(`GUESS00000${nth}`)).status).toBe(404)
  expect(await unlink('VICTOR000001')).toMatchObject({ status: 429, body: { code: 'throttled' } })
  const right = { identifier: FREE, serial: 'VICTOR000001' }
  expect((await portal.call(ALICE, 'POST', PATH, right)).status).toBe(429)
  expect((await portal.call(BRUNO, 'POST', PATH, right)).status).toBe(200)
  portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
  expect((await portal.call(ALICE, 'POST', PATH, right)).status).toBe(200)
})

test('a tracker added before it was in stock is proven by the serial of its stock item', async () => {
  await using portal = await startPortal()
  const claimed = { identifier: '12345678-90', name: 'Claimed', kind: 'other', type: 'tracker_01' }
  await portal.call(BRUNO, 'POST', '/devices/trackers/', claimed)
  const { db } = portal.world
  const known = { identifier: '1234567890', serial: 'FACTORY00077', type: 'tracker_01', boardName: 'TRK1' } as const
  await db.write('everything', (tx) => tx.insert(stockItems).values(known))
  const { body } = await portal.call(ALICE, 'POST', PATH, { identifier: claimed.identifier, serial: known.serial })
  const request = { identifier: claimed.identifier, email: ALICE, reason: 'other', serial_proof: body.serial_proof }
  expect((await portal.call(ALICE, 'POST', '/devices/trackers/unlink_request/', request)).body.status).toBe('accepted')
  const added = await portal.call(ALICE, 'POST', '/devices/trackers/', claimed)
  expect(added).toMatchObject({ status: 201, body: { serial: known.serial } })
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
  for (const email of [ALICE, BRUNO])
    expect((await portal.call(email, 'POST', PATH, { identifier: LOCKED, serial: 'VICTOR000003' })).status).toBe(200)
})

test('only support unlocks serial checks, and support cannot check serials', async () => {
  await using portal = await startPortal()
  for (const email of [ALICE, 'admin@pro.example.com'])
    expect((await portal.call(email, 'POST', `${PATH}unlock/`, { identifier: LOCKED })).status).toBe(403)
  expect((await portal.call(SUPPORT, 'POST', PATH, { identifier: FREE, serial: 'VICTOR000001' })).status).toBe(403)
})
