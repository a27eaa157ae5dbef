import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { devices, stockItems } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { mailsTo } from '#server/test/test-mail.ts'

const [ALICE, DARIO] = ['alice@example.com', 'dario@example.com']
const PATH = '/devices/trackers/'
const newTracker = { identifier: '90000000-01', name: ' Boat ', kind: 'other' }

describe('adding a tracker', () => {
  test('D-52 after 200 attempts in a day, including refused ones, an account adds no more trackers until the day is over', async () => {
    await using portal = await startPortal()
    const add = (identifier: string, email = DARIO) => portal.call(email, 'POST', PATH, { ...newTracker, type: 'tracker_06', identifier })
    const taken = (await portal.call(ALICE, 'GET', `/devices/${SEED.devices.rex}/`)).body.identifier
    for (let n = 0; n < 199; n++) expect((await add(taken)).status).toBe(409)
    expect((await add('9100000000')).status).toBe(201)
    const { status, headers, body } = await add('9100000001')
    expect([status, headers['retry-after'], body.code]).toEqual([429, '86400', 'throttled'])
    expect((await add('9100000001', ALICE)).status).toBe(201)
    portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
    expect((await add('9100000002')).status).toBe(201)
  })

  test('R-1.4 an added tracker is on the account at once, not activated, with the data of its stock item', async () => {
    await using portal = await startPortal()
    expect((await portal.call(DARIO, 'GET', '/devices/?type=tracker')).body).toEqual([])
    const { status, body } = await portal.call(DARIO, 'POST', PATH, { ...newTracker, type: 'tracker_06' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Boat',
      type: 'tracker_01',
      identifier: '9000000001',
      serial: 'FACTORY00001',
      kind: 'other',
      operator: 'sigfox',
      tag: null,
      visible: true,
      linked_to_pro: false,
      price: null,
      tracker_config: { board_name: 'TRK1-A', usage: 'other', mode: 1, pending_mode: null, network_state: 'active', boost_until: null },
      tracker_status: { sub_state: 'not_activated', sub_end_date: null, battery: null, last_position: null },
    })
    expect((await portal.call(DARIO, 'GET', '/devices/?type=tracker')).body).toEqual([body])
    expect((await portal.call(DARIO, 'POST', `/devices/${body.id}/activate/`)).status).toBe(204)
  })

  test('an added tracker gets type, operator, mode and subscription state from its stock item and its kind', async () => {
    await using portal = await startPortal()
    const rows = [
      ['90000000-05', 'dog', { type: 'tracker_06', operator: 'lora' }, { mode: 21 }, 'not_activated'],
      ['90000000-06', 'person', { type: 'triby', operator: 'none' }, { mode: 1 }, 'none'],
      ['90000000-02', 'vehicle', { type: 'tracker_02', operator: 'lte_m' }, { mode: 1 }, 'not_activated'],
      ['90000000-03', 'plane', { type: 'tracker_03' }, { mode: 1, usage: 'other' }, 'not_activated'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([identifier]) => identifier,
        async ([identifier, kind, device, config, sub_state]) => {
          const { body } = await portal.call(ALICE, 'POST', PATH, { ...newTracker, identifier, kind })
          expect(body).toMatchObject({ ...device, tracker_config: config, tracker_status: { sub_state } })
        },
      ),
    ).toEqual([])
  })

  test('an added configurable tracker has its mode and default parameters', async () => {
    await using portal = await startPortal()
    const { body } = await portal.call(ALICE, 'POST', PATH, { ...newTracker, identifier: '90000000-10', kind: 'dog' })
    expect(body.tracker_config).toMatchObject({ board_name: 'SCT2-02', mode: 50, frequency_moving: { min: 60 } })
    const params = await portal.call(ALICE, 'GET', `/devices/${body.id}/tracker_config/mode_param2/`)
    expect(params).toMatchObject({ status: 200, body: { frequency: 60, keepalive_period: 1440 } })
  })

  test.each(['factory-000 07', 'FACTORY00007'])('R-3.3 a tracker can be added by its serial written as %j', async (serial) => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'POST', PATH, { serial, name: 'Boat', kind: 'other' })
    expect([status, body.identifier, body.serial]).toEqual([201, '9000000007', 'FACTORY00007'])
  })

  test('an identifier that is not in stock needs a type in the request', async () => {
    await using portal = await startPortal()
    const unknown = { ...newTracker, identifier: ' 12345678 90 ' }
    const refused = await portal.call(ALICE, 'POST', PATH, unknown)
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_error', errors: { type: [expect.any(String)] } } })
    const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...unknown, type: 'tracker_06', kind: 'cat' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ identifier: '1234567890', serial: null, type: 'tracker_06', tracker_config: { board_name: 'SDC1-A' } })
  })
})

