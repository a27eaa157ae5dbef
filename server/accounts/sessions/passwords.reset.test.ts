import { describe, expect, test } from 'vitest'
import { emailKeys } from '#db/schema/accounts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
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

describe('requesting a password reset', () => {
  test("R-2.7 a reset request mails a link to the form, in the user's language", async () => {
    await using portal = await startPortal()
    expect(await request(portal, ' Haruka@Example.com ')).toMatchObject({ status: 200, body: { sent: true } })
    const [mail] = await mailsTo(portal, 'haruka@example.com')
    expect(mail).toMatchObject({ language: 'ja', subject: '新しいパスワードの設定' })
    const { body } = await portal.call(null, 'GET', `/mock/mail/${mail.id}`, undefined, { host: 'localhost' })
    expect(body.links[0]).toMatch(/^http:\/\/portal\.test\/login\?view=reset_password&key=[0-9a-f]{40}$/)
  })

  test('R-2.7 a reset request for an unknown address gets the same response but sends no mail', async () => {
    await using portal = await startPortal()
    const [known, unknown] = [await request(portal, 'alice@example.com'), await request(portal, 'nobody@example.com')]
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    expect(await mailsTo(portal, 'nobody@example.com')).toEqual([])
  })

  test('R-5.5 a reset request for an invalid address is refused', async () => {
    await using portal = await startPortal()
    expect(await request(portal, 'a@b')).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  })

  test('a sixth reset request within an hour gets the same response but mails nothing, and the links sent stay valid', async () => {
    await using portal = await startPortal()
    const key = await keyFor(portal, 'alice@example.com')
    for (const email of ['alice@example.com', 'nobody@example.com'])
      for (let n = 0; n < 6; n++) expect(await request(portal, email)).toMatchObject({ status: 200, body: { sent: true } })
    expect(await mailsTo(portal, 'alice@example.com')).toHaveLength(5)
    expect((await confirm(portal, key)).status).toBe(200)
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    await request(portal, 'alice@example.com')
    expect(await mailsTo(portal, 'alice@example.com')).toHaveLength(6)
  })

  test('reset requests are not limited when credential limits are off', async () => {
    await using portal = await startPortal({ limits: { credentials: false } })
    for (let n = 0; n < 6; n++) expect((await request(portal, 'alice@example.com')).status).toBe(200)
  })
})

describe('setting a new password by key', () => {
  test('a reset key works once and ends all sessions', async () => {
    await using portal = await startPortal()
    const token = await portal.token('alice@example.com')
    const key = await keyFor(portal, 'alice@example.com')
    expect(await confirm(portal, key)).toMatchObject({ status: 200, body: { status: 'changed' } })
    expect((await portal.call(null, 'GET', '/users/me/', undefined, { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await signIn(portal, 'alice@example.com', 'Demo-1234')).status).toBe(401)
    expect((await signIn(portal, 'alice@example.com', 'Other-5678')).status).toBe(200)
    expect(await confirm(portal, key)).toMatchObject({ status: 410, body: { code: 'expired' } })
  })

  test('of two simultaneous uses of a reset key only the first succeeds', async () => {
    await using portal = await startPortal()
    const key = await keyFor(portal, 'alice@example.com')
    const responses = await Promise.all([confirm(portal, key, 'First-1234'), confirm(portal, key, 'Second-1234')])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  test('a reset key expires after an hour and is stored hashed', async () => {
    await using portal = await startPortal()
    const key = await keyFor(portal, 'alice@example.com')
    const hashes = (await portal.world.db.read.select().from(emailKeys)).map(({ hash }) => hash)
    expect(hashes).toContain(sha256(key))
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    expect((await confirm(portal, key)).status).toBe(410)
  })

  test('a newer reset mail, which someone else may have requested, leaves the older link valid until one is used', async () => {
    await using portal = await startPortal()
    const older = await keyFor(portal, 'chloe@example.com')
    const newer = await keyFor(portal, 'chloe@example.com')
    expect((await confirm(portal, older)).status).toBe(200)
    expect(await confirm(portal, newer)).toMatchObject({ status: 410, body: { code: 'expired' } })
    const confirmation = (await portal.world.db.read.select().from(emailKeys)).find(({ hash }) => hash === sha256(SEED_KEYS.confirmValid))
    expect(confirmation?.expiresAt.toISOString()).toBe('2026-03-03T09:00:00.000Z')
  })

  test('of the seeded keys the valid one resets, the expired one is gone, and unknown or other keys are invalid', async () => {
    await using portal = await startPortal()
    expect((await confirm(portal, SEED_KEYS.resetValid)).status).toBe(200)
    expect((await confirm(portal, SEED_KEYS.resetExpired)).status).toBe(410)
    for (const key of ['5eed0000-0000-4000-8000-0000000000ff', SEED_KEYS.confirmValid, ''])
      expect(await confirm(portal, key)).toMatchObject({ status: 404, body: { code: 'invalid_key' } })
  })

  test('R-1.28 an invitation key sets the first password', async () => {
    await using portal = await startPortal()
    expect((await confirm(portal, SEED_KEYS.invitation)).status).toBe(200)
    expect((await signIn(portal, 'invited@pro.example.com', 'Other-5678')).status).toBe(200)
  })

  test('R-5.2 a reset refuses passwords of 7 and 129 characters and accepts 8', async () => {
    await using portal = await startPortal()
    const key = await keyFor(portal, 'alice@example.com')
    expect(await confirm(portal, key, '1234567')).toMatchObject({ status: 400, body: { errors: { new_password: [expect.any(String)] } } })
    expect((await confirm(portal, key, 'x'.repeat(129))).status).toBe(400)
    expect((await confirm(portal, key, ' 234567 ')).status).toBe(200)
    expect((await signIn(portal, 'alice@example.com', ' 234567 ')).status).toBe(200)
  })
})
