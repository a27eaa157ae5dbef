import { describe, expect, test } from 'vitest'
import { emailKeys } from '#db/schema/accounts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { keyMailedTo, mailsTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const CHLOE = 'chloe@example.com'
const UNKNOWN = '5eed0000-0000-4000-8000-0000000001ff'
const confirm = (portal: Portal, key: unknown, headers = {}) => portal.call(null, 'POST', '/users/confirm_email/', { key }, headers)
const resend = (portal: Portal, key: unknown) => portal.call(null, 'POST', '/users/confirm_email/resend/', { key })
const askAgain = (portal: Portal) => portal.call(CHLOE, 'PATCH', '/users/me/', { send_email_confirmation: true })
const isConfirmed = async (portal: Portal, email = CHLOE) => (await portal.call(email, 'GET', '/options/')).body.email_confirmed

describe("confirming an account's e-mail", () => {
  test('R-4.1 a new account is confirmed with the link in its first mail', async () => {
    await using portal = await startPortal()
    const body = { email: 'nina@example.org', password: 'Fresh-123', first_name: 'Nina', last_name: 'Novak' }
    expect((await portal.call(null, 'POST', '/users/register', body)).body.user.email_confirmed).toBe(false)
    const key = await keyMailedTo(portal.world, body.email, 'confirm_email')
    expect(key).toMatch(/^[0-9a-f]{40}$/)
    expect(await confirm(portal, key)).toMatchObject({ status: 200, body: { status: 'confirmed' } })
    expect(await isConfirmed(portal, body.email)).toBe(true)
  })

  test('R-4.2 R-2.18 R-2.19 a key confirms the e-mail, and the same key again returns already_confirmed', async () => {
    await using portal = await startPortal()
    expect(await confirm(portal, SEED_KEYS.confirmValid)).toMatchObject({ status: 200, body: { status: 'confirmed' } })
    expect(await isConfirmed(portal)).toBe(true)
    expect(await confirm(portal, SEED_KEYS.confirmValid)).toMatchObject({ status: 200, body: { status: 'already_confirmed' } })
  })

  test('R-2.19 an expired or long used key returns already_confirmed once the e-mail is confirmed', async () => {
    await using portal = await startPortal()
    await confirm(portal, SEED_KEYS.confirmValid)
    for (const key of [SEED_KEYS.confirmExpired, SEED_KEYS.confirmUsed])
      expect(await confirm(portal, key)).toMatchObject({ status: 200, body: { status: 'already_confirmed' } })
  })

  test('of two simultaneous confirmations one confirms and the other returns already_confirmed', async () => {
    await using portal = await startPortal()
    const responses = await Promise.all([confirm(portal, SEED_KEYS.confirmValid), confirm(portal, SEED_KEYS.confirmValid)])
    expect(responses.map(({ status, body }) => [status, body.status]).sort()).toEqual([
      [200, 'already_confirmed'],
      [200, 'confirmed'],
    ])
  })

  test('R-4.2 R-2.20 an expired key confirms nothing', async () => {
    await using portal = await startPortal()
    expect(await confirm(portal, SEED_KEYS.confirmExpired)).toMatchObject({ status: 410, body: { code: 'expired' } })
    expect(await isConfirmed(portal)).toBe(false)
  })

  test('a confirmation key expires after 24 hours', async () => {
    await using portal = await startPortal()
    portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
    expect((await confirm(portal, SEED_KEYS.confirmValid)).status).toBe(410)
  })

  test('a newer confirmation mail invalidates the older key, and its own key confirms', async () => {
    await using portal = await startPortal()
    await askAgain(portal)
    expect((await confirm(portal, SEED_KEYS.confirmValid)).status).toBe(410)
    expect((await confirm(portal, await keyMailedTo(portal.world, CHLOE, 'confirm_email'))).body).toEqual({ status: 'confirmed' })
  })

  test('R-4.2 R-2.21 keys of other kinds neither confirm nor resend', async () => {
    await using portal = await startPortal()
    const rows = [UNKNOWN, '', 'abc', 'x'.repeat(5000), SEED_KEYS.resetValid, SEED_KEYS.changeValid, SEED_KEYS.invitation]
    expect(
      await collectFailures(rows, JSON.stringify, async (key) => {
        for (const response of [await confirm(portal, key), await resend(portal, key)])
          expect(response).toMatchObject({ status: 404, body: { code: 'invalid_key' } })
      }),
    ).toEqual([])
  })

  test('R-2.21 confirming or resending without a key string is rejected', async () => {
    await using portal = await startPortal()
    for (const key of [undefined, null, 1]) {
      expect(await confirm(portal, key)).toMatchObject({ status: 400, body: { errors: { key: [expect.any(String)] } } })
      expect((await resend(portal, key)).status).toBe(400)
    }
  })

  test('an invalid bearer token does not stop a confirmation', async () => {
    await using portal = await startPortal()
    expect((await confirm(portal, SEED_KEYS.confirmValid, { authorization: 'Bearer 0000' })).status).toBe(200)
  })
})

describe('resending the confirmation for an old key', () => {
  test("R-2.20 resending for an expired key mails a link that confirms, in the user's language", async () => {
    await using portal = await startPortal()
    expect(await resend(portal, SEED_KEYS.confirmExpired)).toMatchObject({ status: 200, body: { sent: true } })
    expect(await mailsTo(portal.world, CHLOE)).toMatchObject([{ template: 'confirm_email', language: 'de', timeZone: 'Europe/Berlin' }])
    const key = await keyMailedTo(portal.world, CHLOE, 'confirm_email')
    expect((await portal.world.db.read.select().from(emailKeys)).map(({ hash }) => hash)).toContain(sha256(key))
    expect((await confirm(portal, key)).body).toEqual({ status: 'confirmed' })
  })

  test('resending for a valid key invalidates that key', async () => {
    await using portal = await startPortal()
    expect((await resend(portal, SEED_KEYS.confirmValid)).status).toBe(200)
    expect((await confirm(portal, SEED_KEYS.confirmValid)).status).toBe(410)
    expect(await mailsTo(portal.world, CHLOE)).toHaveLength(1)
  })

  test('resending mails nothing once the e-mail is confirmed', async () => {
    await using portal = await startPortal()
    const before = await mailsTo(portal.world, 'alice@example.com')
    expect(await resend(portal, SEED_KEYS.confirmUsed)).toMatchObject({ status: 200, body: { sent: true } })
    expect(await mailsTo(portal.world, 'alice@example.com')).toEqual(before)
  })

  test('a sixth confirmation mail within an hour is rejected, from either endpoint', async () => {
    await using portal = await startPortal()
    for (let n = 0; n < 3; n++) expect((await askAgain(portal)).status).toBe(200)
    for (let n = 0; n < 2; n++) expect((await resend(portal, SEED_KEYS.confirmExpired)).status).toBe(200)
    expect(await resend(portal, SEED_KEYS.confirmExpired)).toMatchObject({ status: 429, body: { code: 'throttled' } })
    expect((await askAgain(portal)).status).toBe(429)
    expect(await mailsTo(portal.world, CHLOE)).toHaveLength(5)
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    expect((await resend(portal, SEED_KEYS.confirmExpired)).status).toBe(200)
  })

  test('of six simultaneous requests to resend, five succeed', async () => {
    await using portal = await startPortal()
    const responses = await Promise.all(Array.from({ length: 6 }, () => resend(portal, SEED_KEYS.confirmExpired)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
  })
})
