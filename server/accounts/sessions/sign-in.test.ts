import { describe, expect, test } from 'vitest'
import { codeOfStep, stepAt } from '#server/accounts/factors/codes.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { SEED_FACTOR } from '#server/mock/seed/records/second-factor.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { keyMailedTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const SIGN_IN = '/api/v1/auth/web_get_token/'
const ALICE = 'alice@example.com'
/** The seed gives her an app, a passkey and recovery codes. */
const GUARDED = 'newcomer@pro.example.com'
const startBehindProxy = () => startPortal({ app: { trustProxy: 1 } })
const from = (address: string, cookie = '') => ({ 'x-forwarded-for': address, ...(cookie && { cookie }) })
const signIn = (portal: Portal, password: string, headers: Record<string, string>, username = ALICE) =>
  portal.call(null, 'POST', SIGN_IN, { username, password }, headers)
const browserOf = ({ headers }: Awaited<ReturnType<typeof signIn>>) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .find((line) => line.startsWith('browserid='))
    ?.split(';')[0] ?? ''
const wait = (portal: Portal, ms: number) => portal.clock.set({ at: new Date(portal.clock.now().getTime() + ms) })

/** Sends wrong passwords from 80 networks. */
async function attack(portal: Portal, rounds = 1) {
  const statuses = new Set<number>()
  for (let round = 0; round < rounds; round++)
    for (let n = 0; n < 80; n++) statuses.add((await signIn(portal, 'wrong', from(`10.${round}.${n}.1`))).status)
  return statuses
}

