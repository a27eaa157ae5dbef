import { expect, test } from 'vitest'
import { codeAt } from '#server/accounts/factors/test-totp.ts'
import { PROGRAM } from '#server/deeds/do-deed.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { addMember } from './staff.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const API = '/operator/api'
const PASSWORD = 'correct horse battery'
const keyOf = (link: string) => new URL(link).searchParams.get('key')!

async function invite({ world }: Portal, email: string, role: 'admin' | 'stock' = 'admin') {
  const { invitation } = await addMember({ ...world, actor: PROGRAM }, { email, role })
  return keyOf(invitation)
}

async function accept(portal: Portal, key: string, name = 'Nora King') {
  const opened = await portal.call(null, 'POST', `${API}/invitation/`, { key })
  const body = { key, name, password: PASSWORD, code: codeAt(portal, opened.body.secret) }
  const { status, headers, body: accepted } = await portal.call(null, 'POST', `${API}/invitation/accept/`, body)
  expect(status).toBe(200)
  const cookie = String(headers['set-cookie']).split(';')[0]!
  return {
    secret: opened.body.secret as string,
    cookie,
    csrf: accepted.session.csrf_token as string,
    recoveryCodes: accepted.recovery_codes,
  }
}

const signIn = (portal: Portal, code: string, password = PASSWORD, email = 'nora@shop.example') =>
  portal.call(null, 'POST', `${API}/session/`, { email, password, code })

test('an invited member of staff sets a password and a second factor, is signed in, and signs in again with a code', async () => {
  await using portal = await startPortal()
  const key = await invite(portal, 'nora@shop.example')
  const { secret, cookie } = await accept(portal, key)
  const session = await portal.call(null, 'GET', `${API}/session/`, undefined, { cookie })
  expect(session).toMatchObject({ status: 200, body: { staff: { name: 'Nora King', role: 'admin' } } })
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 30_000) })
  const again = await signIn(portal, codeAt(portal, secret))
  expect(again.status).toBe(200)
  expect(String(again.headers['set-cookie'])).toMatch(/staffid=.*HttpOnly.*SameSite=Strict/)
})

test('the link of an invitation works once, for a week, and not after a newer one', async () => {
  await using portal = await startPortal()
  const older = await invite(portal, 'nora@shop.example')
  const key = await invite(portal, 'nora@shop.example')
  expect((await portal.call(null, 'POST', `${API}/invitation/`, { key: older })).status).toBe(410)
  await accept(portal, key)
  expect((await portal.call(null, 'POST', `${API}/invitation/`, { key })).status).toBe(410)
  const late = await invite(portal, 'olaf@shop.example')
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 7 * 86_400_000) })
  expect((await portal.call(null, 'POST', `${API}/invitation/`, { key: late })).status).toBe(410)
})

test('a wrong password, a wrong code, a used code and an unknown address get the same response', async () => {
  await using portal = await startPortal()
  const { secret } = await accept(portal, await invite(portal, 'nora@shop.example'))
  const used = codeAt(portal, secret)
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 30_000) })
  const code = codeAt(portal, secret)
  const refused = [
    await signIn(portal, code, 'wrong password'),
    await signIn(portal, used),
    await signIn(portal, '000000'),
    await signIn(portal, code, PASSWORD, 'nobody@shop.example'),
  ]
  for (const { status, body } of refused) expect([status, body]).toEqual([401, refused[0]!.body])
  expect((await signIn(portal, code)).status).toBe(200)
})

test('a recovery code replaces the app once', async () => {
  await using portal = await startPortal()
  const { recoveryCodes } = await accept(portal, await invite(portal, 'nora@shop.example'))
  expect(recoveryCodes).toHaveLength(10)
  expect((await signIn(portal, recoveryCodes[0])).status).toBe(200)
  expect((await signIn(portal, recoveryCodes[0])).status).toBe(401)
})

test('ten wrong sign-ins from one network are throttled', async () => {
  await using portal = await startPortal()
  await accept(portal, await invite(portal, 'nora@shop.example'))
  for (let n = 0; n < 10; n++) expect((await signIn(portal, '000000', 'wrong')).status).toBe(401)
  expect((await signIn(portal, '000000', 'wrong')).status).toBe(429)
})

test('a session ends after an hour without use, after twelve hours, and with the sign-out', async () => {
  await using portal = await startPortal()
  const start = portal.clock.now().getTime()
  const statusAt = async (minutes: number, cookie: string) => {
    portal.clock.set({ at: new Date(start + minutes * 60_000) })
    return (await portal.call(null, 'GET', `${API}/session/`, undefined, { cookie })).status
  }
  const { cookie, secret } = await accept(portal, await invite(portal, 'nora@shop.example'))
  for (let minutes = 59; minutes < 720; minutes += 59) expect(await statusAt(minutes, cookie)).toBe(200)
  expect(await statusAt(721, cookie)).toBe(401)
  const again = await signIn(portal, codeAt(portal, secret))
  const second = String(again.headers['set-cookie']).split(';')[0]!
  expect(await statusAt(782, second)).toBe(401)
})

