import { expect, test } from 'vitest'
import { SharedTracker } from '#contracts/links.ts'
import { SEED } from '#db/seed/seed-ids.ts'
import { LINKS } from '#db/seed/seed-keys.ts'
import { startPortal } from '#server/mock/testing.ts'

const ALICE = 'alice@example.com'
const shared = (uuid: string) => `/tracker_public_share_links/${uuid}/`

test.each([
  ['unknown', LINKS.unknown],
  ['expired', LINKS.expired],
  ['malformed', 'not-a-uuid'],
])('R-8.11 an %s link is invalid', async (_, uuid) => {
  await using portal = await startPortal()
  expect(await portal.call(null, 'GET', shared(uuid))).toMatchObject({ status: 404, body: { code: 'invalid_link' } })
})

test('R-2.41 a stranger sees the tracker and its trace, and nothing of its owner', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(null, 'GET', shared(LINKS.fromBeginning))
  expect(status).toBe(200)
  expect(SharedTracker.parse(body)).toEqual(body)
  expect(body.tracker).toEqual({ name: 'City bike', kind: 'bike', type: 'tracker_01' })
  expect(body.positions.length).toBeGreaterThan(100)
  expect(body.last_position).toEqual(body.positions.at(-1))
  const text = JSON.stringify(body)
  for (const secret of ['1000000003', 'ALICE', 'alice', 'address', '"id"', 'serial']) expect(text).not.toContain(secret)
})

test('D-17 shows positions from the start to the end of the link', async () => {
  await using portal = await startPortal()
  const created = await portal.call(ALICE, 'POST', `/devices/${SEED.devices.cityBike}/public_share_link/`, {})
  expect(created.status).toBe(400)
  const asked = { label: 'A past window', start_date: '2026-02-27T09:00:00Z', end_date: '2026-03-02T10:00:00Z' }
  const { body: link } = await portal.call(ALICE, 'POST', `/devices/${SEED.devices.misty}/public_share_link/`, asked)
  const { body } = await portal.call(null, 'GET', shared(link.uuid))
  const times: string[] = body.positions.map((position: { datetime: string }) => position.datetime)
  expect(times.length).toBeGreaterThan(0)
  expect(times).toEqual([...times].sort())
  expect(times[0]! >= asked.start_date && times.at(-1)! <= '2026-03-02T09:00:00Z').toBe(true)
})

test('R-3.57 a link stops working at its expiry', async () => {
  await using portal = await startPortal()
  const asked = { label: 'An hour', end_date: '2026-03-02T10:00:00Z' }
  const { body: link } = await portal.call(ALICE, 'POST', `/devices/${SEED.devices.misty}/public_share_link/`, asked)
  portal.clock.set({ at: new Date('2026-03-02T09:59:59Z') })
  expect((await portal.call(null, 'GET', shared(link.uuid))).status).toBe(200)
  portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
  expect((await portal.call(null, 'GET', shared(link.uuid))).status).toBe(404)
})

test('R-3.60 a link to the last point shows no trace', async () => {
  await using portal = await startPortal()
  const { body } = await portal.call(null, 'GET', shared(LINKS.lastPoint))
  expect(body).toMatchObject({ last_point: true, permanent: false, end_date: '2100-12-31T23:59:59Z' })
  expect(body.positions).toEqual([body.last_position])
})

test('D-17 a link whose period has no position is valid and empty', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(null, 'GET', shared(LINKS.empty))
  expect([status, body.last_position, body.positions]).toEqual([200, null, []])
})
