import { describe, expect, test } from 'vitest'
import { renderMail } from '#server/mail/mail-render.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { keyMailedTo, mailsTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [OLD, NEW, PASSWORD] = ['bruno@example.com', 'bruno.new@example.com', 'Demo-1234']
const change = (portal: Portal, body: object = {}, who = OLD) =>
  portal.call(who, 'POST', '/users/change_email/', { email: NEW, password: PASSWORD, ...body })
const confirm = (portal: Portal, key: unknown) => portal.call(null, 'POST', '/users/change_email/confirm/', { key })
const signIn = async (portal: Portal, username: string, password = PASSWORD) =>
  (await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username, password })).status
const me = async (portal: Portal, who = OLD) => (await portal.call(who, 'GET', '/users/me/')).body

describe('requesting another e-mail address', () => {
  test('R-1.21 requesting an e-mail change mails a link to the new address and a notice to the old one, and changes nothing yet', async () => {
    await using portal = await startPortal()
    const before = await me(portal)
    expect(await change(portal, { email: ' Bruno.New@Example.com ' })).toMatchObject({ status: 200, body: { sent: true } })
    expect(await me(portal)).toEqual(before)
    const [link, ...more] = await mailsTo(portal.world, NEW)
    expect(more).toEqual([])
    expect(link).toMatchObject({ template: 'change_email', language: 'fr', timeZone: 'Europe/Paris' })
    expect(renderMail(link!, portal.world).links).toEqual([
      expect.stringMatching(/^http:\/\/portal\.test\/account_email_update_complete\?key=[0-9a-f]{40}$/),
    ])
    const [notice] = await mailsTo(portal.world, OLD)
    expect(notice).toMatchObject({ template: 'change_notice', data: { datetime: '2026-03-02T09:00:00Z' } })
    const { text } = renderMail(notice!, portal.world)
    expect(text).toContain('2 mars 2026 à 10:00 heure normale d’Europe centrale')
    expect(text).not.toContain(link!.data.key)
  })

  test('an e-mail change with a wrong password sends no mail, and counts as a failure of open sessions, which does not block the sign-in', async () => {
    await using portal = await startPortal()
    for (let n = 0; n < 10; n++)
      expect(await change(portal, { password: 'wrong' })).toMatchObject({ status: 400, body: { code: 'invalid_password' } })
    expect(await change(portal)).toMatchObject({ status: 429, body: { code: 'throttled' } })
    expect(await signIn(portal, OLD)).toBe(200)
    expect((await change(portal)).status).toBe(429)
    expect([await mailsTo(portal.world, NEW), await mailsTo(portal.world, OLD)]).toEqual([[], []])
    portal.clock.set({ at: new Date('2026-03-02T09:15:00Z') })
    expect((await change(portal)).status).toBe(200)
  })

  test("an e-mail change to another user's address or user name is rejected", async () => {
    await using portal = await startPortal()
    await portal.call(null, 'POST', '/users/register', {
      email: 'nina@example.org',
      username: 'n@example.org',
      password: PASSWORD,
      first_name: 'N',
      last_name: 'N',
    })
    for (const email of ['Taken@example.com', 'n@example.org'])
      expect(await change(portal, { email })).toMatchObject({ status: 409, body: { code: 'email_exists' } })
    expect(await mailsTo(portal.world, OLD)).toEqual([])
    expect((await change(portal, { email: 'n@example.org' }, 'nina@example.org')).status).toBe(200)
  })

  test('R-2.15 an e-mail change with an invalid value is rejected with an error for its field', async () => {
    await using portal = await startPortal()
    const rows = [
      ['email', OLD],
      ['email', 'BRUNO@example.com'],
      ['email', 'bruno'],
      ['email', ''],
      ['password', ''],
      ['password', undefined],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([field, value]) => {
        expect(await change(portal, { [field]: value })).toMatchObject({
          status: 400,
          body: { code: 'validation_error', errors: { [field]: [expect.any(String)] } },
        })
      }),
    ).toEqual([])
  })

  test('a sixth request for an e-mail change within an hour is rejected', async () => {
    await using portal = await startPortal()
    for (let n = 0; n < 5; n++) expect((await change(portal)).status).toBe(200)
    expect((await change(portal)).status).toBe(429)
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    expect((await change(portal)).status).toBe(200)
  })

  test('every role may change its own e-mail, and a request without a session is rejected', async () => {
    await using portal = await startPortal()
    for (const who of ['member@pro.example.com', 'admin@pro.example.com', 'support@example.com'])
      expect((await change(portal, { email: `new.${who}` }, who)).status).toBe(200)
    expect((await portal.call(null, 'POST', '/users/change_email/', { email: NEW, password: PASSWORD })).status).toBe(401)
  })
})

