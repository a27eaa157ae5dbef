import { describe, expect, test } from 'vitest'
import { tokens } from '#db/schema/accounts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const SIGN_IN = '/api/v1/auth/web_get_token/'
const PASSWORD = 'Demo-1234'
type Portal = Awaited<ReturnType<typeof startPortal>>

const signIn = (portal: Portal, username: string, password: string) => portal.call(null, 'POST', SIGN_IN, { username, password })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const readSession = (portal: Portal, token: string) => portal.call(null, 'GET', '/api-auth/session/login/', undefined, bearer(token))

describe('signing in', () => {
  test('R-7.13 signing in with a user name or e-mail in any case returns the user and a token', async () => {
    await using portal = await startPortal()
    for (const name of ['alice@example.com', 'Alice@Example.COM', ' alice@example.com ']) {
      const response = await signIn(portal, name, PASSWORD)
      expect(response).toMatchObject({ status: 200, body: { user: { email: 'alice@example.com', role: 'user', email_confirmed: true } } })
      expect(response.body.token).toMatch(/^[0-9a-f]{40}$/)
      expect(await readSession(portal, response.body.token)).toMatchObject({ status: 200, body: { username: 'alice@example.com' } })
    }
  })

  test('R-1.3 users of every role sign in at the same endpoint', async () => {
    await using portal = await startPortal()
    const rows = [
      ['alice@example.com', 'user'],
      ['member@pro.example.com', 'pro'],
      ['admin@pro.example.com', 'admin'],
      ['support@example.com', 'deepsupport'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([email]) => email,
        async ([email, role]) => {
          const { status, body } = await signIn(portal, email, PASSWORD)
          expect([status, body.user.role]).toEqual([200, role])
          expect((await portal.call(null, 'GET', '/options/', undefined, bearer(body.token))).body.role).toBe(role)
        },
      ),
    ).toEqual([])
  })

  test('R-3.48 the sign-in response contains no password, plain or hashed', async () => {
    await using portal = await startPortal()
    const { body } = await signIn(portal, 'alice@example.com', PASSWORD)
    expect(JSON.stringify(body)).not.toMatch(/argon2|password|Demo-1234/i)
  })

  test('R-7.13 a wrong password and an unknown user name get the same response', async () => {
    await using portal = await startPortal()
    const wrong = await signIn(portal, 'alice@example.com', 'Demo-12345')
    const unknown = await signIn(portal, 'nobody@example.com', PASSWORD)
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect(unknown.body).toEqual(wrong.body)
    expect(wrong.headers['set-cookie']).toBeUndefined()
  })

  test('an invited user without a password cannot sign in', async () => {
    await using portal = await startPortal()
    expect((await signIn(portal, 'invited@pro.example.com', PASSWORD)).status).toBe(401)
  })

  test('R-5.2 R-7.13 signing in needs both fields, but no minimum length of the password', async () => {
    await using portal = await startPortal()
    expect((await signIn(portal, 'alice@example.com', 'x')).status).toBe(401)
    for (const body of [
      {},
      { username: 'alice@example.com' },
      { username: 'alice@example.com', password: '' },
      { username: ' ', password: 'x' },
    ])
      expect(await portal.call(null, 'POST', SIGN_IN, body)).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  })

  test('a token in use is valid for 30 days and only its hash is stored', async () => {
    await using portal = await startPortal()
    const { token } = (await signIn(portal, 'alice@example.com', PASSWORD)).body
    const hashes = (await portal.world.db.read.select().from(tokens)).map(({ hash }) => hash)
    expect(hashes).toContain(sha256(token))
    expect(hashes).not.toContain(token)
    for (const instant of ['2026-03-15T09:00:00Z', '2026-03-28T09:00:00Z', '2026-04-01T08:59:59Z']) {
      portal.clock.set({ at: new Date(instant) })
      expect((await readSession(portal, token)).status).toBe(200)
    }
    portal.clock.set({ at: new Date('2026-04-01T09:00:00Z') })
    expect((await readSession(portal, token)).status).toBe(401)
  })
})

