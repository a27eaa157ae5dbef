import { describe, expect, test } from 'vitest'
import { emailKeys } from '#db/schema/accounts.ts'
import { emails } from '#db/schema/messages.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { renderMail } from '#server/mail/mail-render.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { mailsTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const send = (portal: Portal, email = 'chloe@example.com', body: object = { send_email_confirmation: true }) =>
  portal.call(email, 'PATCH', '/users/me/', body)
const confirmations = async (portal: Portal, to = 'chloe@example.com') =>
  (await portal.world.db.read.select().from(emails).orderBy(emails.id)).filter(
    (mail) => mail.to === to && mail.template === 'confirm_email',
  )

describe('the user', () => {
  test('R-7.20 the signed-in user reads their own data, and a session is required', async () => {
    await using portal = await startPortal()
    expect(await portal.call('alice@example.com', 'GET', '/users/me/')).toMatchObject({
      status: 200,
      body: { id: 1, username: 'alice@example.com', first_name: 'Alice', birth_date: '1988-04-17', language: 'en', admin_email: null },
    })
    expect((await portal.call(null, 'GET', '/users/me/')).status).toBe(401)
  })

  test('R-3.49 the admin e-mail is shown only to the administrator', async () => {
    await using portal = await startPortal()
    const adminEmail = async (email: string) => (await portal.call(email, 'GET', '/users/me/')).body.admin_email
    expect(await adminEmail('admin@pro.example.com')).toBe('fleet@pro.example.com')
    expect(await adminEmail('member@pro.example.com')).toBeNull()
  })
})

describe('resending the confirmation mail', () => {
  test('R-7.21 resending sends one new mail and ends earlier keys', async () => {
    await using portal = await startPortal()
    const before = await confirmations(portal)
    expect(await send(portal)).toMatchObject({ status: 200, body: { email: 'chloe@example.com', email_confirmed: false } })
    const after = await confirmations(portal)
    expect(after).toHaveLength(before.length + 1)
    const keys = await portal.world.db.read.select().from(emailKeys)
    expect(keys.find(({ hash }) => hash === sha256(SEED_KEYS.confirmValid))?.expiresAt).toEqual(portal.clock.now())
    expect(keys.find(({ hash }) => hash === sha256(after.at(-1)!.data.key!))?.expiresAt).toEqual(new Date('2026-03-03T09:00:00Z'))
  })

  test('R-7.21 resending sends no mail to a confirmed address', async () => {
    await using portal = await startPortal()
    const before = await confirmations(portal, 'alice@example.com')
    expect((await send(portal, 'alice@example.com')).status).toBe(200)
    expect(await confirmations(portal, 'alice@example.com')).toEqual(before)
  })

  test('R-3.43 R-3.44 changing read-only fields of the user is ignored, and no mail is sent unless requested', async () => {
    await using portal = await startPortal()
    const before = await confirmations(portal)
    const body = { email_confirmed: true, role: 'admin', email: 'x@example.com', id: 1, send_email_confirmation: false }
    expect(await send(portal, 'chloe@example.com', body)).toMatchObject({
      status: 200,
      body: { email_confirmed: false, role: 'user', email: 'chloe@example.com', id: 3 },
    })
    expect((await send(portal, 'chloe@example.com', {})).status).toBe(200)
    expect(await confirmations(portal)).toEqual(before)
  })

  test('a sixth confirmation mail within an hour is refused even when credential limits are off', async () => {
    await using portal = await startPortal({ limits: { credentials: false } })
    const before = await confirmations(portal)
    for (let n = 0; n < 5; n++) expect((await send(portal)).status).toBe(200)
    expect(await send(portal)).toMatchObject({ status: 429, body: { code: 'throttled' } })
    expect(await confirmations(portal)).toHaveLength(before.length + 5)
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    expect((await send(portal)).status).toBe(200)
  })

  test('resending needs a session and a boolean', async () => {
    await using portal = await startPortal()
    expect((await portal.call(null, 'PATCH', '/users/me/', { send_email_confirmation: true })).status).toBe(401)
    expect((await send(portal, 'chloe@example.com', { send_email_confirmation: 'yes' })).status).toBe(400)
  })
})

