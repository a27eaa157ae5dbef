import { expect, test } from 'vitest'
import { SharedTracker } from '#contracts/links.ts'
import { toFixed7 } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const { newTracker } = SEED.devices
const linksOf = (device: number) => `/devices/${device}/public_share_link/`
const shared = (uuid: string) => `/tracker_public_share_links/${uuid}/`

test.each([
  ['unknown', LINKS.unknown],
  ['expired', LINKS.expired],
  ['malformed', 'not-a-uuid'],
])('R-8.11 an %s link is invalid', async (_, uuid) => {
  await using portal = await startPortal()
  expect(await portal.call(null, 'GET', shared(uuid))).toMatchObject({ status: 404, body: { code: 'invalid_link' } })
})

test('R-2.41 a visitor sees the tracker and its trace, and nothing about its owner', async () => {
  await using portal = await startPortal()
  await addFixes(portal, newTracker, ['2026-03-01T09:00:00Z', '2026-03-02T08:00:00Z'])
  const { body: link } = await portal.call(ALICE, 'POST', linksOf(newTracker), { label: 'All', permanent: true, from_beginning: true })
  const { status, body } = await portal.call(null, 'GET', shared(link.uuid))
  expect(status).toBe(200)
  expect(SharedTracker.parse(body)).toEqual(body)
  expect(body.tracker).toEqual({ name: 'New tracker', kind: 'other', type: 'tracker_01' })
  expect(body.positions[0]).toEqual({ lat: -34.9, lng: -56.16, precision: 8, datetime: '2026-03-01T09:00:00Z' })
  expect(body.last_position).toEqual(body.positions[1])
  const text = JSON.stringify(body)
  for (const secret of ['1000000007', 'ALICE', 'alice', 'address', '"id"', 'serial']) expect(text).not.toContain(secret)
})

test('a visitor sees the name, number and sentence that the owner gave the link, and the address of the newest position', async () => {
  await using portal = await startPortal()
  const { rex } = SEED.devices
  const answer = { shared_by: 'Alice', phone: '+598 99 123 456', note: 'He is shy. Please call.' }
  const body = { label: 'Found Rex?', permanent: true, from_beginning: true, ...answer }
  const link = await portal.call(ALICE, 'POST', linksOf(rex), body)
  expect(link).toMatchObject({ status: 201, body: answer })
  const now = (await portal.call(ALICE, 'GET', `/devices/${rex}/`)).body
  expect((await portal.call(null, 'GET', shared(link.body.uuid))).body).toMatchObject({
    ...answer,
    address: now.tracker_status.last_address,
    last_position: { datetime: now.tracker_status.last_position.datetime },
  })
  const earlier = { ...body, from_beginning: false, permanent: false, start_date: '2026-03-01T00:00:00Z', end_date: '2026-03-02T09:00:01Z' }
  const plain = (await portal.call(ALICE, 'POST', linksOf(rex), { ...earlier, shared_by: '', phone: null, note: undefined })).body
  for (const name of Object.keys(answer)) expect(plain).not.toHaveProperty(name)
  expect(await portal.call(ALICE, 'POST', linksOf(rex), { ...body, phone: 'call me' })).toMatchObject({
    status: 400,
    body: { errors: { phone: expect.anything() } },
  })
})

test('an old position has no address', async () => {
  await using portal = await startPortal()
  const { rex } = SEED.devices
  await portal.world.db.write('everything', (tx) => tx.update(devices).set({ positionAt: new Date('2026-03-02T08:59:59Z') }))
  const link = await portal.call(ALICE, 'POST', linksOf(rex), { label: 'x', permanent: true, from_beginning: true })
  expect((await portal.call(null, 'GET', shared(link.body.uuid))).body).not.toHaveProperty('address')
})

test('a link shows positions from its start to its end, and none from the future', async () => {
  await using portal = await startPortal()
  const start = '2026-03-02T08:00:00Z'
  const end = '2026-03-02T10:00:00Z'
  const times = ['2026-03-02T07:59:59Z', start, '2026-03-02T09:00:00Z', '2026-03-02T09:30:00Z']
  await addFixes(portal, newTracker, times)
  const { body: link } = await portal.call(ALICE, 'POST', linksOf(newTracker), { label: 'A window', start_date: start, end_date: end })
  const { body } = await portal.call(null, 'GET', shared(link.uuid))
  expect(body.positions.map((position: { datetime: string }) => position.datetime)).toEqual(times.slice(1, 3))
})

test('a long trace shows its newest 5000 positions', async () => {
  await using portal = await startPortal()
  const first = Date.parse('2026-02-01T00:00:00Z')
  const times = Array.from({ length: 5001 }, (_, minute) => new Date(first + minute * 60_000).toISOString())
  await addFixes(portal, newTracker, times)
  const { body: link } = await portal.call(ALICE, 'POST', linksOf(newTracker), { label: 'All', permanent: true, from_beginning: true })
  const { body } = await portal.call(null, 'GET', shared(link.uuid))
  expect([body.positions.length, body.positions[0].datetime]).toEqual([5000, '2026-02-01T00:01:00Z'])
})

test('R-3.57 a link stops working at its expiry', async () => {
  await using portal = await startPortal()
  const asked = { label: 'An hour', end_date: '2026-03-02T10:00:00Z' }
  const { body: link } = await portal.call(ALICE, 'POST', linksOf(newTracker), asked)
  portal.clock.set({ at: new Date('2026-03-02T09:59:59Z') })
  expect((await portal.call(null, 'GET', shared(link.uuid))).status).toBe(200)
  portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
  expect((await portal.call(null, 'GET', shared(link.uuid))).status).toBe(404)
})

test('R-3.60 a last-point link shows no trace', async () => {
  await using portal = await startPortal()
  await addFixes(portal, newTracker, ['2026-03-01T09:00:00Z', '2026-03-02T08:00:00Z'])
  const asked = { label: 'Where is it', permanent: true, from_beginning: true, last_point: true }
  const { body: link } = await portal.call(ALICE, 'POST', linksOf(newTracker), asked)
  const { body } = await portal.call(null, 'GET', shared(link.uuid))
  expect([body.last_point, body.last_position.datetime]).toEqual([true, '2026-03-02T08:00:00Z'])
  expect(body.positions).toEqual([body.last_position])
})

test('a link whose period has no position is valid and empty', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(null, 'GET', shared(LINKS.empty))
  expect([status, body.last_position, body.positions]).toEqual([200, null, []])
})

const addFixes = ({ world: { db, positions } }: Awaited<ReturnType<typeof startPortal>>, device: number, times: string[]) =>
  db.write('everything', (tx) => {
    const fix = { lat: toFixed7(-34.9), lng: toFixed7(-56.16), precision: 8, event: null, battery: null }
    const rows = times.map((time) => ({ ...fix, time: Date.parse(time) / 1000 }))
    return positions.add(tx, device, rows)
  })
