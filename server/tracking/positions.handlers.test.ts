import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { wire } from '#contracts/rules/instant.ts'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const KEY = { 'x-device-key': 'demo-device-key' }
const { rex, misty, newTracker } = SEED.devices
const data = (id: number, query: object = {}) => `/devices/${id}/tracker_data/?${new URLSearchParams({ ...query })}`
const REX = '1000000001'
/** A position a minute up to now, `count` of them, for a tracker that had none. */
const fill = ({ world, clock }: Awaited<ReturnType<typeof startPortal>>, count: number) =>
  world.db.write(async () => {
    const now = clock.now().getTime() / 1000
    const row = { lat: -349_057_000, lng: -561_600_000, precision: 8, event: null, battery: 90 }
    for (let minute = 0; minute < count; minute++) world.positions.add(newTracker, { ...row, time: now - minute * 60 })
  })
const HERE = { lat: -34.9, lng: -56.15, precision: 12 }

const tell = (portal: Awaited<ReturnType<typeof startPortal>>, body: object) => portal.call(null, 'POST', '/devices/ingest/', body, KEY)

test('E-37 the last 24 hours, oldest first, with addresses', async () => {
  await using portal = await startPortal()
  await fill(portal, 1500)
  const { status, body } = await portal.call(ALICE, 'GET', data(newTracker, { page: 3 }))
  const first = (await portal.call(ALICE, 'GET', data(newTracker))).body.results[0]
  expect([status, body.count, body.results.length]).toEqual([200, 1441, 441])
  expect([first.datetime, body.results.at(-1).datetime]).toEqual(['2026-03-01T09:00:00Z', '2026-03-02T09:00:00Z'])
  const point = { lat: -34.9057, lng: -56.16, precision: 8, address: expect.any(String), event: null, battery: 90 }
  expect(first).toEqual({ id: newTracker * 2 ** 32 + Date.parse(first.datetime) / 1000, datetime: first.datetime, ...point })
})

