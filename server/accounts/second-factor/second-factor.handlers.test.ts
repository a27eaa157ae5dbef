import { describe, expect, test } from 'vitest'
import { totpSecrets } from '#db/schema/factors.ts'
import { codeOfStep, stepAt } from '#server/accounts/factors/codes.ts'
import { SEED_FACTOR } from '#server/mock/seed/records/second-factor.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { createAuthenticator, seededAuthenticator } from '#server/test/test-authenticator.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, OWNER, PASSWORD] = ['alice@example.com', 'newcomer@pro.example.com', 'Demo-1234']
const [FIRST_CODE, SECOND_CODE] = SEED_FACTOR.recoveryCodes as [string, string]
const NOTHING = { totp: false, passkeys: [], recovery_codes_left: 0, required: false, may_add: true }

const read = async (portal: Portal, email = ALICE) => (await portal.call(email, 'GET', '/users/second_factor/')).body
const startTotp = (portal: Portal, headers?: Record<string, string>) =>
  portal.call(headers ? null : ALICE, 'POST', '/users/second_factor/totp/', undefined, headers)
const confirm = (portal: Portal, code: string) => portal.call(ALICE, 'POST', '/users/second_factor/totp/confirm/', { code })
const codeOf = async (portal: Portal, email: string): Promise<string> =>
  (await portal.call(null, 'GET', `/mock/second_factor/${email}`)).body.code
const wait = (portal: Portal, minutes: number) => portal.clock.set({ at: new Date(portal.clock.now().getTime() + minutes * 60_000) })
const bearer = async (portal: Portal, email = ALICE) => ({ authorization: `Bearer ${await portal.token(email)}` })