test('a call of the console that changes something needs the token of its session in a header', async () => {
  await using portal = await startPortal()
  const { cookie, csrf } = await accept(portal, await invite(portal, 'nora@shop.example'))
  const end = (headers: Record<string, string>) => portal.call(null, 'POST', `${API}/session/end/`, {}, { cookie, ...headers })
  expect(await end({})).toMatchObject({ status: 403, body: { code: 'csrf_failed' } })
  expect((await end({ 'x-csrftoken': csrf })).status).toBe(204)
  expect((await portal.call(null, 'GET', `${API}/session/`, undefined, { cookie })).status).toBe(401)
})

test('an administrator adds, changes and removes staff; the one that is left cannot be removed', async () => {
  await using portal = await startPortal()
  const { cookie, csrf } = await accept(portal, await invite(portal, 'nora@shop.example'))
  const headers = { cookie, 'x-csrftoken': csrf }
  const call = (method: string, path: string, body?: object) => portal.call(null, method, `${API}${path}`, body, headers)
  const added = await call('POST', '/staff/', { email: 'Sam@Shop.example', name: 'Sam', role: 'stock' })
  expect(added).toMatchObject({ status: 200, body: { member: { email: 'sam@shop.example', state: 'invited', role: 'stock' } } })
  expect(await call('POST', '/staff/', { email: 'nora@shop.example', role: 'stock' })).toMatchObject({ body: { code: 'email_exists' } })
  const members: { id: number; email: string; role: string }[] = (await call('GET', '/staff/')).body
  const nora = members.find(({ email }) => email === 'nora@shop.example')!
  for (const { id } of members.filter(({ role, email }) => role === 'admin' && email !== nora.email))
    expect((await call('DELETE', `/staff/${id}/`)).status).toBe(200)
  expect(await call('DELETE', `/staff/${nora.id}/`)).toMatchObject({ status: 409, body: { code: 'last_administrator' } })
  expect(await call('PATCH', `/staff/${nora.id}/`, { role: 'stock' })).toMatchObject({ body: { code: 'last_administrator' } })
  const sam = await accept(portal, keyOf(added.body.invitation), 'Sam Stock')
  expect((await portal.call(null, 'GET', `${API}/staff/`, undefined, { cookie: sam.cookie })).status).toBe(403)
  expect((await call('DELETE', `/staff/${added.body.member.id}/`)).status).toBe(200)
  expect((await portal.call(null, 'GET', `${API}/session/`, undefined, { cookie: sam.cookie })).status).toBe(401)
  const log = (await call('GET', '/deeds/')).body.deeds
  expect(log.map(({ kind, who, subject }: { kind: string; who: string; subject: string }) => [kind, who, subject])).toEqual([
    ['staff_removed', 'Nora King', 'sam@shop.example'],
    ['staff_removed', 'Nora King', 'manager@example.com'],
    ['staff_added', 'Nora King', 'sam@shop.example'],
    ['staff_added', 'operator.js', 'nora@shop.example'],
  ])
})

test('a key of another system has the rights of its role until it ends, and never those of a session', async () => {
  await using portal = await startPortal()
  const { cookie, csrf } = await accept(portal, await invite(portal, 'nora@shop.example'))
  const headers = { cookie, 'x-csrftoken': csrf }
  const { entry, key } = (await portal.call(null, 'POST', `${API}/keys/`, { label: 'Shop', role: 'admin' }, headers)).body
  const withKey = { authorization: `Bearer ${key}` }
  expect((await portal.call(null, 'GET', `${API}/staff/`, undefined, withKey)).status).toBe(200)
  expect((await portal.call(null, 'GET', `${API}/session/`, undefined, withKey)).status).toBe(401)
  expect((await portal.call(null, 'DELETE', `${API}/keys/${entry.id}/`, undefined, headers)).status).toBe(200)
  expect((await portal.call(null, 'GET', `${API}/staff/`, undefined, withKey)).status).toBe(401)
})

test('a repeat with the same Idempotency-Key gets the first response without its secret and changes nothing; another request is refused', async () => {
  await using portal = await startPortal()
  const { cookie, csrf } = await accept(portal, await invite(portal, 'nora@shop.example'))
  const add = (label: string, repeat: string) =>
    portal.call(null, 'POST', `${API}/keys/`, { label, role: 'stock' }, { cookie, 'x-csrftoken': csrf, 'idempotency-key': repeat })
  const [first, second] = await Promise.all([add('Shop', 'order-17'), add('Shop', 'order-17')])
  expect([first.status, second.status]).toEqual([200, 200])
  expect(first.body.entry).toEqual(second.body.entry)
  expect([first.body.key, second.body.key].filter(Boolean)).toHaveLength(1)
  expect(await add('Other', 'order-17')).toMatchObject({ status: 409, body: { code: 'key_used_elsewhere' } })
  expect(await add('Shop', 'with blank')).toMatchObject({ status: 400, body: { errors: { 'Idempotency-Key': [expect.any(String)] } } })
})
