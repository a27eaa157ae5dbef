import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { formatInstant } from '#contracts/rules/time.ts'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const KEY = { 'x-device-key': 'demo-device-key' }
const { rex, misty, newTracker } = SEED.devices
const data = (id: number, query: object = {}) => `/devices/${id}/tracker_data/?${new URLSearchParams({ ...query })}`
const REX = '1000000001'
const fill = ({ world, clock }: Awaited<ReturnType<typeof startPortal>>, count: number) =>
  world.db.write('everything', (tx) => {
    const now = clock.now().getTime() / 1000
    const row = { lat: -349_057_000, lng: -561_600_000, precision: 8, event: null, battery: 90 }
    const rows = Array.from({ length: count }, (_, minute) => ({ ...row, time: now - minute * 60 }))
    return world.positions.add(tx, newTracker, rows)
  })
const HERE = { lat: -34.9, lng: -56.15, precision: 12 }

const ingest = (portal: Awaited<ReturnType<typeof startPortal>>, body: object) => portal.call(null, 'POST', '/devices/ingest/', body, KEY)

test('the default history is the last 24 hours, oldest first, with addresses', async () => {
  await using portal = await startPortal()
  await fill(portal, 1500)
  const { status, body } = await portal.call(ALICE, 'GET', data(newTracker, { page: 3 }))
  const first = (await portal.call(ALICE, 'GET', data(newTracker))).body.results[0]
  expect([status, body.count, body.results.length]).toEqual([200, 1441, 441])
  expect([first.datetime, body.results.at(-1).datetime]).toEqual(['2026-03-01T09:00:00Z', '2026-03-02T09:00:00Z'])
  const point = { lat: -34.9057, lng: -56.16, precision: 8, address: expect.any(String), event: null, battery: 90 }
  expect(first).toEqual({ id: newTracker * 2 ** 32 + Date.parse(first.datetime) / 1000, datetime: first.datetime, ...point })
})

test('history pages have 500 positions, link both ways and keep their period', async () => {
  await using portal = await startPortal()
  await fill(portal, 1200)
  const seen: number[] = []
  const counts: number[] = []
  for (let next: string | null = data(newTracker); next; ) {
    const { body } = await portal.call(ALICE, 'GET', next)
    portal.clock.set({ at: new Date(portal.clock.now().getTime() + 3_600_000) })
    if (seen.length === 0) expect(body.next).toMatch(/^\/devices\/7\/tracker_data\/\?not_before=.*&page=2$/)
    else expect((await portal.call(ALICE, 'GET', body.previous)).body.results.at(-1).id).toBe(seen.at(-1))
    seen.push(...body.results.map(({ id }: { id: number }) => id))
    counts.push(body.results.length)
    next = body.next
  }
  expect(counts).toEqual([500, 500, 200])
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
})

test('a history page beyond the last is empty and links back', async () => {
  await using portal = await startPortal()
  await fill(portal, 700)
  const beyond = (await portal.call(ALICE, 'GET', data(newTracker, { page: 99 }))).body
  expect(beyond).toMatchObject({ count: 700, next: null, previous: expect.stringContaining('page=2'), results: [] })
  const empty = (
    await portal.call(ALICE, 'GET', data(newTracker, { not_before: '2026-03-02T09:00:01Z', not_after: '2026-03-02T10:00:00Z' }))
  ).body
  expect(empty).toEqual({ count: 0, next: null, previous: null, results: [] })
})

test('history pages are counted from one', async () => {
  await using portal = await startPortal()
  for (const page of [0, -1, 1.5, 'last']) {
    const { status, body } = await portal.call(ALICE, 'GET', data(newTracker, { page }))
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', ['page']])
  }
})

