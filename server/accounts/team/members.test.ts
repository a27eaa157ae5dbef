import { describe, expect, test } from 'vitest'
import { renderMail } from '#server/mail/mail-render.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { keyMailedTo, mailsTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ADMIN = 'admin@pro.example.com'
const PASSWORD = 'Fresh-1234'
const { proVan, proDog, rex } = SEED.devices
const newcomer = { email: 'lena@pro.example.com', first_name: 'Lena', last_name: 'Lehmann' }
const invite = (portal: Portal, change: object = {}) => portal.call(ADMIN, 'POST', '/users/team/', { ...newcomer, ...change })
const again = (portal: Portal, id: number) => portal.call(ADMIN, 'POST', `/users/team/${id}/resend_invitation/`, {})
const setPassword = (portal: Portal, key: string, new_password = PASSWORD) =>
  portal.call(null, 'POST', '/users/password_reset/confirm/', { key, new_password })
const signIn = (portal: Portal, password: string, username = newcomer.email) =>
  portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username, password })

describe('inviting a member', () => {
  test('R-1.28 R-6.5 an invited member sets a password and sees the trackers they were assigned', async () => {
    await using portal = await startPortal()
    const response = await invite(portal, { email: ' Lena@Pro.example.com ', devices: [proDog, proVan] })
    expect(response).toMatchObject({ status: 201, body: { ...newcomer, role: 'pro', devices: [proVan, proDog], status: 'invited' } })
    expect((await signIn(portal, PASSWORD)).body).toMatchObject({ code: 'invalid_credentials' })
    expect((await setPassword(portal, await keyMailedTo(portal.world, newcomer.email, 'invitation'))).status).toBe(200)
    const { status, body } = await signIn(portal, PASSWORD)
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ username: newcomer.email, role: 'pro', email_confirmed: true })
    const trackers = await portal.call(newcomer.email, 'GET', '/devices/?type=tracker')
    expect(trackers.body.map(({ id }: { id: number }) => id).sort()).toEqual([proVan, proDog])
    const team = await portal.call(ADMIN, 'GET', '/users/team/')
    expect(team.body).toContainEqual({ ...response.body, status: 'active' })
    expect(await mailsTo(portal.world, newcomer.email, 'password_changed')).toEqual([])
  })

  test("an invitation names the inviter, is written in the administrator's language, and its link works for 7 days", async () => {
    await using portal = await startPortal()
    await invite(portal)
    const [mail, ...more] = await mailsTo(portal.world, newcomer.email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ template: 'invitation', language: 'en', timeZone: 'America/Montevideo' })
    const { subject, text, links } = renderMail(mail!, portal.world)
    expect(subject).toBe('Ada Admin invites you to the team')
    expect(text).toContain('within 7 days')
    expect(links).toEqual([expect.stringMatching(/^http:\/\/portal\.test\/login\?view=reset_password&key=[0-9a-f]{40}$/)])
    portal.clock.set({ at: new Date('2026-03-09T08:59:59Z') })
    expect((await setPassword(portal, await keyMailedTo(portal.world, newcomer.email, 'invitation'))).status).toBe(200)
  })

  test('an invitation is written in the language the request names', async () => {
    await using portal = await startPortal()
    await invite(portal, { language: 'fi' })
    expect(await mailsTo(portal.world, newcomer.email)).toMatchObject([{ language: 'fi' }])
    expect((await portal.call(newcomer.email, 'GET', '/users/settings/')).body).toMatchObject({ language: 'fi', firstname: 'Lena' })
  })

  test('R-5.2 a first password has at least 8 characters, and an invitation link works once', async () => {
    await using portal = await startPortal()
    await invite(portal)
    const key = await keyMailedTo(portal.world, newcomer.email, 'invitation')
    expect((await setPassword(portal, key, '1234567')).status).toBe(400)
    expect((await setPassword(portal, key, 'kiwi-tea')).status).toBe(200)
    expect((await setPassword(portal, key)).status).toBe(410)
  })

  test('an invited member may set the first password by a reset link, which ends the invitation', async () => {
    await using portal = await startPortal()
    await invite(portal)
    await portal.call(null, 'POST', '/users/password_reset/', { email: newcomer.email })
    expect((await setPassword(portal, await keyMailedTo(portal.world, newcomer.email, 'password_reset'))).status).toBe(200)
    expect((await setPassword(portal, await keyMailedTo(portal.world, newcomer.email, 'invitation'))).status).toBe(410)
  })

  test.each(['taken@example.com', 'MEMBER@pro.example.com', ADMIN])(
    'inviting %s is refused because the address has an account',
    async (email) => {
      await using portal = await startPortal()
      expect(await invite(portal, { email })).toMatchObject({ status: 409, body: { code: 'email_exists' } })
      expect(await mailsTo(portal.world, email)).toEqual([])
    },
  )

  test('of two simultaneous invitations of one address only one is sent', async () => {
    await using portal = await startPortal()
    const responses = await Promise.all([invite(portal), invite(portal, { first_name: 'Leni' })])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await mailsTo(portal.world, newcomer.email)).toHaveLength(1)
  })

  test('an invitation with an invalid value is refused with an error for its field and sends no mail', async () => {
    await using portal = await startPortal()
    const rows = [
      ['email', 'lena'],
      ['email', undefined],
      ['first_name', ' '],
      ['last_name', undefined],
      ['devices', [rex]],
      ['devices', 'all'],
      ['language', 'zh'],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([field, value]) => {
        expect(await invite(portal, { [field]: value })).toMatchObject({
          status: 400,
          body: { code: 'validation_error', errors: { [field]: [expect.any(String)] } },
        })
        expect(await mailsTo(portal.world, newcomer.email)).toEqual([])
        expect((await portal.call(ADMIN, 'GET', '/users/team/')).body).toHaveLength(4)
      }),
    ).toEqual([])
  })
})

