import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { mailsTo } from '#server/test/test-mail.ts'

const ALICE = 'alice@example.com'
const { rex, familyCar } = SEED.devices
const path = (id: number) => `/devices/${id}/battery_alert/`

test('the low battery alert of a tracker has its default level until another one is saved', async () => {
  await using portal = await startPortal()
  expect((await portal.call(ALICE, 'GET', path(rex))).body).toEqual({ threshold: 15, unit: 'percent', contacts: [] })
  const [contact] = (await portal.call(ALICE, 'GET', '/tracker_contacts/')).body
  const saved = await portal.call(ALICE, 'PUT', path(rex), { threshold: 40, contacts: [contact.id, contact.id] })
  expect([saved.status, saved.body]).toEqual([200, { threshold: 40, unit: 'percent', contacts: [contact.id] }])
  expect((await portal.call(ALICE, 'GET', path(rex))).body).toEqual(saved.body)
})

test.each([
  [rex, { threshold: 4, contacts: [] }, 'threshold'],
  [rex, { threshold: 51, contacts: [] }, 'threshold'],
  [familyCar, { threshold: 15, contacts: [] }, 'threshold'],
  [rex, { threshold: 20, contacts: [9999] }, 'contacts'],
])('tracker %i refuses the alert %o because of its %s', async (id, body, field) => {
  await using portal = await startPortal()
  const { status, body: refusal } = await portal.call(ALICE, 'PUT', path(id), body)
  expect([status, Object.keys(refusal.errors)]).toEqual([400, [field]])
})

test('below the saved level the owner and the chosen contacts get one mail each', async () => {
  await using portal = await startPortal()
  const report = (battery: number) => portal.call(null, 'POST', `/mock/sim/trackers/${rex}/event`, { type: 'button', battery })
  const [contact] = (await portal.call(ALICE, 'GET', '/tracker_contacts/')).body
  await portal.call(ALICE, 'PUT', path(rex), { threshold: 40, contacts: [contact.id] })
  for (const battery of [41, 39, 30]) expect((await report(battery)).status).toBe(200)
  expect(await mailsTo(portal.world, ALICE, 'low_battery')).toMatchObject([{ data: { tracker: 'Rex', device: String(rex) } }])
  const [mail, ...others] = await mailsTo(portal.world, contact.email, 'low_battery')
  expect([mail!.data, others]).toEqual([{ tracker: 'Rex', owner: 'Alice', account: '1', datetime: expect.any(String) }, []])
})