test('an empty query parameter is treated as missing', async () => {
  await using portal = await startPortal()
  const url = `/devices/${rex}/tracker_data/`
  const template = await portal.call(ALICE, 'GET', `${url}?not_before=&not_after=&page=`)
  expect(template).toMatchObject({ status: 200, body: (await portal.call(ALICE, 'GET', url)).body })
  expect(template.body.count).toBeGreaterThan(0)
  expect((await portal.call(ALICE, 'GET', `${url}export_csv/?not_before=&not_after=`)).status).toBe(200)
})

test.each([
  ['ends before it begins', { not_before: '2026-03-01T10:00:00Z', not_after: '2026-03-01T09:59:59Z' }, 'invalid_period'],
  [
    'is a millisecond longer than 366 days',
    { not_before: '2025-03-01T08:59:59.999Z', not_after: '2026-03-02T09:00:00Z' },
    'invalid_period',
  ],
  ['is not an instant', { not_before: 'yesterday' }, 'validation_error'],
])('a period that %s is refused', async (_, query, code) => {
  await using portal = await startPortal()
  for (const path of [data(rex, query), data(rex, query).replace('?', 'export_csv/?')])
    expect(await portal.call(ALICE, 'GET', path)).toMatchObject({ status: 400, body: { code } })
})

test('a period of exactly 366 days or a single instant is accepted', async () => {
  await using portal = await startPortal()
  const not_after = '2026-03-02T09:00:00Z'
  expect((await portal.call(ALICE, 'GET', data(rex, { not_before: '2025-03-01T09:00:00Z', not_after }))).status).toBe(200)
  expect((await portal.call(ALICE, 'GET', data(rex, { not_before: not_after, not_after }))).status).toBe(200)
})

test("R-6.9 another account's history, export and stream are not found", async () => {
  await using portal = await startPortal()
  for (const path of [data(rex), `/devices/${rex}/tracker_data/export_csv/`])
    expect((await portal.call('dario@example.com', 'GET', path)).status).toBe(404)
  expect((await portal.call('member@pro.example.com', 'GET', data(rex))).status).toBe(404)
  expect((await portal.call('support@example.com', 'GET', data(rex))).status).toBe(200)
})