describe('the right password', () => {
  test('the correct password opens the account from a new browser each time, while attackers guess from 80 networks', async () => {
    await using portal = await startBehindProxy()
    const statuses = []
    for (let n = 0; n < 10; n++) {
      expect(await attack(portal)).toEqual(new Set([401, 429]))
      statuses.push((await signIn(portal, DEMO_PASSWORD, from(`198.51.${n}.7`))).status)
      wait(portal, 1000)
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
  })

  test('the correct password opens the account after typing errors under attack, which are rejected with the time to wait', async () => {
    await using portal = await startBehindProxy()
    await attack(portal)
    for (let n = 0; n < 4; n++) {
      const { status, headers } = await signIn(portal, 'mistyped', from('198.51.100.7'))
      expect([status, Number(headers['retry-after']) <= 30]).toEqual([429, true])
    }
    expect((await signIn(portal, DEMO_PASSWORD, from('198.51.100.7'))).status).toBe(200)
  })

  test('no network with more than five attempts an hour finds the password of an account under attack', async () => {
    await using portal = await startBehindProxy()
    await attack(portal)
    for (let n = 0; n < 5; n++) await signIn(portal, 'wrong', from('203.0.113.7'))
    expect((await signIn(portal, DEMO_PASSWORD, from('203.0.113.7'))).status).toBe(429)
    expect((await signIn(portal, DEMO_PASSWORD, from('198.51.100.7'))).status).toBe(200)
  })

  test('the correct password confirms a session from a network whose wrong passwords are used up', async () => {
    await using portal = await startBehindProxy()
    const thief = from('203.0.113.7')
    const { token } = (await signIn(portal, DEMO_PASSWORD, thief)).body
    for (let n = 0; n < 10; n++) await signIn(portal, 'wrong', thief)
    expect((await signIn(portal, DEMO_PASSWORD, thief)).status).toBe(429)
    const headers = { authorization: `Bearer ${token}`, ...thief }
    expect((await portal.call(null, 'POST', '/users/sessions/confirm/', { password: DEMO_PASSWORD }, headers)).status).toBe(200)
  })

  test('the new password opens the account at once after a reset by mail, even from the network of an attacker who keeps guessing', async () => {
    await using portal = await startBehindProxy()
    const shared = from('203.0.113.7')
    for (let n = 0; n < 11; n++) await signIn(portal, 'wrong', shared)
    expect((await signIn(portal, DEMO_PASSWORD, shared)).status).toBe(429)
    await portal.call(null, 'POST', '/users/password_reset/', { email: ALICE }, shared)
    const reset = { key: await keyMailedTo(portal.world, ALICE, 'password_reset'), new_password: 'kiwi tea at noon' }
    const answer = await portal.call(null, 'POST', '/users/password_reset/confirm/', reset, shared)
    expect((await signIn(portal, reset.new_password, shared)).status).toBe(200)
    for (let n = 0; n < 11; n++) await signIn(portal, 'wrong', shared)
    expect((await signIn(portal, reset.new_password, shared)).status).toBe(429)
    expect((await signIn(portal, reset.new_password, from('203.0.113.9', browserOf(answer)))).status).toBe(200)
  })
})

describe('the right second factor', () => {
  const startChallenge = async (portal: Portal, headers: Record<string, string>) =>
    (await signIn(portal, DEMO_PASSWORD, headers, GUARDED)).body.challenge as string
  const complete = (portal: Portal, proof: object, headers: Record<string, string>) =>
    portal.call(null, 'POST', '/api/v1/auth/second_factor/', proof, headers)
  const rightCode = (portal: Portal) => codeOfStep(SEED_FACTOR.secret, stepAt(portal.clock.now()))

  /** An intruder who knows the password uses up all wrong codes of unknown callers. */
  async function guessCodes(portal: Portal) {
    for (let n = 0; n < 11; n++) {
      const thief = from(`10.0.${n}.1`)
      await complete(portal, { challenge: await startChallenge(portal, thief), code: '000000' }, thief)
    }
  }

  test('while an attacker who knows the password guesses codes, the user signs in from a known browser, and with a recovery code from a new one', async () => {
    await using portal = await startBehindProxy()
    const home = from('198.51.100.7')
    const first = await complete(portal, { challenge: await startChallenge(portal, home), code: rightCode(portal) }, home)
    expect(first.status).toBe(200)
    wait(portal, 60_000)
    await guessCodes(portal)
    const fresh = from('198.51.100.8')
    const known = from('198.51.100.9', browserOf(first))
    const session = { authorization: `Bearer ${first.body.token}`, ...fresh }
    expect((await complete(portal, { challenge: await startChallenge(portal, fresh), code: rightCode(portal) }, fresh)).status).toBe(429)
    expect((await complete(portal, { challenge: await startChallenge(portal, known), code: rightCode(portal) }, known)).status).toBe(200)
    wait(portal, 60_000)
    expect((await portal.call(null, 'POST', '/users/sessions/confirm/', { code: rightCode(portal) }, session)).status).toBe(200)
    const recovery = { challenge: await startChallenge(portal, fresh), recovery_code: SEED_FACTOR.recoveryCodes[0] }
    expect((await complete(portal, recovery, fresh)).status).toBe(200)
  })

  test('after a reset by mail the user signs in at once, and sign-ins that wait for their second factor end', async () => {
    await using portal = await startBehindProxy()
    const thief = from('10.9.0.1')
    await guessCodes(portal)
    const waiting = await startChallenge(portal, thief)
    await portal.call(null, 'POST', '/users/password_reset/', { email: GUARDED })
    const reset = { key: await keyMailedTo(portal.world, GUARDED, 'password_reset'), new_password: 'kiwi tea at noon' }
    const answer = await portal.call(null, 'POST', '/users/password_reset/confirm/', reset)
    expect([answer.status, browserOf(answer)]).toEqual([200, ''])
    expect((await complete(portal, { challenge: waiting, code: rightCode(portal) }, thief)).status).toBe(410)
    const { challenge } = (await signIn(portal, reset.new_password, from('198.51.100.7'), GUARDED)).body
    expect((await complete(portal, { challenge, code: rightCode(portal) }, from('198.51.100.7'))).status).toBe(200)
  })
})
