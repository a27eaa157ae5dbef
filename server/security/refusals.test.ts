import { expect, test, vi } from 'vitest'
import type { SecurityEntry } from '#contracts/accounts/security.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, MEMBER, ZOE] = ['alice@example.com', 'member@pro.example.com', 'zoe@example.com']
const NETWORK = '127.0.0.0/24'

const listRefused = async (portal: Portal, email: string) => {
  const { entries } = (await portal.call(email, 'GET', '/users/security_log/')).body
  return (entries as SecurityEntry[]).filter(({ kind }) => /_refused$|^limit_reached$/.test(kind)).map(({ kind, about }) => [kind, about])
}

test('a call without permission is recorded once an hour, with the call', async () => {
  await using portal = await startPortal()
  const invite = () => portal.call(MEMBER, 'POST', '/users/team/', {})
  for (let nth = 0; nth < 3; nth++) expect((await invite()).status).toBe(403)
  expect(await listRefused(portal, MEMBER)).toEqual([['permission_refused', 'POST /users/team/']])
  portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
  await invite()
  expect(await listRefused(portal, MEMBER)).toHaveLength(2)
  expect(await listRefused(portal, ZOE)).toEqual([])
})

test('a call of an API token beyond its scopes is recorded for its user', async () => {
  await using portal = await startPortal()
  const token = { label: 'x', scopes: ['trackers:read'], devices: null, until: null }
  const { body } = await portal.call(ZOE, 'POST', '/users/tokens/', token)
  const answer = await portal.call(null, 'GET', '/tracker_places/', undefined, { authorization: `Bearer ${body.token}` })
  expect(answer.status).toBe(403)
  expect(await listRefused(portal, ZOE)).toEqual([['permission_refused', 'GET /tracker_places/']])
})

test('a call with the cookie of a session but without its CSRF token is recorded', async () => {
  await using portal = await startPortal()
  const cookie = `sessionid=${await portal.token(ALICE)}`
  const answer = await portal.call(null, 'DELETE', `/devices/${SEED.devices.rex}/`, undefined, { cookie })
  expect(answer.body.code).toBe('csrf_failed')
  expect(await listRefused(portal, ALICE)).toEqual([['permission_refused', 'DELETE /devices/:id/']])
})

test('a call that needs a new sign-in is recorded', async () => {
  await using portal = await startPortal()
  const headers = { authorization: `Bearer ${await portal.token(ALICE)}` }
  portal.clock.set({ at: new Date('2026-03-02T09:30:00Z') })
  const refused = await portal.call(null, 'DELETE', '/users/me/?profile=all', undefined, headers)
  expect(refused.body.code).toBe('sign_in_again')
  expect(await listRefused(portal, ALICE)).toEqual([['call_refused', 'DELETE /users/me/']])
})

test('a limit that was reached is recorded', async () => {
  await using portal = await startPortal({ limits: { credentials: true } })
  const taken = (await portal.call(ALICE, 'GET', `/devices/${SEED.devices.rex}/`)).body.identifier
  const add = () => portal.call(ZOE, 'POST', '/devices/trackers/', { identifier: taken, name: 'x', kind: 'other' })
  for (let nth = 0; nth < 200; nth++) await add()
  expect((await add()).status).toBe(429)
  expect(await listRefused(portal, ZOE)).toEqual([['limit_reached', 'POST /devices/trackers/']])
})

test("refused calls are in the server's own log, and are refused also when nothing can be written", async () => {
  await using portal = await startPortal()
  const info = vi.spyOn(portal.world.log, 'info')
  const token = await portal.token(MEMBER)
  const invite = () => portal.call(null, 'POST', '/users/team/', {}, { authorization: `Bearer ${token}` })
  const full = vi.spyOn(portal.world.db, 'write').mockRejectedValue(new Error('database or disk is full'))
  expect((await invite()).status).toBe(403)
  full.mockRestore()
  expect((await invite()).status).toBe(403)
  expect(info).toHaveBeenCalledWith(expect.objectContaining({ security: 'permission_refused', network: NETWORK }), 'security event')
  info.mockRestore()
})