describe('resending an invitation', () => {
  const { invited } = SEED.users

  test('a resent invitation invalidates the previous link', async () => {
    await using portal = await startPortal()
    expect(await again(portal, invited)).toMatchObject({ status: 200, body: { sent: true } })
    expect((await setPassword(portal, SEED_KEYS.invitation)).status).toBe(410)
    expect((await setPassword(portal, await keyMailedTo(portal.world, 'invited@pro.example.com', 'invitation'))).status).toBe(200)
    expect((await signIn(portal, PASSWORD, 'invited@pro.example.com')).status).toBe(200)
  })

  test.each([13, 14, SEED.users.withoutDevices])('resending to user %i is refused because they have a password', async (id) => {
    await using portal = await startPortal()
    expect(await again(portal, id)).toMatchObject({ status: 409, body: { code: 'already_active' } })
  })

  test('a sixth resent invitation within an hour is refused', async () => {
    await using portal = await startPortal()
    const responses = await Promise.all(Array.from({ length: 6 }, () => again(portal, invited)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    expect((await again(portal, invited)).status).toBe(200)
  })

  test('removing and inviting a member again sends no more than five mails an hour', async () => {
    await using portal = await startPortal()
    const statuses = []
    for (let n = 0; n < 6; n++) {
      const { status, body } = await invite(portal)
      statuses.push(status)
      if (status === 201) await portal.call(ADMIN, 'DELETE', `/users/team/${body.id}/`)
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
  })

  test('invitations resent to a removed member do not count for the next member', async () => {
    await using portal = await startPortal()
    const { id } = (await invite(portal)).body
    for (const status of [200, 200, 200, 200, 200, 429]) expect((await again(portal, id)).status).toBe(status)
    await portal.call(ADMIN, 'DELETE', `/users/team/${id}/`)
    const next = await invite(portal, { email: 'otto@pro.example.com' })
    expect((await again(portal, next.body.id)).status).toBe(200)
  })
})