test('a device sends an uplink with its key and its identifier or serial', async () => {
  await using portal = await startPortal()
  const at = formatInstant(portal.clock.now())
  const send = (body: object, key: Record<string, string> = KEY) => portal.call(null, 'POST', '/devices/ingest/', body, key)
  expect(await send({ identifier: '10000000-01', battery: 80, positions: [{ ...HERE, datetime: at }] })).toMatchObject({
    status: 201,
    body: { accepted: 1, ignored: 0 },
  })
  expect(await send({ serial: 'ALICE0000001', positions: [{ ...HERE, datetime: at }] })).toMatchObject({
    body: { accepted: 0, ignored: 1 },
  })
  expect(await send({ identifier: REX, positions: [] }, {})).toMatchObject({ status: 401, body: { code: 'invalid_device_key' } })
  expect(await send({ identifier: REX, positions: [] }, { 'x-device-key': 'wrong' })).toMatchObject({ status: 401 })
  expect(await send({ identifier: '5555555555', positions: [] })).toMatchObject({ status: 404, body: { code: 'unknown_tracker' } })
  const status = (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_status/`)).body
  expect(status).toMatchObject({ battery: 80, last_position: { ...HERE, datetime: at }, last_address: expect.any(String) })
})

test('the last address of a tracker matches its history and its export, even between neighbouring houses', async () => {
  await using portal = await startPortal()
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 3_600_000) })
  const now = portal.clock.now().getTime()
  const last: string[] = []
  for (let step = 0; step < 60; step++) {
    const fix = { lat: -34.905 - step * 0.00003, lng: -56.185, precision: 5, datetime: formatInstant(new Date(now - (60 - step) * 1000)) }
    await ingest(portal, { identifier: REX, positions: [fix] })
    last.push((await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_status/`)).body.last_address)
  }
  const not_before = formatInstant(new Date(now - 60_000))
  const { body } = await portal.call(ALICE, 'GET', data(rex, { not_before }))
  expect(body.results.map(({ address }: { address: string }) => address)).toEqual(last)
  const file = (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/export_csv/?not_before=${not_before}`)).body
  expect(file.match(/(?<=,)"[^"]+"/g)).toEqual(last.map((address) => `"${address}"`))
  expect(new Set(last).size).toBeGreaterThan(3)
})

test('the last address of every seeded tracker matches its history', async () => {
  await using portal = await startPortal()
  const { body } = await portal.call(ALICE, 'GET', '/devices/?type=tracker')
  const seen = body.filter(({ tracker_status }: { tracker_status: { last_position: object | null } }) => tracker_status.last_position)
  expect(seen.length).toBeGreaterThan(5)
  for (const { id, tracker_status: status } of seen) {
    const at = status.last_position.datetime
    const point = (await portal.call(ALICE, 'GET', data(id, { not_before: at, not_after: at }))).body.results.at(-1)
    expect([id, point.address]).toEqual([id, status.last_address])
  }
})

test('a message with an invalid fix is refused with an error for the fix, and nothing is stored', async () => {
  await using portal = await startPortal()
  const rows = [
    ['lat', 90.1],
    ['lat', -91],
    ['lat', '1'],
    ['lng', 180.5],
    ['lng', -181],
    ['lng', null],
    ['precision', -1],
    ['precision', 100_001],
    ['precision', 1.5],
    ['datetime', 'now'],
    ['datetime', '2026-02-30T00:00:00Z'],
    ['datetime', 1_772_442_000],
    ['event', 'eaten'],
  ] as const
  expect(
    await collectFailures(rows, JSON.stringify, async ([field, value]) => {
      const fix = { ...HERE, datetime: '2026-03-02T08:59:59Z' }
      const count = () => portal.world.positions.count(rex, 0, 2 ** 31)
      const before = await count()
      const { status, body } = await ingest(portal, { identifier: REX, positions: [fix, { ...fix, [field]: value }] })
      expect([status, body.code, Object.keys(body.errors), await count()]).toEqual([
        400,
        'validation_error',
        [`positions.1.${field}`],
        before,
      ])
    }),
  ).toEqual([])
})

test('an invalid uplink is refused with an error for its field', async () => {
  await using portal = await startPortal()
  const rows = [
    ['battery', { battery: -1.5 }],
    ['battery', { battery: 10_001 }],
    ['battery', { battery: 101 }],
    ['battery', { battery: '80' }],
    ['positions', { positions: undefined }],
    ['positions', { positions: {} }],
    ['identifier', { identifier: undefined }],
  ] as const
  expect(
    await collectFailures(rows, JSON.stringify, async ([field, change]) => {
      const { status, body } = await ingest(portal, { identifier: REX, positions: [], ...change })
      expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
    }),
  ).toEqual([])
})

test('an uplink may have 1,000 positions but not 1,001', async () => {
  await using portal = await startPortal()
  const { body: device } = await portal.call(ALICE, 'GET', `/devices/${newTracker}/`)
  const end = portal.clock.now().getTime()
  const fixes = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...HERE, datetime: formatInstant(new Date(end - index * 1000)) }))
  const refused = await ingest(portal, { identifier: device.identifier, positions: fixes(1001) })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['positions']])
  const taken = await ingest(portal, { identifier: device.identifier, positions: fixes(1000) })
  expect([taken.status, taken.body]).toEqual([201, { accepted: 1000, ignored: 0 }])
  expect((await portal.call(ALICE, 'GET', data(newTracker))).body.count).toBe(1000)
})

test('the receipt lists refused positions with reasons', async () => {
  await using portal = await startPortal()
  const at = (datetime: string) => ({ ...HERE, datetime })
  const positions = [at('2026-03-02T09:10:01Z'), at('2026-03-02T09:00:00Z'), at('1980-01-06T00:00:00Z')]
  expect(await ingest(portal, { identifier: REX, positions })).toMatchObject({
    status: 201,
    body: {
      accepted: 1,
      ignored: 0,
      refused: [
        { index: 0, reason: 'in_the_future' },
        { index: 2, reason: 'too_old' },
      ],
    },
  })
})

test('of simultaneous uplinks with the same positions only one is accepted', async () => {
  await using portal = await startPortal()
  const body = { identifier: REX, positions: [0, 1, 2].map((second) => ({ ...HERE, datetime: `2026-03-02T09:00:0${second}Z` })) }
  const responses = await Promise.all([1, 2, 3].map(() => ingest(portal, body)))
  expect(responses.map((response) => response.body.accepted).sort()).toEqual([0, 0, 3])
})

test('an uplink without valid numbers is refused as unknown tracker', async () => {
  await using portal = await startPortal()
  const rows = [
    ['an unknown identifier', { identifier: '55555555-55' }],
    ['a malformed identifier', { identifier: 'Rex' }],
    ['an unknown serial', { serial: 'ALICE0000099' }],
    ['the numbers of two trackers', { identifier: REX, serial: 'ALICE0000002' }],
    ['a known serial and a malformed identifier', { identifier: 'Rex', serial: 'ALICE0000001' }],
    ['a known identifier and a malformed serial', { identifier: REX, serial: 'Rex' }],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      async ([, numbers]) => {
        expect(await ingest(portal, { ...numbers, positions: [] })).toMatchObject({ status: 404, body: { code: 'unknown_tracker' } })
      },
    ),
  ).toEqual([])
})

test('an uplink of a removed tracker is refused as unknown tracker', async () => {
  await using portal = await startPortal()
  expect((await ingest(portal, { identifier: REX, positions: [] })).status).toBe(201)
  await portal.world.db.write('everything', (tx) => tx.delete(devices).where(eq(devices.id, rex)))
  expect((await ingest(portal, { identifier: REX, positions: [] })).body.code).toBe('unknown_tracker')
})

test('a live stream over HTTP publishes uplinks, and replays missed events to a client that reconnects', async () => {
  await using portal = await startPortal()
  const authorization = `Bearer ${await portal.token(ALICE)}`
  const open = async (headers: object = {}) => {
    const response = await portal.app.inject({ url: '/devices/live/', headers: { authorization, ...headers }, payloadAsStream: true })
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const chunks = response.stream()[Symbol.asyncIterator]()
    return { next: async () => String((await chunks.next()).value), leave: () => chunks.return?.() }
  }
  const first = await open()
  expect(await first.next()).toContain('retry:')
  await portal.call(null, 'POST', '/devices/ingest/', { identifier: REX, positions: [] }, KEY)
  const event = await first.next()
  expect(event).toMatch(/^id: \d+\nevent: status\ndata: \{"device":1,/)
  await first.leave()
  await portal.call(null, 'POST', '/devices/ingest/', { identifier: REX, battery: 33, positions: [] }, KEY)
  const second = await open({ 'last-event-id': /^id: (\d+)/.exec(event)?.[1] })
  expect(await second.next()).toMatch(/retry: 2000\n\nid: \d+\nevent: status\n.*"battery":33/)
  await second.leave()
})

test('a live stream needs a session and is not opened by HEAD', async () => {
  await using portal = await startPortal()
  expect((await portal.call(null, 'GET', '/devices/live/')).status).toBe(401)
  expect((await portal.call(ALICE, 'HEAD', '/devices/live/')).status).toBe(404)
})

test('the seeds have a stationary and a moving tracker', async () => {
  await using portal = await startPortal()
  expect((await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_status/`)).body.stationary_since).toBeNull()
  expect((await portal.call(ALICE, 'GET', `/devices/${misty}/tracker_status/`)).body.stationary_since).toBe('2026-03-02T08:52:00Z')
})