describe('confirming another e-mail address', () => {
  test('R-2.15 R-3.41 a confirmed e-mail change replaces the address, marks it as confirmed, and the new address signs in', async () => {
    await using portal = await startPortal()
    await change(portal, { email: 'c@example.org' }, 'chloe@example.com')
    const key = await keyMailedTo(portal.world, 'c@example.org', 'change_email')
    expect(await confirm(portal, key)).toMatchObject({ status: 200, body: { status: 'confirmed', email: 'c@example.org' } })
    expect(await me(portal, 'c@example.org')).toMatchObject({ email: 'c@example.org', username: 'c@example.org', email_confirmed: true })
    expect([await signIn(portal, 'c@example.org'), await signIn(portal, 'chloe@example.com')]).toEqual([200, 401])
    expect(await confirm(portal, key)).toMatchObject({ status: 410, body: { code: 'expired' } })
  })

  test('R-3.41 a user name that differs from the old address survives an e-mail change', async () => {
    await using portal = await startPortal()
    const body = { email: 'nina@example.org', username: 'nina', password: PASSWORD, first_name: 'N', last_name: 'N' }
    await portal.call(null, 'POST', '/users/register', body)
    await change(portal, { email: 'n@example.org' }, 'nina@example.org')
    await confirm(portal, await keyMailedTo(portal.world, 'n@example.org', 'change_email'))
    expect(await me(portal, 'n@example.org')).toMatchObject({ username: 'nina', email: 'n@example.org' })
    expect(await signIn(portal, 'nina')).toBe(200)
  })

  test("of george's seeded e-mail change keys, one works and one has expired", async () => {
    await using portal = await startPortal()
    expect(await confirm(portal, SEED_KEYS.changeExpired)).toMatchObject({ status: 410, body: { code: 'expired' } })
    expect((await confirm(portal, SEED_KEYS.changeValid)).body).toEqual({ status: 'confirmed', email: 'george.new@example.com' })
  })

  test('an e-mail change link works for 24 hours, and only the newest one works', async () => {
    await using portal = await startPortal()
    await change(portal)
    const older = await keyMailedTo(portal.world, NEW, 'change_email')
    await change(portal, { email: 'other@example.org' })
    expect((await confirm(portal, older)).status).toBe(410)
    portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
    expect((await confirm(portal, await keyMailedTo(portal.world, 'other@example.org', 'change_email'))).status).toBe(410)
    expect((await me(portal)).email).toBe(OLD)
  })

  test("when two users request the same address, the first to confirm gets it and the other's key stays valid", async () => {
    await using portal = await startPortal()
    await change(portal)
    const brunos = await keyMailedTo(portal.world, NEW, 'change_email')
    await change(portal, {}, 'dario@example.com')
    const darios = await keyMailedTo(portal.world, NEW, 'change_email')
    expect((await confirm(portal, brunos)).status).toBe(200)
    expect(await confirm(portal, darios)).toMatchObject({ status: 409, body: { code: 'email_exists' } })
    await portal.call(NEW, 'DELETE', '/users/me/?profile=all')
    expect((await confirm(portal, darios)).status).toBe(200)
  })

  test('of two users who confirm the same address at once, only one gets it', async () => {
    await using portal = await startPortal()
    await change(portal)
    const brunos = await keyMailedTo(portal.world, NEW, 'change_email')
    await change(portal, {}, 'dario@example.com')
    const darios = await keyMailedTo(portal.world, NEW, 'change_email')
    const responses = await Promise.all([confirm(portal, brunos), confirm(portal, darios)])
    expect(responses.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [200, undefined],
      [409, 'email_exists'],
    ])
  })

  test('keys of other kinds cannot confirm an e-mail change', async () => {
    await using portal = await startPortal()
    const rows = ['5eed0000-0000-4000-8000-0000000001ff', '', 'x'.repeat(5000), SEED_KEYS.confirmValid, SEED_KEYS.resetValid]
    expect(
      await collectFailures(rows, String, async (key) => {
        expect(await confirm(portal, key)).toMatchObject({ status: 404, body: { code: 'invalid_key' } })
      }),
    ).toEqual([])
  })

  test('confirming an e-mail change invalidates password reset links in the old mailbox, and needs a key', async () => {
    await using portal = await startPortal()
    await portal.call(null, 'POST', '/users/password_reset/', { email: OLD })
    const reset = await keyMailedTo(portal.world, OLD, 'password_reset')
    await change(portal)
    await confirm(portal, await keyMailedTo(portal.world, NEW, 'change_email'))
    const response = await portal.call(null, 'POST', '/users/password_reset/confirm/', { key: reset, new_password: 'Other-5678' })
    expect(response).toMatchObject({ status: 410, body: { code: 'expired' } })
    expect((await confirm(portal, undefined)).status).toBe(400)
  })
})
