import { describe, expect, test } from 'vitest'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { emailOf, startSharedPortal, t0 } from './testing.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Letter = { id: number; to: string; template: string; subject: string; language: string; created_at: string; links?: string[] }

const { portal } = await startSharedPortal()
const NEW_PASSWORD = 'Changed-1234'
const reset = (own: Portal, key: string) => own.call(null, 'POST', '/users/password_reset/confirm/', { key, new_password: NEW_PASSWORD })
const signIn = (own: Portal, email: string, password: string) =>
  own.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: email, password })
const letters = async (own: Portal, query = ''): Promise<Letter[]> =>
  (await own.call(null, 'GET', `/mock/mail${query}`, undefined, { host: 'localhost' })).body

describe('e-mail keys', () => {
  test("zoe's valid key sets a password once and ends her sessions", async () => {
    await using own = await startPortal()
    const token = await own.token(emailOf('zoe'))
    expect(await reset(own, SEED_KEYS.resetValid)).toMatchObject({ status: 200, body: { status: 'changed' } })
    expect((await signIn(own, emailOf('zoe'), 'Demo-1234')).status).toBe(401)
    expect((await signIn(own, emailOf('zoe'), NEW_PASSWORD)).status).toBe(200)
    expect((await own.call(null, 'GET', '/users/me/', undefined, { authorization: `Bearer ${token}` })).status).toBe(401)
    expect(await reset(own, SEED_KEYS.resetValid)).toMatchObject({ status: 410, body: { code: 'expired' } })
  })

  test("zoe's valid key works for an hour", async () => {
    await using own = await startPortal()
    own.clock.set({ at: new Date(t0({ hours: 1 })) })
    expect(await reset(own, SEED_KEYS.resetValid)).toMatchObject({ status: 410, body: { code: 'expired' } })
  })

  test("zoe's expired key is refused and her password stays", async () => {
    expect(await reset(portal, SEED_KEYS.resetExpired)).toMatchObject({ status: 410, body: { code: 'expired' } })
    expect((await signIn(portal, emailOf('zoe'), 'Demo-1234')).status).toBe(200)
  })

  test('keys for addresses cannot set a password', async () => {
    expect(
      await collectFailures(
        ['confirmValid', 'confirmExpired', 'confirmUsed', 'changeValid', 'changeExpired'] as const,
        String,
        async (name) => {
          expect(await reset(portal, SEED_KEYS[name])).toMatchObject({ status: 404, body: { code: 'invalid_key' } })
        },
      ),
    ).toEqual([])
  })

  test('an unknown key is invalid', async () => {
    const key = '5eed0000-0000-4000-8000-0000000001ff'
    expect(await reset(portal, key)).toMatchObject({ status: 404, body: { code: 'invalid_key' } })
  })

  test('the invited team member sets a password with the invitation and signs in', async () => {
    await using own = await startPortal()
    expect((await signIn(own, 'invited@pro.example.com', 'Demo-1234')).status).toBe(401)
    expect((await reset(own, SEED_KEYS.invitation)).status).toBe(200)
    const answer = await signIn(own, 'invited@pro.example.com', NEW_PASSWORD)
    expect(answer).toMatchObject({ status: 200, body: { user: { role: 'pro', first_name: 'Ines' } } })
  })

  test('the invitation works for seven days', async () => {
    await using own = await startPortal()
    own.clock.set({ at: new Date(t0({ days: 7 })) })
    expect((await reset(own, SEED_KEYS.invitation)).status).toBe(410)
  })

  test('the team member without trackers signs in and sees none', async () => {
    await using own = await startPortal()
    expect((await own.call('newcomer@pro.example.com', 'GET', '/devices/?type=tracker')).body).toEqual([])
  })
})

describe('mailbox at the anchor', () => {
  test('R-4.19 the mailbox contains one mail, an hour old, with the code for alice', async () => {
    const all = await letters(portal)
    expect(all).toMatchObject([{ to: emailOf('alice'), template: 'subscription_code', language: 'en', created_at: t0({ hours: -1 }) }])
    const letter: Letter & { data: object } = (await portal.call(null, 'GET', `/mock/mail/${all[0]!.id}`, undefined, { host: 'localhost' }))
      .body
    expect(letter.data).toMatchObject({ code: 'LINK2026', months: '12', extra: '1' })
  })

  test('a new password mail is written in the language of its recipient', async () => {
    const rows = [
      ['chloe', 'de'],
      ['bruno', 'fr'],
      ['haruka', 'ja'],
      ['olga', 'cs'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([key, language]) => {
          await using own = await startPortal()
          await own.call(null, 'POST', '/users/password_reset/', { email: emailOf(key) })
          const [letter] = await letters(own, `?to=${emailOf(key)}`)
          expect(letter).toMatchObject({ template: 'password_reset', language, created_at: t0() })
          expect(letter!.subject).not.toBe('')
        },
      ),
    ).toEqual([])
  })

  test('a new password mail to zoe leaves her previous key valid, until one of them is used', async () => {
    await using own = await startPortal()
    await own.call(null, 'POST', '/users/password_reset/', { email: emailOf('zoe') })
    expect((await reset(own, SEED_KEYS.resetValid)).status).toBe(200)
    expect((await reset(own, SEED_KEYS.resetValid)).status).toBe(410)
  })
})