describe('turning codes of an app on', () => {
  test('a secret becomes active with a first code, which returns ten recovery codes', async () => {
    await using portal = await startPortal()
    expect(await read(portal)).toEqual(NOTHING)
    const { status, body } = await startTotp(portal)
    expect([status, body]).toEqual([
      200,
      {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: `otpauth://totp/Whereabouts:alice%40example.com?issuer=Whereabouts&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
      },
    ])
    expect(await read(portal)).toEqual(NOTHING)
    expect(await confirm(portal, '000000')).toMatchObject({ status: 400, body: { code: 'invalid_code' } })
    const confirmed = await confirm(portal, await codeOf(portal, ALICE))
    const codes: string[] = confirmed.body.recovery_codes
    expect([confirmed.status, new Set(codes).size]).toEqual([200, 10])
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(await read(portal)).toEqual({ ...NOTHING, totp: true, recovery_codes_left: 10 })
  })

  test('the secret is stored encrypted', async () => {
    await using portal = await startPortal()
    const { secret } = (await startTotp(portal)).body
    const rows = await portal.world.db.read.select().from(totpSecrets)
    expect(rows.map((row) => row.secret).join()).not.toContain(secret)
    expect(JSON.stringify(rows)).not.toContain(SEED_FACTOR.secret)
  })

  test('a new start replaces a pending secret, and a pending secret expires after ten minutes', async () => {
    await using portal = await startPortal()
    await startTotp(portal)
    const old = await codeOf(portal, ALICE)
    await startTotp(portal)
    expect((await confirm(portal, old)).body.code).toBe('invalid_code')
    wait(portal, 10)
    expect(await confirm(portal, await codeOf(portal, ALICE))).toMatchObject({ status: 410, body: { code: 'expired' } })
  })

  test('a second secret is rejected while one is active', async () => {
    await using portal = await startPortal()
    expect(await portal.call(OWNER, 'POST', '/users/second_factor/totp/')).toMatchObject({ status: 409, body: { code: 'already_active' } })
  })

  test('a factor can be added for ten minutes after the sign-in', async () => {
    await using portal = await startPortal()
    const session = await bearer(portal)
    wait(portal, 9)
    expect((await startTotp(portal, session)).status).toBe(200)
    wait(portal, 1)
    expect(await startTotp(portal, session)).toMatchObject({ status: 403, body: { code: 'sign_in_again' } })
    expect(await portal.call(null, 'POST', '/users/passkeys/options/', undefined, session)).toMatchObject({
      status: 403,
      body: { code: 'sign_in_again' },
    })
    expect((await portal.call(null, 'GET', '/users/second_factor/', undefined, session)).body.may_add).toBe(false)
  })
})

describe('turning a factor off', () => {
  const off = (portal: Portal, body: object) =>
    portal.call(OWNER, 'POST', '/users/second_factor/totp/off/', { password: PASSWORD, ...body })

  test('codes of an app are turned off with the password and a factor', async () => {
    await using portal = await startPortal()
    expect(await off(portal, { password: 'wrong', recovery_code: FIRST_CODE })).toMatchObject({
      status: 400,
      body: { code: 'invalid_password' },
    })
    expect(await off(portal, { code: '000000' })).toMatchObject({ status: 400, body: { code: 'invalid_code' } })
    expect((await off(portal, {})).body.code).toBe('validation_error')
    expect((await read(portal, OWNER)).totp).toBe(true)
    expect(await off(portal, { code: await codeOf(portal, OWNER) })).toMatchObject({
      status: 200,
      body: { totp: false, recovery_codes_left: 10 },
    })
  })

  test('without any factor the recovery codes are removed and the password alone signs in', async () => {
    await using portal = await startPortal()
    await off(portal, { recovery_code: FIRST_CODE })
    const removed = await portal.call(OWNER, 'POST', `/users/passkeys/${SEED_FACTOR.passkey}/off/`, {
      password: PASSWORD,
      recovery_code: SECOND_CODE,
    })
    expect(removed).toMatchObject({ status: 200, body: NOTHING })
    expect((await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: OWNER, password: PASSWORD })).status).toBe(200)
  })

  test('new recovery codes replace the old ones', async () => {
    await using portal = await startPortal()
    const renew = (recovery_code: string) =>
      portal.call(OWNER, 'POST', '/users/second_factor/recovery_codes/', { password: PASSWORD, recovery_code })
    const { status, body } = await renew(FIRST_CODE)
    expect([status, body.recovery_codes.length]).toEqual([200, 10])
    expect((await renew(SECOND_CODE)).body.code).toBe('invalid_code')
    expect((await renew(body.recovery_codes[0])).status).toBe(200)
    const wrong = { password: 'wrong', recovery_code: FIRST_CODE }
    expect((await portal.call(OWNER, 'POST', '/users/second_factor/recovery_codes/', wrong)).body.code).toBe('invalid_password')
  })

  test('after ten wrong codes a signed-in user is throttled, while a recovery code is still accepted', async () => {
    await using portal = await startPortal()
    for (let n = 0; n < 10; n++) expect((await off(portal, { code: '000000' })).body.code).toBe('invalid_code')
    const right = codeOfStep(SEED_FACTOR.secret, stepAt(portal.clock.now()))
    expect(await off(portal, { code: right })).toMatchObject({ status: 429, body: { code: 'throttled' } })
    expect((await off(portal, { recovery_code: FIRST_CODE })).status).toBe(200)
  })

  test('a passkey proves the change only with a challenge of its user', async () => {
    await using portal = await startPortal()
    const { challenge, passkey } = (await portal.call(OWNER, 'POST', '/users/second_factor/challenge/')).body
    const response = seededAuthenticator.assert({ signs: passkey.challenge })
    expect((await off(portal, { passkey: response })).body.code).toBe('invalid_code')
    const foreign = (await portal.call(ALICE, 'POST', '/users/second_factor/challenge/')).body
    expect(foreign).toMatchObject({ methods: [], passkey: null })
    expect((await off(portal, { challenge: foreign.challenge, passkey: response })).body.code).toBe('invalid_code')
    expect((await off(portal, { challenge, passkey: response })).status).toBe(200)
  })
})

describe('passkeys', () => {
  const phone = createAuthenticator(3, 'cGhvbmU')
  const options = async (portal: Portal) => (await portal.call(ALICE, 'POST', '/users/passkeys/options/')).body
  const create = (portal: Portal, challenge: string, passkey: object, email = ALICE) =>
    portal.call(email, 'POST', '/users/passkeys/', { challenge, name: ' Phone ', passkey })
  const add = async (portal: Portal, authenticator = phone) => {
    const { challenge, options: wanted } = await options(portal)
    return create(portal, challenge, authenticator.attest({ signs: wanted.challenge }))
  }

  test('a new passkey is listed, and as the first factor comes with recovery codes', async () => {
    await using portal = await startPortal()
    const { options: wanted } = await options(portal)
    expect(wanted).toMatchObject({
      rp: { id: 'portal.test', name: 'Whereabouts' },
      user: { name: ALICE, displayName: 'Alice Almeida' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    const first = await add(portal)
    expect([first.status, first.body]).toMatchObject([201, { passkey: { name: 'Phone', last_used_at: null } }])
    expect(first.body.recovery_codes).toHaveLength(10)
    const second = await add(portal, createAuthenticator(4, 'a2V5'))
    expect([second.status, second.body.recovery_codes]).toEqual([201, null])
    expect((await read(portal)).passkeys.map(({ name }: { name: string }) => name)).toEqual(['Phone', 'Phone'])
    expect((await options(portal)).options.excludeCredentials).toHaveLength(2)
    expect((await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: ALICE, password: PASSWORD })).body).toMatchObject({
      code: 'second_factor',
      methods: ['recovery_code', 'passkey'],
    })
  })

  test('a passkey is saved only for an open challenge of its user, with a correct response, once', async () => {
    await using portal = await startPortal()
    const { challenge, options: wanted } = await options(portal)
    const good = phone.attest({ signs: wanted.challenge })
    expect((await create(portal, challenge, good, 'bruno@example.com')).body.code).toBe('expired')
    expect((await create(portal, challenge, phone.attest({ signs: 'b3RoZXI' }))).body.code).toBe('invalid_code')
    expect((await create(portal, challenge, good)).status).toBe(201)
    expect(await create(portal, challenge, good)).toMatchObject({ status: 410, body: { code: 'expired' } })
    expect((await add(portal)).body.code).toBe('invalid_code')
  })

  test('only its user can rename and remove a passkey', async () => {
    await using portal = await startPortal()
    const url = `/users/passkeys/${SEED_FACTOR.passkey}/`
    expect(await portal.call(OWNER, 'PATCH', url, { name: 'Work laptop' })).toMatchObject({ status: 200, body: { name: 'Work laptop' } })
    expect((await portal.call(OWNER, 'PATCH', url, { name: ' ' })).body.code).toBe('validation_error')
    expect((await portal.call(ALICE, 'PATCH', url, { name: 'Mine' })).status).toBe(404)
    const proven = { password: PASSWORD, recovery_code: FIRST_CODE }
    expect((await portal.call(ALICE, 'POST', `${url}off/`, proven)).status).toBe(404)
    expect((await portal.call(OWNER, 'POST', `${url}off/`, { ...proven, password: 'wrong' })).body.code).toBe('invalid_password')
    expect((await portal.call(OWNER, 'POST', `${url}off/`, { ...proven, recovery_code: 'wrong' })).body.code).toBe('invalid_code')
    expect((await portal.call(OWNER, 'POST', `${url}off/`, proven)).body.passkeys).toEqual([])
  })
})

describe('a second factor that is required', () => {
  const [ADMIN, SUPPORT] = ['admin@pro.example.com', 'support@example.com']

  test('support and administrators can use only their own profile until they have a second factor', async () => {
    await using portal = await startPortal({ secondFactor: { isRequired: true } })
    for (const email of [ADMIN, SUPPORT]) {
      expect(await portal.call(email, 'GET', '/devices/?type=tracker')).toMatchObject({
        status: 403,
        body: { code: 'permission_denied', reason: 'second_factor' },
      })
      expect((await portal.call(email, 'GET', '/users/me/')).status).toBe(200)
      expect(await read(portal, email)).toEqual({ ...NOTHING, required: true })
    }
    for (const email of [ALICE, 'member@pro.example.com'])
      expect((await portal.call(email, 'GET', '/devices/?type=tracker')).status).toBe(200)
  })

  test('an administrator with a second factor can use everything again', async () => {
    await using portal = await startPortal({ secondFactor: { isRequired: true } })
    await portal.call(ADMIN, 'POST', '/users/second_factor/totp/')
    const code = await codeOf(portal, ADMIN)
    expect((await portal.call(ADMIN, 'POST', '/users/second_factor/totp/confirm/', { code })).status).toBe(200)
    expect((await portal.call(ADMIN, 'GET', '/devices/?type=tracker')).status).toBe(200)
  })
})

describe('the app of the mock server', () => {
  test('while the clock is frozen, two codes are available, and none for an unknown user or one without a secret', async () => {
    await using portal = await startPortal({ scenario: 'second_factor' })
    const body = { username: ALICE, password: PASSWORD }
    const signIn = async () => {
      const { challenge } = (await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', body)).body
      const code = await codeOf(portal, ALICE)
      return (await portal.call(null, 'POST', '/api/v1/auth/second_factor/', { challenge, code })).status
    }
    expect(await codeOf(portal, ALICE)).toBe(codeOfStep(SEED_FACTOR.secret, stepAt(portal.clock.now())))
    expect([await signIn(), await signIn(), await signIn()]).toEqual([200, 200, 400])
    expect((await portal.call(null, 'GET', `/mock/second_factor/${ALICE}`)).body.is_used).toBe(true)
    expect((await portal.call(null, 'GET', '/mock/second_factor/nobody@example.com')).status).toBe(404)
  })
})
