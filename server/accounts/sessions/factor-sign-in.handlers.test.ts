import { describe, expect, test } from 'vitest'
import { SEED_FACTOR } from '#server/mock/seed/records/second-factor.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { seededAuthenticator } from '#server/test/test-authenticator.ts'
import { keyMailedTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [OWNER, PASSWORD] = ['newcomer@pro.example.com', 'Demo-1234']
const [FIRST_CODE, SECOND_CODE] = SEED_FACTOR.recoveryCodes as [string, string]

const signIn = (portal: Portal, password = PASSWORD) =>
  portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: OWNER, password })
const challengeOf = async (portal: Portal): Promise<string> => (await signIn(portal)).body.challenge
const complete = (portal: Portal, body: object) => portal.call(null, 'POST', '/api/v1/auth/second_factor/', body)
const codeNow = async (portal: Portal): Promise<string> => (await portal.call(null, 'GET', `/mock/second_factor/${OWNER}`)).body.code
const wait = (portal: Portal, seconds: number) => portal.clock.set({ at: new Date(portal.clock.now().getTime() + seconds * 1000) })

describe('signing in with a second factor', () => {
  test('the password alone is rejected with 401 and a challenge of five minutes, without a session', async () => {
    await using portal = await startPortal()
    const { status, body, headers } = await signIn(portal)
    expect([status, body]).toEqual([
      401,
      {
        detail: 'second factor',
        code: 'second_factor',
        challenge: expect.stringMatching(/^[0-9a-f]{40}$/),
        expires_at: '2026-03-02T09:05:00.000Z',
        methods: ['code', 'recovery_code', 'passkey'],
        passkey: expect.objectContaining({ rpId: 'portal.test', allowCredentials: [expect.objectContaining({ type: 'public-key' })] }),
      },
    ])
    expect(headers['set-cookie']).toBeUndefined()
    expect((await signIn(portal, 'wrong')).body).toEqual({ detail: 'invalid credentials', code: 'invalid_credentials' })
  })

  test('a code of the app completes the sign-in with the same response as the password alone', async () => {
    await using portal = await startPortal()
    const { status, body, headers } = await complete(portal, { challenge: await challengeOf(portal), code: await codeNow(portal) })
    expect([status, body]).toMatchObject([200, { user: { email: OWNER }, token: expect.stringMatching(/^[0-9a-f]{40}$/) }])
    expect(String(headers['set-cookie'])).toContain(`sessionid=${body.token}`)
    expect((await portal.call(null, 'GET', '/users/me/', undefined, { authorization: `Bearer ${body.token}` })).status).toBe(200)
  })

  test('a code works once, and afterwards no older code works', async () => {
    await using portal = await startPortal()
    const first = await codeNow(portal)
    expect((await complete(portal, { challenge: await challengeOf(portal), code: first })).status).toBe(200)
    expect(await complete(portal, { challenge: await challengeOf(portal), code: first })).toMatchObject({
      status: 400,
      body: { code: 'invalid_code', remaining_attempts: 4 },
    })
    wait(portal, 30)
    const second = await codeNow(portal)
    wait(portal, 30)
    expect((await complete(portal, { challenge: await challengeOf(portal), code: await codeNow(portal) })).status).toBe(200)
    expect((await complete(portal, { challenge: await challengeOf(portal), code: second })).status).toBe(400)
  })

  test('of two simultaneous sign-ins with the same code only one succeeds', async () => {
    await using portal = await startPortal()
    const [one, other, code] = [await challengeOf(portal), await challengeOf(portal), await codeNow(portal)]
    const responses = await Promise.all([one, other].map((challenge) => complete(portal, { challenge, code })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('each recovery code works once, in any case and without hyphens', async () => {
    await using portal = await startPortal()
    const typed = FIRST_CODE.toLowerCase().replaceAll('-', ' ').replace('0', 'o')
    expect((await complete(portal, { challenge: await challengeOf(portal), recovery_code: typed })).status).toBe(200)
    expect((await complete(portal, { challenge: await challengeOf(portal), recovery_code: FIRST_CODE })).body.code).toBe('invalid_code')
    expect((await complete(portal, { challenge: await challengeOf(portal), recovery_code: SECOND_CODE })).status).toBe(200)
  })

  test('a challenge allows five attempts, is valid for five minutes and works once', async () => {
    await using portal = await startPortal()
    const challenge = await challengeOf(portal)
    for (const left of [4, 3, 2, 1, 0])
      expect((await complete(portal, { challenge, code: '000000' })).body).toMatchObject({ code: 'invalid_code', remaining_attempts: left })
    const code = await codeNow(portal)
    expect(await complete(portal, { challenge, code })).toMatchObject({ status: 410, body: { code: 'expired' } })

    const late = await challengeOf(portal)
    wait(portal, 300)
    expect((await complete(portal, { challenge: late, code: await codeNow(portal) })).status).toBe(410)

    const used = await challengeOf(portal)
    expect((await complete(portal, { challenge: used, code: await codeNow(portal) })).status).toBe(200)
    expect((await complete(portal, { challenge: used, recovery_code: FIRST_CODE })).status).toBe(410)
    expect((await complete(portal, { challenge: 'unknown', recovery_code: FIRST_CODE })).status).toBe(410)
  })

  test('the eleventh wrong code of a user in 15 minutes is refused over all challenges, and other users are not affected', async () => {
    await using portal = await startPortal()
    for (let n = 0; n < 10; n++)
      expect((await complete(portal, { challenge: await challengeOf(portal), code: '000000' })).body.code).toBe('invalid_code')
    expect(await complete(portal, { challenge: await challengeOf(portal), code: await codeNow(portal) })).toMatchObject({ status: 429 })
    expect(
      (await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: 'alice@example.com', password: PASSWORD })).status,
    ).toBe(200)
    wait(portal, 900)
    expect((await complete(portal, { challenge: await challengeOf(portal), code: await codeNow(portal) })).status).toBe(200)
  })

  test('a completed sign-in names exactly one factor', async () => {
    await using portal = await startPortal()
    const challenge = await challengeOf(portal)
    for (const proofs of [{}, { code: '000000', recovery_code: FIRST_CODE }])
      expect(await complete(portal, { challenge, ...proofs })).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  })

  test('a new password by mail does not replace the second factor', async () => {
    await using portal = await startPortal()
    await portal.call(null, 'POST', '/users/password_reset/', { email: OWNER })
    const key = await keyMailedTo(portal.world, OWNER, 'password_reset')
    expect((await portal.call(null, 'POST', '/users/password_reset/confirm/', { key, new_password: 'Other-5678' })).status).toBe(200)
    expect(await signIn(portal, 'Other-5678')).toMatchObject({ status: 401, body: { code: 'second_factor' } })
  })
})

describe('signing in with a passkey', () => {
  const start = async (portal: Portal) => (await portal.call(null, 'POST', '/api/v1/auth/passkey/options/')).body
  const finish = (portal: Portal, challenge: string, passkey: object) =>
    portal.call(null, 'POST', '/api/v1/auth/passkey/', { challenge, passkey })
  const { assert } = seededAuthenticator

  test('a passkey signs in without a user name or a password, once for each challenge', async () => {
    await using portal = await startPortal()
    const { challenge, options } = await start(portal)
    expect(options).toMatchObject({ rpId: 'portal.test', userVerification: 'required' })
    const response = assert({ signs: options.challenge })
    expect(await finish(portal, challenge, response)).toMatchObject({ status: 200, body: { user: { email: OWNER } } })
    expect(await finish(portal, challenge, response)).toMatchObject({ status: 410, body: { code: 'expired' } })
  })

  test('a passkey completes the sign-in of its user as the second factor', async () => {
    await using portal = await startPortal()
    const { challenge, passkey } = (await signIn(portal)).body
    expect((await complete(portal, { challenge, passkey: assert({ signs: passkey.challenge }) })).status).toBe(200)
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another challenge', { signs: 'b3RoZXI' }],
    ['no verification of its user', { flags: 0x01 }],
  ])('a response with %s is refused and uses the challenge up', async (_, change) => {
    await using portal = await startPortal()
    const { challenge, options } = await start(portal)
    expect((await finish(portal, challenge, assert({ signs: options.challenge, ...change }))).body.code).toBe('invalid_code')
    expect((await finish(portal, challenge, assert({ signs: options.challenge }))).body.code).toBe('expired')
  })

  test('a passkey whose counter does not grow is refused, because it may be a copy', async () => {
    await using portal = await startPortal()
    const use = async (counter: number) => {
      const { challenge, options } = await start(portal)
      return (await finish(portal, challenge, assert({ signs: options.challenge, counter }))).status
    }
    const counters = [0, 0, 7, 7, 0, 8, 4_000_000_000]
    const statuses: number[] = []
    for (const counter of counters) statuses.push(await use(counter))
    expect(statuses).toEqual([200, 200, 200, 400, 400, 200, 200])
  })

  test('a challenge of a sign-in expires, and an unknown passkey or a challenge of another kind is refused', async () => {
    await using portal = await startPortal()
    const { challenge, options } = await start(portal)
    const unknown = { ...assert({ signs: options.challenge }), id: 'dW5rbm93bg', rawId: 'dW5rbm93bg' }
    expect((await finish(portal, challenge, unknown)).status).toBe(400)
    const second = (await signIn(portal)).body
    expect((await finish(portal, second.challenge, assert({ signs: second.passkey.challenge }))).status).toBe(410)
    const late = await start(portal)
    wait(portal, 300)
    expect((await finish(portal, late.challenge, assert({ signs: late.options.challenge }))).status).toBe(410)
  })
})
