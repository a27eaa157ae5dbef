import { expect, test, vi } from 'vitest'
import type { SecurityEntry } from '#contracts/accounts/security.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
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

test("an API token's call beyond its scopes is recorded for its user", async () => {
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

test('a reached limit is recorded', async () => {
  await using portal = await startPortal({ limits: { credentials: true } })
  const taken = (await portal.call(ALICE, 'GET', `/devices/${SEED.devices.rex}/`)).body.identifier
  const add = () => portal.call(ZOE, 'POST', '/devices/trackers/', { identifier: taken, name: 'x', kind: 'other' })
  for (let nth = 0; nth < 200; nth++) await add()
  expect((await add()).status).toBe(429)
  expect(await listRefused(portal, ZOE)).toEqual([['limit_reached', 'POST /devices/trackers/']])
})

test("rejected calls are in the server's own log, and are rejected even when nothing can be written", async () => {
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

const ADMIN = 'admin@pro.example.com'

test("a team member's rejected calls are shown to the administrator with the member's name, and to no other account", async () => {
  await using portal = await startPortal()
  await portal.call(MEMBER, 'POST', '/users/team/', {})
  const { entries } = (await portal.call(ADMIN, 'GET', '/users/security_log/')).body
  expect(entries[0]).toMatchObject({ kind: 'permission_refused', who: MEMBER, where: NETWORK, about: 'POST /users/team/' })
  await portal.call(ADMIN, 'POST', '/devices/trackers/serial_check/unlock/', { identifier: '1000000001' })
  expect(await listRefused(portal, ADMIN)).toHaveLength(2)
  expect(await listRefused(portal, MEMBER)).toHaveLength(1)
  expect(await listRefused(portal, ZOE)).toEqual([])
})

/** Sends each call three times, and returns the entries of the server's own log about rejected calls. */
async function listLogged(portal: Portal, calls: [method: string, url: string, body?: unknown, headers?: Record<string, string>][]) {
  const info = vi.spyOn(portal.world.log, 'info')
  for (const [method, url, body, headers] of calls)
    for (let nth = 0; nth < 3; nth++) await portal.call(null, method as 'GET', url, body, headers)
  const lines = info.mock.calls.map(([line]) => line as { security?: string; reason?: string; call?: string; network?: string })
  info.mockRestore()
  return lines.filter(({ security }) => security === 'call_refused')
}

test("calls without a session and with unknown keys and links are in the server's own log, a line for each network, reason and hour", async () => {
  await using portal = await startPortal()
  const session = await portal.token(ALICE)
  await portal.call(null, 'POST', '/api/v1/auth/logout/', undefined, { authorization: `Bearer ${session}` })
  const key = { 'x-device-key': 'wrong' }
  const message = { identifier: '1000000001', positions: [] }
  const login = { username: 'nobody@example.com', password: 'wrong' }
  const calls: Parameters<typeof listLogged>[1] = [
    ['GET', '/devices/?type=tracker'],
    ['GET', '/tracker_places/', undefined, { authorization: `Bearer ${session}` }],
    ['POST', '/devices/ingest/', message, key],
    ['POST', '/ingest/chirpstack', {}, key],
    ['POST', '/ingest/osmand', {}, key],
    ['GET', `/tracker_public_share_links/${LINKS.unknown}/`],
    ['GET', `/pub/trackers/picture.png?token=${LINKS.unknown}`],
    ['POST', '/users/confirm_email/', { key: 'unknown' }],
    ['POST', '/api/v1/auth/hand_off/redeem/', { hand_off: `hand_${'0'.repeat(40)}` }],
    ['POST', '/stripe/webhook/', {}, { 'stripe-signature': 't=1,v1=00' }],
    ['POST', '/api/v1/auth/web_get_token/', login],
    ['POST', '/users/register', { email: 7 }],
  ]
  const lines = await listLogged(portal, calls)
  expect(lines.map(({ reason, call }) => [reason, call])).toEqual([
    ['session', 'GET /devices/'],
    ['device_key', 'POST /devices/ingest/'],
    ['link', 'GET /tracker_public_share_links/:uuid/'],
    ['mail_key', 'POST /users/confirm_email/'],
    ['expired', 'POST /api/v1/auth/hand_off/redeem/'],
    ['signature', 'POST /stripe/webhook/'],
    ['sign_in', 'POST /api/v1/auth/web_get_token/'],
    ['input', 'POST /users/register'],
  ])
  expect(new Set(lines.map(({ network }) => network))).toEqual(new Set([NETWORK]))
  const written = JSON.stringify(lines)
  for (const secret of ['wrong', session, LINKS.unknown, 'unknown', 'nobody', 'hand_0']) expect(written).not.toContain(secret)
  expect(await listLogged(portal, calls)).toEqual([])
  portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
  expect(await listLogged(portal, calls)).toHaveLength(8)
})

test("rejected input of a signed-in user is in the server's own log with the user, and not in the security log", async () => {
  await using portal = await startPortal()
  const authorization = `Bearer ${await portal.token(ALICE)}`
  const lines = await listLogged(portal, [['POST', '/tracker_tags/', { name: 7 }, { authorization }]])
  expect(lines).toMatchObject([{ reason: 'input', call: 'POST /tracker_tags/', network: NETWORK, user: expect.any(Number) }])
  expect(await listRefused(portal, ALICE)).toEqual([])
})

test('a flood from many networks fills neither the log nor the security log, and every call is counted', async () => {
  await using portal = await startPortal()
  const info = vi.spyOn(portal.world.log, 'info')
  for (let nth = 0; nth < 1010; nth++) await portal.app.inject({ url: '/tracker_places/', remoteAddress: `10.${nth >> 8}.${nth & 255}.1` })
  expect(info.mock.calls).toHaveLength(1000)
  info.mockRestore()
  const { payload } = await portal.app.inject({ url: '/metrics' })
  expect(payload).toContain('calls_refused_total{reason="session"} 1010')
})

const listEnded = async (portal: Portal, email: string) => {
  const { entries } = (await portal.call(email, 'GET', '/users/security_log/')).body
  return (entries as SecurityEntry[]).filter(({ kind }) => kind === 'ended_key_used').map(({ about, who }) => [about, who])
}

test('a public link that is opened after its end is shown to its account once an hour, whatever the networks', async () => {
  await using portal = await startPortal()
  const open = (remoteAddress: string) => portal.app.inject({ url: `/tracker_public_share_links/${LINKS.expired}/`, remoteAddress })
  for (const address of ['10.0.0.1', '10.0.1.1', '10.0.2.1']) expect((await open(address)).statusCode).toBe(404)
  expect(await listEnded(portal, ALICE)).toEqual([['City bike', null]])
  portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
  await open('10.0.0.1')
  expect(await listEnded(portal, ALICE)).toHaveLength(2)
  expect(await listEnded(portal, ZOE)).toEqual([])
})

test('an API token that is used after its end is shown to its user', async () => {
  await using portal = await startPortal()
  const token = { label: 'Dashboard', scopes: ['trackers:read'], devices: null, until: '2026-03-03T09:00:00Z' }
  const { body } = await portal.call(ZOE, 'POST', '/users/tokens/', token)
  portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
  for (let nth = 0; nth < 2; nth++)
    expect((await portal.call(null, 'GET', '/devices/?type=tracker', undefined, { authorization: `Bearer ${body.token}` })).status).toBe(
      401,
    )
  expect(await listEnded(portal, ZOE)).toEqual([['Dashboard', null]])
})

test('a link with a zero byte or of any other shape is refused without an error', async () => {
  await using portal = await startPortal()
  const warn = vi.spyOn(portal.world.log, 'warn')
  for (const uuid of ['%00', 'x'.repeat(90), `${LINKS.unknown}%00`]) {
    expect((await portal.app.inject({ url: `/tracker_public_share_links/${uuid}/` })).statusCode).toBe(404)
  }
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})
