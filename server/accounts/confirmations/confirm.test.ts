import { describe, expect, test } from 'vitest'
import { emailKeys } from '#db/schema/accounts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-keys.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { keyMailedTo, mailsTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const CHLOE = 'chloe@example.com'
const UNKNOWN = '5eed0000-0000-4000-8000-0000000001ff'
const confirm = (portal: Portal, key: unknown, headers = {}) => portal.call(null, 'POST', '/users/confirm_email/', { key }, headers)
const resend = (portal: Portal, key: unknown) => portal.call(null, 'POST', '/users/confirm_email/resend/', { key })
const askAgain = (portal: Portal) => portal.call(CHLOE, 'PATCH', '/users/me/', { send_email_confirmation: true })
const isConfirmed = async (portal: Portal, email = CHLOE) => (await portal.call(email, 'GET', '/options/')).body.email_confirmed

describe('confirming the e-mail of an account', () => {
  test('R-4.1 D-27 a new account confirms with the link of its first mail', async () => {
    await using portal = await startPortal()
    const body = { email: 'nina@example.org', password: 'Fresh-123', first_name: 'Nina', last_name: 'Novak' }
    expect((await portal.call(null, 'POST', '/users/register', body)).body.user.email_confirmed).toBe(false)
    const key = await keyMailedTo(portal.world, body.email, 'confirm_email')
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await confirm(portal, key)).toMatchObject({ status: 200, body: { status: 'confirmed' } })
    expect(await isConfirmed(portal, body.email)).toBe(true)
  })

  test('R-4.2 R-2.18 R-2.19 E-85 confirmed, and with the same key again: already confirmed', async () => {
    await using portal = await startPortal()
    expect(await confirm(portal, SEED_KEYS.confirmValid)).toMatchObject({ status: 200, body: { status: 'confirmed' } })
    expect(await isConfirmed(portal)).toBe(true)
    expect(await confirm(portal, SEED_KEYS.confirmValid)).toMatchObject({ status: 200, body: { status: 'already_confirmed' } })
  })

  test('R-2.19 so does a key out of time once the account is confirmed, and one used long ago', async () => {
    await using portal = await startPortal()
    await confirm(portal, SEED_KEYS.confirmValid)
    for (const key of [SEED_KEYS.confirmExpired, SEED_KEYS.confirmUsed])
      expect(await confirm(portal, key)).toMatchObject({ status: 200, body: { status: 'already_confirmed' } })
  })

  test('C-18 of two requests at once one confirms and the other finds it done', async () => {
    await using portal = await startPortal()
    const answers = await Promise.all([confirm(portal, SEED_KEYS.confirmValid), confirm(portal, SEED_KEYS.confirmValid)])
    expect(answers.map(({ status, body }) => [status, body.status]).sort()).toEqual([
      [200, 'already_confirmed'],
      [200, 'confirmed'],
    ])
  })

  test('R-4.2 R-2.20 H.4 a key out of time confirms nothing', async () => {
    await using portal = await startPortal()
    expect(await confirm(portal, SEED_KEYS.confirmExpired)).toMatchObject({ status: 410, body: { code: 'expired' } })
    expect(await isConfirmed(portal)).toBe(false)
  })

  test('D-27 a key works for 24 hours', async () => {
    await using portal = await startPortal()
    portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
    expect((await confirm(portal, SEED_KEYS.confirmValid)).status).toBe(410)
  })

  test('D-27 a newer mail ends the older key, and confirms', async () => {
    await using portal = await startPortal()
    await askAgain(portal)
    expect((await confirm(portal, SEED_KEYS.confirmValid)).status).toBe(410)
    expect((await confirm(portal, await keyMailedTo(portal.world, CHLOE, 'confirm_email'))).body).toEqual({ status: 'confirmed' })
  })

  test.each([UNKNOWN, '', 'abc', 'x'.repeat(5000), SEED_KEYS.resetValid, SEED_KEYS.changeValid, SEED_KEYS.invitation])(
    'R-4.2 R-2.21 %j is a key that nobody was sent to confirm with',
    async (key) => {
      await using portal = await startPortal()
      for (const answer of [await confirm(portal, key), await resend(portal, key)])
        expect(answer).toMatchObject({ status: 404, body: { code: 'invalid_key' } })
    },
  )

  test('R-2.21 a body without a key is refused', async () => {
    await using portal = await startPortal()
    for (const key of [undefined, null, 1]) {
      expect(await confirm(portal, key)).toMatchObject({ status: 400, body: { errors: { key: [expect.any(String)] } } })
      expect((await resend(portal, key)).status).toBe(400)
    }
  })

  test('C-30 a token that is worth nothing does not stop it', async () => {
    await using portal = await startPortal()
    expect((await confirm(portal, SEED_KEYS.confirmValid, { authorization: 'Bearer 0000' })).status).toBe(200)
  })
})

describe('asking for a new link with the old one', () => {
  test('C-36 R-2.20 E-86 mails one, in the language of the person, that confirms', async () => {
    await using portal = await startPortal()
    expect(await resend(portal, SEED_KEYS.confirmExpired)).toMatchObject({ status: 200, body: { sent: true } })
    expect(await mailsTo(portal.world, CHLOE)).toMatchObject([{ template: 'confirm_email', language: 'de', timeZone: 'Europe/Berlin' }])
    const key = await keyMailedTo(portal.world, CHLOE, 'confirm_email')
    expect((await portal.world.db.read.select().from(emailKeys)).map(({ hash }) => hash)).toContain(sha256(key))
    expect((await confirm(portal, key)).body).toEqual({ status: 'confirmed' })
  })

  test('E-86 a link that still works is replaced as well', async () => {
    await using portal = await startPortal()
    expect((await resend(portal, SEED_KEYS.confirmValid)).status).toBe(200)
    expect((await confirm(portal, SEED_KEYS.confirmValid)).status).toBe(410)
    expect(await mailsTo(portal.world, CHLOE)).toHaveLength(1)
  })

  test('E-86 nothing is mailed to an address that is confirmed', async () => {
    await using portal = await startPortal()
    const before = await mailsTo(portal.world, 'alice@example.com')
    expect(await resend(portal, SEED_KEYS.confirmUsed)).toMatchObject({ status: 200, body: { sent: true } })
    expect(await mailsTo(portal.world, 'alice@example.com')).toEqual(before)
  })

  test('E-86 E-21 a sixth mail within the hour is refused, however it is asked for', async () => {
    await using portal = await startPortal()
    for (let n = 0; n < 3; n++) expect((await askAgain(portal)).status).toBe(200)
    for (let n = 0; n < 2; n++) expect((await resend(portal, SEED_KEYS.confirmExpired)).status).toBe(200)
    expect(await resend(portal, SEED_KEYS.confirmExpired)).toMatchObject({ status: 429, body: { code: 'throttled' } })
    expect((await askAgain(portal)).status).toBe(429)
    expect(await mailsTo(portal.world, CHLOE)).toHaveLength(5)
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    expect((await resend(portal, SEED_KEYS.confirmExpired)).status).toBe(200)
  })

  test('E-86 of six at once five are sent', async () => {
    await using portal = await startPortal()
    const answers = await Promise.all(Array.from({ length: 6 }, () => resend(portal, SEED_KEYS.confirmExpired)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
  })
})