test('R-5.8 an identifier is accepted as pasted, with blanks and dashes of any kind', async () => {
  await using portal = await startPortal()
  const typed = '12345678'
  const rows = [
    `${typed}\u00a090`,
    `${typed}\u201390`,
    `${typed}\u201190`,
    '1234 5678 90',
    '１２３４５６７８９０',
    `\u2060${typed}\u200b-90`,
  ]
  expect(
    await collectFailures(rows, JSON.stringify, async (identifier) => {
      const added = await portal.call(ALICE, 'POST', PATH, { ...newTracker, type: 'tracker_01', identifier })
      expect(added).toMatchObject({ status: 201, body: { identifier: '1234567890' } })
      await portal.call(ALICE, 'DELETE', `/devices/${added.body.id}/`)
    }),
  ).toEqual([])
})

describe('refused additions', () => {
  test('R-5.8 malformed identifiers are refused', async () => {
    await using portal = await startPortal()
    const rows = ['123456789', '12345678901', '1234567A90', '12345678_90', '', '\u200b']
    expect(
      await collectFailures(rows, String, async (identifier) => {
        expect(await portal.call(ALICE, 'POST', PATH, { ...newTracker, identifier })).toMatchObject({
          status: 400,
          body: { code: 'invalid_identifier', errors: { identifier: [expect.any(String)] } },
        })
      }),
    ).toEqual([])
  })

  test('invalid serials are refused', async () => {
    await using portal = await startPortal()
    const rows = [
      [{ serial: 'SHORT' }],
      [{ serial: 'UNKNOWN00001' }],
      [{ identifier: '90000000-01', serial: 'FACTORY00002' }],
      [{ identifier: '12345678-90', serial: 'FACTORY00002' }],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([numbers]) => {
        const body = { name: 'Boat', kind: 'other', type: 'tracker_01', ...numbers }
        expect(await portal.call(ALICE, 'POST', PATH, body)).toMatchObject({ status: 400, body: { code: 'invalid_serial' } })
      }),
    ).toEqual([])
  })

  test('R-5.8 numbers of a tracker on any account are refused as taken', async () => {
    await using portal = await startPortal()
    const rows = [
      [{ identifier: '80000000-01' }],
      [{ identifier: '10000000-01' }],
      [{ serial: 'VICTOR000001' }],
      [{ identifier: '80000000-01', serial: 'FACTORY00001' }],
      [{ identifier: '90000000-01', serial: 'VICTOR000001' }],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([numbers]) => {
        const body = { name: 'Boat', kind: 'other', type: 'tracker_01', ...numbers }
        expect(await portal.call(ALICE, 'POST', PATH, body)).toMatchObject({ status: 409, body: { code: 'identifier_taken' } })
      }),
    ).toEqual([])
  })

  test('R-3.2 adding a tracker with an invalid value is refused with an error for its field', async () => {
    await using portal = await startPortal()
    const rows = [
      [{ identifier: undefined }, 'identifier'],
      [{ name: '  ' }, 'name'],
      [{ name: 'x'.repeat(51) }, 'name'],
      [{ kind: 'robot' }, 'kind'],
      [{ type: 'tracker_05' }, 'type'],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([change, field]) => {
        const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...newTracker, ...change })
        expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
      }),
    ).toEqual([])
  })

  test('of simultaneous additions of the same tracker only one succeeds', async () => {
    await using portal = await startPortal()
    const tries = [ALICE, DARIO, 'bruno@example.com'].map((email) => portal.call(email, 'POST', PATH, newTracker))
    const serial = portal.call('usha@example.com', 'POST', PATH, { serial: 'FACTORY00001', name: 'Boat', kind: 'other' })
    const responses = await Promise.all([...tries, serial])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(await portal.world.db.read.$count(stockItems, eq(stockItems.identifier, '9000000001'))).toBe(1)
  })

  test('a pro administrator may add trackers, and neither members nor support may', async () => {
    await using portal = await startPortal()
    for (const email of ['member@pro.example.com', 'support@example.com'])
      expect(await portal.call(email, 'POST', PATH, newTracker)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    const { body } = await portal.call('admin@pro.example.com', 'POST', PATH, newTracker)
    expect((await portal.call('member@pro.example.com', 'GET', `/devices/${body.id}/`)).status).toBe(404)
    expect((await portal.call(ALICE, 'GET', `/devices/${body.id}/`)).status).toBe(404)
    expect((await portal.call(null, 'POST', PATH, newTracker)).status).toBe(401)
    expect((await portal.call(ALICE, 'GET', `/devices/${SEED.devices.rex}/`)).status).toBe(200)
  })
})