describe('settings', () => {
  const change = (portal: Portal, body: object, email = 'alice@example.com') => portal.call(email, 'PATCH', '/users/settings/', body)

  test("R-7.18 R-3.51 R-3.52 R-3.53 settings show the user's data under their own field names", async () => {
    await using portal = await startPortal()
    expect(await portal.call('alice@example.com', 'GET', '/users/settings/')).toMatchObject({
      status: 200,
      body: {
        firstname: 'Alice',
        lastname: 'Almeida',
        birthday: '1988-04-17',
        language: 'en',
        currency: 'eur',
        marketing_consent: false,
        admin_email: null,
        time_zone: 'America/Montevideo',
      },
    })
    expect((await portal.call(null, 'GET', '/users/settings/')).status).toBe(401)
  })

  test('R-7.19 changing settings leaves the others unchanged', async () => {
    await using portal = await startPortal()
    const rows = [
      { firstname: 'Alícia' },
      { lastname: 'Öz' },
      { birthday: null },
      { birthday: '1900-01-01' },
      { language: 'ja' },
      { currency: 'usd' },
      { marketing_consent: true },
      { time_zone: 'Asia/Tokyo' },
      { time_zone: null },
      { firstname: 'A', lastname: 'B', birthday: '2026-03-02' },
      {},
    ]
    expect(
      await collectFailures(rows, JSON.stringify, async (body) => {
        const before = await portal.call('alice@example.com', 'GET', '/users/settings/')
        const response = await change(portal, body)
        expect(response).toMatchObject({ status: 200, body: { ...before.body, ...body } })
        const { body: me } = await portal.call('alice@example.com', 'GET', '/users/me/')
        expect([me.first_name, me.last_name, me.birth_date]).toEqual([
          response.body.firstname,
          response.body.lastname,
          response.body.birthday,
        ])
      }),
    ).toEqual([])
  })

  test('R-7.19 invalid settings are refused and change nothing', async () => {
    await using portal = await startPortal()
    const rows = [
      ['firstname', ''],
      ['lastname', 'x'.repeat(51)],
      ['birthday', '2026-03-03'],
      ['birthday', '1899-12-31'],
      ['language', 'zh'],
      ['currency', 'isk'],
      ['marketing_consent', null],
      ['admin_email', 'fleet@example.com'],
      ['admin_email', null],
      ['time_zone', 'Europe/Atlantis'],
      ['time_zone', '+03:00'],
      ['time_zone', ''],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([field, value]) => {
        const before = await portal.call('alice@example.com', 'GET', '/users/settings/')
        expect(await change(portal, { lastname: 'Changed', [field]: value })).toMatchObject({
          status: 400,
          body: { code: 'validation_error', errors: { [field]: [expect.any(String)] } },
        })
        expect((await portal.call('alice@example.com', 'GET', '/users/settings/')).body).toEqual(before.body)
      }),
    ).toEqual([])
  })

  test('R-1.21 changed language and time zone apply to the next mail', async () => {
    await using portal = await startPortal()
    await change(portal, { language: 'fr', time_zone: 'Asia/Tokyo' })
    const passwords = { old_password: 'Demo-1234', new_password: 'Other-5678' }
    await portal.call('alice@example.com', 'POST', '/users/change_password/', passwords)
    const [mail] = await mailsTo(portal.world, 'alice@example.com', 'password_changed')
    expect(renderMail(mail!, portal.world).text).toContain('2 mars 2026 à 18:00 heure normale du Japon')
  })

  test('R-1.29 only the administrator sets and clears the admin e-mail', async () => {
    await using portal = await startPortal()
    const admin = 'admin@pro.example.com'
    expect(await change(portal, { admin_email: ' Boss@Pro.example.com' }, admin)).toMatchObject({
      status: 200,
      body: { admin_email: 'boss@pro.example.com' },
    })
    expect((await change(portal, { admin_email: 'boss' }, admin)).status).toBe(400)
    expect((await change(portal, { admin_email: null }, admin)).body.admin_email).toBeNull()
    expect((await change(portal, { admin_email: 'me@pro.example.com' }, 'member@pro.example.com')).status).toBe(400)
    expect((await change(portal, { admin_email: 'me@example.com' }, 'support@example.com')).status).toBe(400)
    expect((await portal.call(null, 'PATCH', '/users/settings/', {})).status).toBe(401)
  })
})