test('E-37 five hundred a page, linked both ways, the same period on every page', async () => {
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

test('E-37 a page beyond the last is empty and leads back', async () => {
  await using portal = await startPortal()
  await fill(portal, 700)
  const beyond = (await portal.call(ALICE, 'GET', data(newTracker, { page: 99 }))).body
  expect(beyond).toMatchObject({ count: 700, next: null, previous: expect.stringContaining('page=2'), results: [] })
  const empty = (
    await portal.call(ALICE, 'GET', data(newTracker, { not_before: '2026-03-02T09:00:01Z', not_after: '2026-03-02T10:00:00Z' }))
  ).body
  expect(empty).toEqual({ count: 0, next: null, previous: null, results: [] })
})

test('E-37 pages count from one', async () => {
  await using portal = await startPortal()
  for (const page of [0, -1, 1.5, 'last']) {
    const { status, body } = await portal.call(ALICE, 'GET', data(newTracker, { page }))
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', ['page']])
  }
})

test('E-37 E-38 an empty value is one that was left out', async () => {
  await using portal = await startPortal()
  const url = `/devices/${rex}/tracker_data/`
  const template = await portal.call(ALICE, 'GET', `${url}?not_before=&not_after=&page=`)
  expect(template).toMatchObject({ status: 200, body: (await portal.call(ALICE, 'GET', url)).body })
  expect(template.body.count).toBeGreaterThan(0)
  expect((await portal.call(ALICE, 'GET', `${url}export_csv/?not_before=&not_after=`)).status).toBe(200)
})

test.each([
  ['ends before it begins', { not_before: '2026-03-01T10:00:00Z', not_after: '2026-03-01T09:59:59Z' }, 'invalid_period'],
  ['is longer than 366 days', { not_before: '2025-03-01T08:59:59Z', not_after: '2026-03-02T09:00:00Z' }, 'invalid_period'],
  ['is no instant', { not_before: 'yesterday' }, 'validation_error'],
])('E-37 refuses a period that %s', async (_, query, code) => {
  await using portal = await startPortal()
  for (const path of [data(rex, query), data(rex, query).replace('?', 'export_csv/?')])
    expect(await portal.call(ALICE, 'GET', path)).toMatchObject({ status: 400, body: { code } })
})

test('E-37 a period of exactly 366 days, and of a single instant, is fine', async () => {
  await using portal = await startPortal()
  const not_after = '2026-03-02T09:00:00Z'
  expect((await portal.call(ALICE, 'GET', data(rex, { not_before: '2025-03-01T09:00:00Z', not_after }))).status).toBe(200)
  expect((await portal.call(ALICE, 'GET', data(rex, { not_before: not_after, not_after }))).status).toBe(200)
})

test("R-6.9 a stranger's history, export and stream hold nothing of others", async () => {
  await using portal = await startPortal()
  for (const path of [data(rex), `/devices/${rex}/tracker_data/export_csv/`])
    expect((await portal.call('dario@example.com', 'GET', path)).status).toBe(404)
  expect((await portal.call('member@pro.example.com', 'GET', data(rex))).status).toBe(404)
  expect((await portal.call('support@example.com', 'GET', data(rex))).status).toBe(200)
})

test('E-71 a device signs its message with its key and says who it is', async () => {
  await using portal = await startPortal()
  const at = wire(portal.clock.now())
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

test('D-33 E-37 the last address of a tracker is the one its history and its file say, however near the doors are', async () => {
  await using portal = await startPortal()
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 3_600_000) })
  const now = portal.clock.now().getTime()
  const last: string[] = []
  for (let step = 0; step < 60; step++) {
    const fix = { lat: -34.905 - step * 0.00003, lng: -56.185, precision: 5, datetime: wire(new Date(now - (60 - step) * 1000)) }
    await tell(portal, { identifier: REX, positions: [fix] })
    last.push((await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_status/`)).body.last_address)
  }
  const not_before = wire(new Date(now - 60_000))
  const { body } = await portal.call(ALICE, 'GET', data(rex, { not_before }))
  expect(body.results.map(({ address }: { address: string }) => address)).toEqual(last)
  const file = (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/export_csv/?not_before=${not_before}`)).body
  expect(file.match(/(?<=,)"[^"]+"/g)).toEqual(last.map((address) => `"${address}"`))
  expect(new Set(last).size).toBeGreaterThan(3)
})

test('E-37 the last address of every seeded tracker is the one its history says', async () => {
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

test.each([
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
])('E-71 refuses a fix with the %s %j, and keeps nothing of the message', async (field, value) => {
  await using portal = await startPortal()
  const fix = { ...HERE, datetime: '2026-03-02T08:59:59Z' }
  const count = () => portal.world.positions.count(rex, 0, 2 ** 31)
  const before = count()
  const { status, body } = await tell(portal, { identifier: REX, positions: [fix, { ...fix, [field]: value }] })
  expect([status, body.code, Object.keys(body.errors), count()]).toEqual([400, 'validation_error', [`positions.1.${field}`], before])
})

test.each([
  ['battery', { battery: -1.5 }],
  ['battery', { battery: 10_001 }],
  ['battery', { battery: 101 }],
  ['battery', { battery: '80' }],
  ['positions', { positions: undefined }],
  ['positions', { positions: {} }],
  ['identifier', { identifier: undefined }],
])('E-71 names %s as what is wrong with %j', async (field, change) => {
  await using portal = await startPortal()
  const { status, body } = await tell(portal, { identifier: REX, positions: [], ...change })
  expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
})

test('E-71 takes a thousand positions in one message, and not one more', async () => {
  await using portal = await startPortal()
  const { body: device } = await portal.call(ALICE, 'GET', `/devices/${newTracker}/`)
  const end = portal.clock.now().getTime()
  const fixes = (count: number) => Array.from({ length: count }, (_, index) => ({ ...HERE, datetime: wire(new Date(end - index * 1000)) }))
  const refused = await tell(portal, { identifier: device.identifier, positions: fixes(1001) })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['positions']])
  const taken = await tell(portal, { identifier: device.identifier, positions: fixes(1000) })
  expect([taken.status, taken.body]).toEqual([201, { accepted: 1000, ignored: 0 }])
  expect((await portal.call(ALICE, 'GET', data(newTracker))).body.count).toBe(1000)
})

test('E-71 tells which positions it refuses, and why', async () => {
  await using portal = await startPortal()
  const at = (datetime: string) => ({ ...HERE, datetime })
  const positions = [at('2026-03-02T09:10:01Z'), at('2026-03-02T09:00:00Z'), at('1980-01-06T00:00:00Z')]
  expect(await tell(portal, { identifier: REX, positions })).toMatchObject({
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

test('E-71 of two messages at once with the same positions one is taken', async () => {
  await using portal = await startPortal()
  const body = { identifier: REX, positions: [0, 1, 2].map((second) => ({ ...HERE, datetime: `2026-03-02T09:00:0${second}Z` })) }
  const answers = await Promise.all([1, 2, 3].map(() => tell(portal, body)))
  expect(answers.map((answer) => answer.body.accepted).sort()).toEqual([0, 0, 3])
})

test.each([
  ['an identifier that nobody has', { identifier: '55555555-55' }],
  ['no identifier', { identifier: 'Rex' }],
  ['an S/N that nobody has', { serial: 'ALICE0000099' }],
  ['the numbers of two trackers', { identifier: REX, serial: 'ALICE0000002' }],
  ['a right S/N beside a senseless identifier', { identifier: 'Rex', serial: 'ALICE0000001' }],
  ['a right identifier beside a senseless S/N', { identifier: REX, serial: 'Rex' }],
])('E-71 does not know %s', async (_, numbers) => {
  await using portal = await startPortal()
  expect(await tell(portal, { ...numbers, positions: [] })).toMatchObject({ status: 404, body: { code: 'unknown_tracker' } })
})

test('E-71 does not know a tracker that left its account', async () => {
  await using portal = await startPortal()
  expect((await tell(portal, { identifier: REX, positions: [] })).status).toBe(201)
  await portal.world.db.write((tx) => tx.delete(devices).where(eq(devices.id, rex)))
  expect((await tell(portal, { identifier: REX, positions: [] })).body.code).toBe('unknown_tracker')
})

test('D-32 a stream over HTTP tells of a message, and a client that comes back of what it missed', async () => {
  await using portal = await startPortal()
  const authorization = `Bearer ${await portal.token(ALICE)}`
  const open = async (headers: object = {}) => {
    const answer = await portal.app.inject({ url: '/devices/live/', headers: { authorization, ...headers }, payloadAsStream: true })
    expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const chunks = answer.stream()[Symbol.asyncIterator]()
    return { next: async () => String((await chunks.next()).value), leave: () => chunks.return?.() }
  }
  const first = await open()
  expect(await first.next()).toContain('retry:')
  await portal.call(null, 'POST', '/devices/ingest/', { identifier: REX, positions: [] }, KEY)
  const told = await first.next()
  expect(told).toMatch(/^id: \d+\nevent: status\ndata: \{"device":1,/)
  await first.leave()
  await portal.call(null, 'POST', '/devices/ingest/', { identifier: REX, battery: 33, positions: [] }, KEY)
  const second = await open({ 'last-event-id': /^id: (\d+)/.exec(told)?.[1] })
  expect(await second.next()).toMatch(/retry: 2000\n\nid: \d+\nevent: status\n.*"battery":33/)
  await second.leave()
})

test('D-32 nobody hears a stream without a session, and HEAD opens none', async () => {
  await using portal = await startPortal()
  expect((await portal.call(null, 'GET', '/devices/live/')).status).toBe(401)
  expect((await portal.call(ALICE, 'HEAD', '/devices/live/')).status).toBe(404)
})

test('H.2 a tracker at rest and one on the move', async () => {
  await using portal = await startPortal()
  expect((await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_status/`)).body.stationary_since).toBeNull()
  expect((await portal.call(ALICE, 'GET', `/devices/${misty}/tracker_status/`)).body.stationary_since).toBe('2026-03-02T08:52:00Z')
})