describe('where only trackers in stock can be claimed', () => {
  const add = (portal: Awaited<ReturnType<typeof startPortal>>, numbers: object) =>
    portal.call(DARIO, 'POST', PATH, { name: 'Boat', kind: 'other', type: 'tracker_01', ...numbers })

  test('an invented identifier is refused with its field, and one in stock is added', async () => {
    await using portal = await startPortal({ claims: 'stock' })
    expect(await add(portal, { identifier: '12345678-90' })).toMatchObject({
      status: 400,
      body: { code: 'not_in_stock', errors: { identifier: [expect.any(String)] } },
    })
    expect(await add(portal, { identifier: '90000000-01' })).toMatchObject({ status: 201, body: { serial: 'FACTORY00001' } })
    expect((await add(portal, { identifier: '90000000-01' })).body.code).toBe('identifier_taken')
    expect((await add(portal, { serial: 'FACTORY00002' })).status).toBe(201)
  })

  test('a tracker whose account was erased or removed it is in stock again', async () => {
    await using portal = await startPortal({ claims: 'stock' })
    await portal.call(ALICE, 'DELETE', `/devices/${SEED.devices.misty}/`)
    expect(await add(portal, { identifier: '10000000-02' })).toMatchObject({ status: 201, body: { serial: 'ALICE0000002' } })
    await portal.call('zoe@example.com', 'DELETE', '/users/me/?profile=all')
    expect((await add(portal, { identifier: '70000000-01' })).status).toBe(201)
  })
})

test.each(['stock', 'any'] as const)('a blocked tracker cannot be claimed where the rule is %j', async (claims) => {
  await using portal = await startPortal({ claims })
  await portal.world.db.write('everything', (tx) =>
    tx.update(stockItems).set({ blockedAt: portal.clock.now() }).where(eq(stockItems.identifier, '9000000003')),
  )
  const rows = [
    [{ identifier: '90000000-03' }, 'identifier'],
    [{ serial: 'FACTORY00003' }, 'serial'],
  ] as const
  for (const [numbers, field] of rows)
    expect(await portal.call(DARIO, 'POST', PATH, { name: 'Boat', kind: 'other', ...numbers })).toMatchObject({
      status: 409,
      body: { code: 'blocked', errors: { [field]: [expect.any(String)] } },
    })
})

test('an account that claimed a number for a week without using it loses it to another account, and is mailed', async () => {
  await using portal = await startPortal()
  const claimed = { identifier: '12345678-90', name: 'Claimed', kind: 'other', type: 'tracker_01' }
  const add = (email: string) => portal.call(email, 'POST', '/devices/trackers/', claimed)
  const count = (await portal.call('bruno@example.com', 'GET', '/devices/?type=tracker')).body.length
  expect((await add('bruno@example.com')).status).toBe(201)
  portal.clock.set({ at: new Date('2026-03-09T08:59:59Z') })
  expect((await add('alice@example.com')).body.code).toBe('identifier_taken')
  portal.clock.set({ at: new Date('2026-03-09T09:00:00Z') })
  expect((await add('bruno@example.com')).body.code).toBe('identifier_taken')
  expect((await portal.call('bruno@example.com', 'GET', '/devices/?type=tracker')).body).toHaveLength(count + 1)
  expect((await add('alice@example.com')).status).toBe(201)
  expect((await portal.call('bruno@example.com', 'GET', '/devices/?type=tracker')).body).toHaveLength(count)
  expect(await mailsTo(portal.world, 'bruno@example.com', 'tracker_removed')).toMatchObject([
    { data: { tracker: 'Claimed', identifier: '12345678-90' } },
  ])
})

test('an account keeps a number without a serial once its tracker has reported', async () => {
  await using portal = await startPortal()
  const claimed = { identifier: '12345678-90', name: 'Used', kind: 'other', type: 'tracker_01' }
  const { body } = await portal.call('bruno@example.com', 'POST', '/devices/trackers/', claimed)
  await portal.world.db.write('everything', (tx) =>
    tx
      .update(devices)
      .set({ lastMessageAt: new Date('2026-03-02T10:00:00Z') })
      .where(eq(devices.id, body.id)),
  )
  portal.clock.set({ at: new Date('2026-06-02T09:00:00Z') })
  expect((await portal.call('alice@example.com', 'POST', '/devices/trackers/', claimed)).body.code).toBe('identifier_taken')
})
