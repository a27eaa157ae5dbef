import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

async function open(portal: Portal) {
  const headers = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'support' })
  return async () => (await portal.call(null, 'GET', '/operator/api/today/', undefined, headers)).body
}

const PERSON = { password: 'Demo-1234-x', first_name: 'A', last_name: 'B', language: 'en', currency: 'eur', terms: true }

test('a sign-up, an activation and a request count in the figures of today', async () => {
  await using portal = await startPortal()
  const read = await open(portal)
  const before = await read()
  await portal.call(null, 'POST', '/users/register/', { ...PERSON, email: 'new@example.org' })
  const added = await portal.call('alice@example.com', 'POST', '/devices/trackers/', {
    ...{ name: 'New', kind: 'dog', type: 'tracker_01', identifier: '90000000-01' },
  })
  expect((await portal.call('alice@example.com', 'POST', `/devices/${added.body.id}/activate/`)).status).toBe(204)
  const { identifier } = (await portal.call('alice@example.com', 'GET', `/devices/${SEED.devices.misty}/`)).body
  const request = { identifier, email: 'dario@example.com', reason: 'bought_used' }
  expect((await portal.call('dario@example.com', 'POST', '/devices/trackers/unlink_request/', request)).status).toBe(201)
  const after = await read()
  const grown = (was: Record<string, number>) => Object.fromEntries(Object.entries(was).map(([name, count]) => [name, count + 1]))
  expect(after.figures.sign_ups).toEqual(grown(before.figures.sign_ups))
  expect(after.figures.activations).toEqual(grown(before.figures.activations))
  expect(after.figures.active).toBe(before.figures.active + 1)
  expect(after.figures.unconfirmed).toBe(before.figures.unconfirmed + 1)
  expect(after.waiting.requests).toBe(before.waiting.requests + 1)
})

test('a subscription that ends is counted as ended for a month, and no longer as active', async () => {
  await using portal = await startPortal()
  const read = await open(portal)
  const before = await read()
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 400 * 86_400_000) })
  const later = await open(portal)
  const after = await later()
  expect(after.figures.active).toBeLessThan(before.figures.active)
  expect(after.figures.sign_ups).toEqual({ day: 0, week: 0, month: 0 })
})

test('the metrics have the figures and what waits', async () => {
  await using portal = await startPortal()
  const { waiting, figures } = await (await open(portal))()
  const { raw } = await portal.call(null, 'GET', '/metrics')
  const text = raw.toString()
  expect(text).toContain(`business_waiting{what="requests"} ${waiting.requests}\n`)
  expect(text).toContain(`business_events{what="sign_ups",period="month"} ${figures.sign_ups.month}\n`)
  expect(text).toContain(`business_active_trackers ${figures.active}\n`)
  expect(text).toContain(`business_unconfirmed_users ${figures.unconfirmed}\n`)
})
