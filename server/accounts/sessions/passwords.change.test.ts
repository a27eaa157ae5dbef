import { describe, expect, test } from 'vitest'
import { renderMail } from '#server/mail/mail-render.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { keyMailedTo, mailsTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, OLD, NEW] = ['alice@example.com', 'Demo-1234', 'Other-5678']
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const change = (portal: Portal, body: object = {}, headers: Record<string, string> | null = null) =>
  portal.call(headers ? null : ALICE, 'POST', '/users/change_password/', { old_password: OLD, new_password: NEW, ...body }, headers ?? {})
const signIn = async (portal: Portal, password: string) =>
  (await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: ALICE, password })).status
const readSession = async (portal: Portal, token: string) =>
  (await portal.call(null, 'GET', '/api-auth/session/login/', undefined, bearer(token))).status

describe('changing the password', () => {
  test('R-1.21 changing the password returns a new token and ends every other session', async () => {
    await using portal = await startPortal()
    const [mine, other] = [await portal.token(ALICE), await portal.token(ALICE)]
    const response = await change(portal, {}, bearer(mine))
    expect(response).toMatchObject({ status: 200, body: { token: expect.stringMatching(/^[0-9a-f]{40}$/) } })
    expect([await readSession(portal, response.body.token), await readSession(portal, mine), await readSession(portal, other)]).toEqual([
      200, 401, 401,
    ])
    expect([await signIn(portal, NEW), await signIn(portal, OLD)]).toEqual([200, 401])
  })

  test('a password change sets the cookies of the new session for the host app', async () => {
    await using portal = await startPortal()
    const cookies = ([] as string[]).concat((await change(portal)).headers['set-cookie'] ?? [])
    const pairs = cookies.map((cookie) => cookie.split(';')[0]).join('; ')
    expect((await portal.call(null, 'GET', '/users/me/', undefined, { cookie: pairs })).status).toBe(200)
  })

  test('a password change is mailed to the user in their language and time zone', async () => {
    await using portal = await startPortal()
    await change(portal)
    const [mail, ...more] = await mailsTo(portal.world, ALICE, 'password_changed')
    expect(more).toEqual([])
    const { text, links } = renderMail(mail!, portal.world)
    expect(text).toContain('Time: 2 March 2026 at 06:00 Uruguay Standard Time')
    expect(links).toEqual(['http://portal.test/login?view=reset_password'])
  })

  test('a wrong old password changes nothing and counts as a failure of open sessions', async () => {
    await using portal = await startPortal()
    for (let n = 0; n < 10; n++)
      expect(await change(portal, { old_password: 'wrong' })).toMatchObject({ status: 400, body: { code: 'invalid_password' } })
    expect(await change(portal)).toMatchObject({ status: 429, body: { code: 'throttled' } })
    portal.clock.set({ at: new Date('2026-03-02T09:15:00Z') })
    expect(await signIn(portal, OLD)).toBe(200)
    expect(await mailsTo(portal.world, ALICE, 'password_changed')).toEqual([])
  })

  test('R-5.2 a new password has 8 to 128 characters, while the old one only has to be correct', async () => {
    await using portal = await startPortal()
    for (const new_password of ['1234567', 'x'.repeat(129), '', undefined])
      expect(await change(portal, { new_password })).toMatchObject({
        status: 400,
        body: { code: 'validation_error', errors: { new_password: [expect.any(String)] } },
      })
    expect((await change(portal, { old_password: 'x' })).body.code).toBe('invalid_password')
    expect(await change(portal, { old_password: '' })).toMatchObject({
      status: 400,
      body: { errors: { old_password: [expect.any(String)] } },
    })
    expect((await change(portal, { new_password: 'kiwi-tea' })).status).toBe(200)
    expect((await change(portal, { old_password: 'kiwi-tea', new_password: 'kiwi tea '.repeat(15).slice(0, 128) })).status).toBe(200)
  })

  test('of two simultaneous password changes only one succeeds', async () => {
    await using portal = await startPortal()
    const responses = await Promise.all([change(portal, { new_password: 'First-1234' }), change(portal, { new_password: 'Second-1234' })])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    expect([await signIn(portal, 'First-1234'), await signIn(portal, 'Second-1234')].sort()).toEqual([200, 401])
  })

  test('changing the password needs a session, of any role', async () => {
    await using portal = await startPortal()
    expect((await change(portal, {}, {})).status).toBe(401)
    for (const email of ['member@pro.example.com', 'admin@pro.example.com', 'support@example.com'])
      expect((await change(portal, {}, bearer(await portal.token(email)))).status).toBe(200)
  })
})

describe('keys ended by a new password', () => {
  const reset = (portal: Portal, key: string) => portal.call(null, 'POST', '/users/password_reset/confirm/', { key, new_password: NEW })
  const askForReset = async (portal: Portal) => {
    await portal.call(null, 'POST', '/users/password_reset/', { email: ALICE })
    return keyMailedTo(portal.world, ALICE, 'password_reset')
  }

  test('a new password invalidates reset links and e-mail change links, because an attacker may have requested them', async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'POST', '/users/change_email/', { email: 'thief@example.org', password: OLD })
    const [toAddress, toPassword] = [await keyMailedTo(portal.world, 'thief@example.org', 'change_email'), await askForReset(portal)]
    await change(portal)
    expect((await reset(portal, toPassword)).status).toBe(410)
    expect((await portal.call(null, 'POST', '/users/change_email/confirm/', { key: toAddress })).status).toBe(410)
  })

  test('a password reset by key also invalidates e-mail change links, and is mailed to the user', async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'POST', '/users/change_email/', { email: 'thief@example.org', password: OLD })
    expect((await reset(portal, await askForReset(portal))).status).toBe(200)
    expect(await mailsTo(portal.world, ALICE, 'password_changed')).toHaveLength(1)
    const key = await keyMailedTo(portal.world, 'thief@example.org', 'change_email')
    expect((await portal.call(null, 'POST', '/users/change_email/confirm/', { key })).status).toBe(410)
  })
})