describe('failed logins', () => {
  const fail = async (portal: Portal, username: string, times: number) => {
    for (let n = 0; n < times; n++) expect((await signIn(portal, username, 'wrong')).status).toBe(401)
  }

  test('the eleventh login attempt in 15 minutes is refused even with the correct password', async () => {
    await using portal = await startPortal()
    await fail(portal, 'alice@example.com', 10)
    expect(await signIn(portal, 'ALICE@example.com', PASSWORD)).toMatchObject({ status: 429, body: { code: 'throttled' } })
    expect((await signIn(portal, 'bruno@example.com', PASSWORD)).status).toBe(200)
    portal.clock.set({ at: new Date('2026-03-02T09:15:00Z') })
    expect((await signIn(portal, 'alice@example.com', PASSWORD)).status).toBe(200)
  })

  const from = (address: string, cookie = '') => ({ 'x-forwarded-for': address, ...(cookie && { cookie }) })
  const tryFrom = (portal: Portal, password: string, headers: Record<string, string>) =>
    portal.call(null, 'POST', SIGN_IN, { username: 'alice@example.com', password }, headers)

  test('failed logins from one network do not block the correct password from another, and 429 says when to retry', async () => {
    await using portal = await startPortal({ app: { trustProxy: 1 } })
    for (let n = 0; n < 10; n++) await tryFrom(portal, 'wrong', from(`203.0.113.${n}`))
    const { status, headers } = await tryFrom(portal, PASSWORD, from('203.0.113.99'))
    expect([status, headers['retry-after']]).toEqual([429, '900'])
    expect((await tryFrom(portal, PASSWORD, from('198.51.100.7'))).status).toBe(200)
  })

  test('failed logins from many networks slow down unknown browsers, but not one that the user has signed in with', async () => {
    await using portal = await startPortal({ app: { trustProxy: 1 } })
    const first = await tryFrom(portal, PASSWORD, from('198.51.100.7'))
    const cookie = [first.headers['set-cookie'] ?? []]
      .flat()
      .find((line) => line.startsWith('browserid='))!
      .split(';')[0]!
    for (let n = 0; n < 20; n++) expect((await tryFrom(portal, 'wrong', from(`10.0.${n}.1`))).status).toBe(401)
    expect((await tryFrom(portal, 'wrong', from('10.1.0.1'))).headers['retry-after']).toBe('1')
    expect((await tryFrom(portal, PASSWORD, from('198.51.100.8', cookie))).status).toBe(200)
  })

  test('the delay for unknown browsers grows to half a minute and no further', async () => {
    await using portal = await startPortal({ app: { trustProxy: 1 } })
    let seconds = 0
    const waits = []
    for (let n = 0; n < 28; n++) {
      const { status, headers } = await tryFrom(portal, 'wrong', from(`10.0.${n}.1`))
      if (status === 401) continue
      waits.push(Number(headers['retry-after']))
      seconds += waits.at(-1)!
      portal.clock.set({ at: new Date(Date.parse('2026-03-02T09:00:00Z') + seconds * 1000) })
      expect((await tryFrom(portal, 'wrong', from(`10.9.${n}.1`))).status).toBe(401)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
  })

  test('failed logins of an unknown user name are limited too', async () => {
    await using portal = await startPortal()
    await fail(portal, 'nobody@example.com', 10)
    expect((await signIn(portal, 'Nobody@example.com', 'wrong')).status).toBe(429)
  })

  test('simultaneous failed logins are counted one by one', async () => {
    await using portal = await startPortal()
    const responses = await Promise.all(Array.from({ length: 14 }, () => signIn(portal, 'alice@example.com', 'wrong')))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(4)
  })

  test('a successful login resets the count of failures', async () => {
    await using portal = await startPortal()
    await fail(portal, 'alice@example.com', 9)
    expect((await signIn(portal, 'alice@example.com', PASSWORD)).status).toBe(200)
    await fail(portal, 'alice@example.com', 9)
    expect((await signIn(portal, 'alice@example.com', PASSWORD)).status).toBe(200)
  })

  test('failed logins are not limited when credential limits are off', async () => {
    await using portal = await startPortal({ limits: { credentials: false } })
    await fail(portal, 'alice@example.com', 11)
    expect((await signIn(portal, 'alice@example.com', PASSWORD)).status).toBe(200)
  })
})

describe('the signed-in user', () => {
  test('R-7.16 R-6.3 the options show role and e-mail status of the signed-in user', async () => {
    await using portal = await startPortal()
    const rows = [
      ['chloe@example.com', { email_confirmed: false, role: 'user' }],
      ['alice@example.com', { email_confirmed: true, role: 'user' }],
      ['admin@pro.example.com', { email_confirmed: true, role: 'admin' }],
      ['member@pro.example.com', { email_confirmed: true, role: 'pro' }],
      ['support@example.com', { email_confirmed: true, role: 'deepsupport' }],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([email]) => email,
        async ([email, options]) => {
          expect(await portal.call(email, 'GET', '/options/')).toMatchObject({ status: 200, body: options })
        },
      ),
    ).toEqual([])
  })

  test('R-7.15 the user name is returned only with a token', async () => {
    await using portal = await startPortal()
    expect(await portal.call('haruka@example.com', 'GET', '/api-auth/session/login/')).toMatchObject({
      status: 200,
      body: { username: 'haruka@example.com' },
    })
    expect((await portal.call(null, 'GET', '/api-auth/session/login/')).status).toBe(401)
    expect((await portal.call(null, 'GET', '/options/')).status).toBe(401)
  })
})
