import { describe, expect, test } from 'vitest'
import { emailKeys, users } from '#db/schema/accounts.ts'
import { emails } from '#db/schema/messages.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const newcomer = { email: 'nina@example.org', password: 'Fresh-123', first_name: 'Nina', last_name: 'Novak' }
const register = (portal: Portal, change: object = {}) => portal.call(null, 'POST', '/users/register', { ...newcomer, ...change })
const signIn = (portal: Portal, username: string, password = newcomer.password) =>
  portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username, password })
const mailsTo = async (portal: Portal, to: string) =>
  (await portal.world.db.read.select().from(emails).orderBy(emails.id)).filter((mail) => mail.to === to)

describe('registering', () => {
  test('R-2.9 R-7.14 registering creates a user with defaults who can sign in', async () => {
    await using portal = await startPortal()
    const response = await register(portal)
    expect(response).toMatchObject({
      status: 201,
      body: {
        user: {
          username: 'nina@example.org',
          email: 'nina@example.org',
          email_confirmed: false,
          role: 'user',
          first_name: 'Nina',
          last_name: 'Novak',
          birth_date: null,
          admin_email: null,
          marketing_consent: false,
          language: 'en',
          currency: 'eur',
        },
      },
    })
    expect(await signIn(portal, 'nina@example.org')).toMatchObject({ status: 200, body: { user: response.body.user } })
  })

  test('registering accepts a user name, birth date, language, currency, time zone and consent', async () => {
    await using portal = await startPortal()
    const given = { birth_date: '1990-02-28', language: 'fi', currency: 'gbp', marketing_consent: true }
    const zone = { time_zone: 'Europe/Helsinki' }
    const response = await register(portal, { ...given, ...zone, username: 'Nina_N', email: ' Nina@Example.org ' })
    expect(response).toMatchObject({ status: 201, body: { user: { ...given, username: 'nina_n', email: 'nina@example.org' } } })
    expect((await signIn(portal, 'NINA_N')).status).toBe(200)
    expect((await portal.call('nina@example.org', 'GET', '/users/settings/')).body).toMatchObject(zone)
    expect(await mailsTo(portal, 'nina@example.org')).toMatchObject([{ timeZone: 'Europe/Helsinki' }])
  })

  test('R-1.1 a new account has no trackers', async () => {
    await using portal = await startPortal()
    await register(portal)
    expect(await portal.call('nina@example.org', 'GET', '/devices/?type=tracker')).toMatchObject({ status: 200, body: [] })
  })

  test('R-4.1 registering queues a confirmation mail whose key is stored hashed', async () => {
    await using portal = await startPortal()
    await register(portal, { language: 'cs' })
    const [mail, ...more] = await mailsTo(portal, 'nina@example.org')
    expect(more).toEqual([])
    expect(mail).toMatchObject({ template: 'confirm_email', language: 'cs', sentAt: null, createdAt: portal.clock.now() })
    const key = (await portal.world.db.read.select().from(emailKeys)).find(({ hash }) => hash === sha256(mail!.data.key!))
    expect(key).toMatchObject({ kind: 'confirm', usedAt: null, expiresAt: new Date('2026-03-03T09:00:00Z') })
  })

  test('R-3.44 R-3.43 registering ignores a role, a confirmed e-mail and an admin e-mail', async () => {
    await using portal = await startPortal()
    const response = await register(portal, { role: 'admin', email_confirmed: true, admin_email: 'x@example.org' })
    expect(response.body.user).toMatchObject({ role: 'user', email_confirmed: false, admin_email: null })
  })

  test('R-3.48 the password is stored only as an argon2id hash', async () => {
    await using portal = await startPortal()
    await register(portal)
    const row = (await portal.world.db.read.select().from(users)).find(({ email }) => email === 'nina@example.org')
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('refused registrations', () => {
  test.each([
    ['an e-mail that is somebody’s', { email: 'Taken@Example.com' }],
    ['a user name that is somebody’s', { username: 'ALICE@example.com' }],
  ])('registering with %s is refused', async (_, change) => {
    await using portal = await startPortal()
    expect(await register(portal, change)).toMatchObject({ status: 409, body: { code: 'email_exists' } })
    expect(await mailsTo(portal, 'nina@example.org')).toEqual([])
  })

  test("registering with an e-mail that is another user's user name is refused", async () => {
    await using portal = await startPortal()
    await register(portal, { username: 'other@example.org' })
    expect((await register(portal, { email: 'other@example.org' })).status).toBe(409)
  })

  test('R-3.42 of two simultaneous registrations with one address only one succeeds', async () => {
    await using portal = await startPortal()
    const responses = await Promise.all([register(portal), register(portal, { first_name: 'Nora' })])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await mailsTo(portal, 'nina@example.org')).toHaveLength(1)
  })

  test('registering with an invalid value is refused with an error for its field', async () => {
    await using portal = await startPortal()
    const rows = [
      ['email', ''],
      ['email', 'a@b'],
      ['password', '1234567'],
      ['first_name', ' '],
      ['last_name', 'x'.repeat(51)],
      ['birth_date', '1899-12-31'],
      ['birth_date', '2026-03-03'],
      ['birth_date', '2025-02-29'],
      ['language', 'zh'],
      ['currency', 'isk'],
      ['marketing_consent', 'yes'],
      ['time_zone', 'Helsinki'],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([field, value]) => {
        expect(await register(portal, { [field]: value })).toMatchObject({
          status: 400,
          body: { code: 'validation_error', errors: { [field]: [expect.any(String)] } },
        })
      }),
    ).toEqual([])
  })

  test('a birth date is validated against the clock of the world', async () => {
    await using portal = await startPortal()
    expect((await register(portal, { birth_date: '2026-03-02' })).status).toBe(201)
    portal.clock.set({ at: new Date('2026-03-03T00:00:00Z') })
    expect((await register(portal, { email: 'later@example.org', birth_date: '2026-03-03' })).status).toBe(201)
  })
})
