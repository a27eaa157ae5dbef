import { describe, expect, test } from 'vitest'
import { emailKeys } from '#db/schema/accounts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-keys.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const request = (portal: Portal, email: string) => portal.call(null, 'POST', '/users/password_reset/', { email })
const confirm = (portal: Portal, key: string, new_password = 'Other-5678') =>
  portal.call(null, 'POST', '/users/password_reset/confirm/', { key, new_password })
const signIn = (portal: Portal, username: string, password: string) =>
  portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username, password })
const mailsTo = async (portal: Portal, to: string) =>
  (await portal.call(null, 'GET', `/mock/mail?template=password_reset&to=${to}`, undefined, { host: 'localhost' })).body

async function keyFor(portal: Portal, email: string) {
  await request(portal, email)
  const [mail] = await mailsTo(portal, email)
  const { body } = await portal.call(null, 'GET', `/mock/mail/${mail.id}`, undefined, { host: 'localhost' })
  return new URL(body.links[0]).searchParams.get('key')!
}

describe('asking for a new password', () => {
  test('R-2.7 mails a link that leads to the form, in the language of the person', async () => {
    await using portal = await startPortal()
    expect(await request(portal, ' Haruka@Example.com ')).toMatchObject({ status: 200, body: { sent: true } })
    const [mail] = await mailsTo(portal, 'haruka@example.com')
    expect(mail).toMatchObject({ language: 'ja', subject: '新しいパスワードの設定' })
    const { body } = await portal.call(null, 'GET', `/mock/mail/${mail.id}`, undefined, { host: 'localhost' })
    expect(body.links[0]).toMatch(/^http:\/\/portal\.test\/login\?view=reset_password&key=[0-9a-f-]{36}$/)
  })

  test('R-2.7 an unknown address is answered alike, and gets no mail', async () => {
    await using portal = await startPortal()
    const [known, unknown] = [await request(portal, 'alice@example.com'), await request(portal, 'nobody@example.com')]
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    expect(await mailsTo(portal, 'nobody@example.com')).toEqual([])
  })

  test('R-5.5 refuses what is no address', async () => {
    await using portal = await startPortal()
    expect(await request(portal, 'a@b')).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  })

  test('E-90 a sixth request within the hour is refused, known or not', async () => {
    await using portal = await startPortal()
    for (const email of ['alice@example.com', 'nobody@example.com']) {
      for (let n = 0; n < 5; n++) expect((await request(portal, email)).status).toBe(200)
      expect(await request(portal, email)).toMatchObject({ status: 429, body: { code: 'throttled' } })
    }
    expect(await mailsTo(portal, 'alice@example.com')).toHaveLength(5)
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    expect((await request(portal, 'alice@example.com')).status).toBe(200)
  })

  test('E-90 requests are not counted where the limits of credentials are off', async () => {
    await using portal = await startPortal({ limits: { credentials: false } })
    for (let n = 0; n < 6; n++) expect((await request(portal, 'alice@example.com')).status).toBe(200)
  })
})

describe('setting a new password', () => {
  test('E-91 the key sets it once and ends all sessions', async () => {
    await using portal = await startPortal()
    const token = await portal.token('alice@example.com')
    const key = await keyFor(portal, 'alice@example.com')
    expect(await confirm(portal, key)).toMatchObject({ status: 200, body: { status: 'changed' } })
    expect((await portal.call(null, 'GET', '/users/me/', undefined, { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await signIn(portal, 'alice@example.com', 'Demo-1234')).status).toBe(401)
    expect((await signIn(portal, 'alice@example.com', 'Other-5678')).status).toBe(200)
    expect(await confirm(portal, key)).toMatchObject({ status: 410, body: { code: 'expired' } })
  })

  test('E-91 of two answers to one key only the first counts', async () => {
    await using portal = await startPortal()
    const key = await keyFor(portal, 'alice@example.com')
    const answers = await Promise.all([confirm(portal, key, 'First-1234'), confirm(portal, key, 'Second-1234')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  test('D-27 the key works for an hour, and is stored hashed', async () => {
    await using portal = await startPortal()
    const key = await keyFor(portal, 'alice@example.com')
    const hashes = (await portal.world.db.read.select().from(emailKeys)).map(({ hash }) => hash)
    expect(hashes).toContain(sha256(key))
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    expect((await confirm(portal, key)).status).toBe(410)
  })

  test('D-27 a newer e-mail ends the older key, but not one of another kind', async () => {
    await using portal = await startPortal()
    const older = await keyFor(portal, 'chloe@example.com')
    const newer = await keyFor(portal, 'chloe@example.com')
    expect(await confirm(portal, older)).toMatchObject({ status: 410, body: { code: 'expired' } })
    expect((await confirm(portal, newer)).status).toBe(200)
    const confirmation = (await portal.world.db.read.select().from(emailKeys)).find(({ hash }) => hash === sha256(SEED_KEYS.confirmValid))
    expect(confirmation?.expiresAt.toISOString()).toBe('2026-03-03T09:00:00.000Z')
  })

  test('H.4 the seeded keys: valid, expired, unknown, and one of another kind', async () => {
    await using portal = await startPortal()
    expect((await confirm(portal, SEED_KEYS.resetValid)).status).toBe(200)
    expect((await confirm(portal, SEED_KEYS.resetExpired)).status).toBe(410)
    for (const key of ['5eed0000-0000-4000-8000-0000000000ff', SEED_KEYS.confirmValid, ''])
      expect(await confirm(portal, key)).toMatchObject({ status: 404, body: { code: 'invalid_key' } })
  })

  test('R-1.28 an invitation sets the first password', async () => {
    await using portal = await startPortal()
    expect((await confirm(portal, SEED_KEYS.invitation)).status).toBe(200)
    expect((await signIn(portal, 'invited@pro.example.com', 'Other-5678')).status).toBe(200)
  })

  test('R-5.2 refuses seven characters and takes eight', async () => {
    await using portal = await startPortal()
    const key = await keyFor(portal, 'alice@example.com')
    expect(await confirm(portal, key, '1234567')).toMatchObject({ status: 400, body: { errors: { new_password: [expect.any(String)] } } })
    expect((await confirm(portal, key, 'x'.repeat(129))).status).toBe(400)
    expect((await confirm(portal, key, ' 234567 ')).status).toBe(200)
    expect((await signIn(portal, 'alice@example.com', ' 234567 ')).status).toBe(200)
  })
})
