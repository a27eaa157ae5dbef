import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { NewApiToken } from '#contracts/accounts/api-tokens.ts'
import { ACCOUNT_LIMITS } from '#contracts/limits/account-limits.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { users } from '#db/schema/accounts.ts'
import { apiTokenDevices, apiTokens } from '#db/schema/security.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { API_TOKEN, SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { readStored } from '#server/test/test-database.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, ZOE] = ['alice@example.com', 'zoe@example.com']
const { rex, coldBox, cityBike, george } = SEED.devices
const NOW = '2026-03-02T09:00:00Z'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const create = (portal: Portal, more: Partial<NewApiToken> = {}, email = ALICE) =>
  portal.call(email, 'POST', '/users/tokens/', { label: 'Dashboard', scopes: ['trackers:read', 'positions:read'], ...more })
const revoke = (portal: Portal, id: string, email = ALICE) => portal.call(email, 'DELETE', `/users/tokens/${id}/`)
const read = (portal: Portal, token: string, url = '/devices/?type=tracker') => portal.call(null, 'GET', url, undefined, bearer(token))
const statusOf = async (portal: Portal, token: string) => (await read(portal, token)).status
const kindsOf = async (portal: Portal, email = ALICE) => {
  const { body } = await portal.call(email, 'GET', '/users/security_log/')
  return body.entries.map(({ kind, about }: { kind: string; about: string | null }) => [kind, about])
}

describe('creating a token', () => {
  test('the token is shown once, stored only as a hash, listed without it and written to the security log', async () => {
    await using portal = await startPortal()
    const { status, body } = await create(portal, { devices: [rex, coldBox, rex], until: '2026-04-01T00:00:00Z' })
    const { token, ...shown } = body
    expect([status, token]).toEqual([201, expect.stringMatching(/^wat_[0-9a-f]{40}$/)])
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      label: 'Dashboard',
      scopes: ['trackers:read', 'positions:read'],
      devices: [rex, coldBox].sort((a, b) => a - b),
      created_at: NOW,
      until: '2026-04-01T00:00:00Z',
      last_used_at: null,
    })
    expect((await portal.call(ALICE, 'GET', '/users/tokens/')).body).toMatchObject([shown, { label: 'Home Assistant', devices: null }])
    expect(await readStored(portal.world.db)).not.toContain(token)
    expect((await kindsOf(portal))[0]).toEqual(['token_added', 'Dashboard'])
  })

  test('a token needs a sign-in of the last ten minutes', async () => {
    await using portal = await startPortal()
    const session = await portal.token(ALICE)
    portal.clock.set({ at: new Date('2026-03-02T09:11:00Z') })
    const body = { label: 'Dashboard', scopes: ['trackers:read'] }
    const refused = await portal.call(null, 'POST', '/users/tokens/', body, bearer(session))
    expect(refused).toMatchObject({ status: 403, body: { code: 'sign_in_again' } })
  })

  test.each([
    ['a scope that does not exist', { scopes: ['billing:write' as 'places:read'] }, 'scopes.0'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an end that is over', { until: NOW }, 'until'],
    ['no tracker', { devices: [] }, 'devices'],
    ['a tracker of another account', { devices: [rex, george] }, 'devices'],
    ['some trackers and a scope about the whole account', { devices: [rex], scopes: ['trackers:read', 'places:read'] }, 'devices'],
  ] satisfies [string, Partial<NewApiToken>, string][])('a token with %s is rejected with 400', async (_, more, field) => {
    await using portal = await startPortal()
    expect(await create(portal, more)).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(Array) } } })
  })

  test('a user has at most 20 tokens, not counting expired ones', async () => {
    await using portal = await startPortal()
    const listed = ACCOUNT_LIMITS.apiTokens
    for (let n = 0; n < listed; n++) expect((await create(portal, { until: '2026-03-03T00:00:00Z' }, ZOE)).status).toBe(201)
    expect(await create(portal, {}, ZOE)).toMatchObject({ status: 409, body: { code: 'limit_reached', of: 'apiTokens', limit: 20 } })
    portal.clock.set({ at: new Date('2026-03-03T00:00:00Z') })
    expect((await create(portal, {}, ZOE)).status).toBe(201)
  })

  test('team members and support have no tokens', async () => {
    await using portal = await startPortal()
    for (const email of ['member@pro.example.com', 'support@example.com'])
      expect(await create(portal, {}, email)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  })
})

describe('using a token', () => {
  test('a token works only in the Authorization header, and its use is recorded at most once in ten minutes', async () => {
    await using portal = await startPortal()
    const cookie = { cookie: `sessionid=${API_TOKEN}` }
    expect((await portal.call(null, 'GET', '/devices/?type=tracker', undefined, cookie)).status).toBe(401)
    const usedAt = async (at: string) => {
      portal.clock.set({ at: new Date(at) })
      expect(await statusOf(portal, API_TOKEN)).toBe(200)
      return (await portal.call(ALICE, 'GET', '/users/tokens/')).body[0].last_used_at
    }
    expect(await usedAt('2026-03-02T09:02:59Z')).toBe('2026-03-02T08:53:00Z')
    expect(await usedAt('2026-03-02T09:03:00Z')).toBe('2026-03-02T09:03:00Z')
  })

  test('a rejection names the missing scope', async () => {
    await using portal = await startPortal()
    expect(await read(portal, API_TOKEN, '/tracker_places/')).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', reason: 'scope', scope: 'places:read' },
    })
    expect((await read(portal, API_TOKEN, '/users/me/')).body).toEqual({
      detail: 'permission denied',
      code: 'permission_denied',
      reason: 'scope',
    })
  })

  test('a token for some trackers lists only those, from a cache of its own', async () => {
    await using portal = await startPortal()
    const [one, other] = [await create(portal, { devices: [rex] }), await create(portal, { devices: [coldBox] })]
    const idsOf = async (token: string) => (await read(portal, token)).body.map(({ id }: Device) => id)
    const all = (await portal.call(ALICE, 'GET', '/devices/?type=tracker')).body.length
    for (const _ of [1, 2]) {
      expect(await idsOf(one.body.token)).toEqual([rex])
      expect(await idsOf(other.body.token)).toEqual([coldBox])
      expect(await idsOf(API_TOKEN)).toHaveLength(all)
    }
  })

  test('a token never returns a serial number, with which a tracker could be taken over', async () => {
    await using portal = await startPortal()
    const { token } = (await create(portal, { scopes: ['trackers:read', 'trackers:write'] })).body
    const change = await portal.call(null, 'PATCH', `/devices/${rex}/`, { name: 'Max "serial":"1"' }, bearer(token))
    const serialsOf = async (auth: string) => {
      const list = (await read(portal, auth)).body as Device[]
      const { body: one } = await read(portal, auth, `/devices/${rex}/`)
      expect(list.find(({ id }) => id === rex)).toEqual(one)
      return [list.some(({ serial }) => serial !== null), one.serial]
    }
    expect([change.status, change.body.serial]).toEqual([200, null])
    expect(await serialsOf(token)).toEqual([false, null])
    expect(await serialsOf(await portal.token(ALICE))).toEqual([true, expect.stringMatching(/^ALICE/)])
    expect(await serialsOf(token)).toEqual([false, null])
  })

  test('a token for some trackers returns the alerts and firings of those only', async () => {
    await using portal = await startPortal()
    const { token } = (await create(portal, { devices: [coldBox], scopes: ['alerts:read'] })).body
    const alerts = (await read(portal, token, '/tracker_alerts/')).body as { devices: number[] }[]
    expect(alerts.flatMap(({ devices }) => devices).filter((id) => id !== coldBox)).toEqual([])
    expect((await portal.call(ALICE, 'GET', '/tracker_alerts/')).body.length).toBeGreaterThan(alerts.length)
    const firings = (await read(portal, token, '/alert_firings/')).body
    expect(JSON.stringify(firings)).not.toContain(`"device":${rex}`)
  })

  test('a token whose trackers are all removed gives access to none, and not to all', async () => {
    await using portal = await startPortal()
    const { token, id } = (await create(portal, { devices: [cityBike] })).body
    expect((await portal.call(ALICE, 'DELETE', `/devices/${cityBike}/`)).status).toBe(200)
    expect((await read(portal, token)).body).toEqual([])
    const listed = (await portal.call(ALICE, 'GET', '/users/tokens/')).body
    expect(listed.find((each: { id: string }) => each.id === id).devices).toEqual([])
  })

  test('a token has a limit of its own for its requests', async () => {
    await using portal = await startPortal({ app: { rateLimits: true } })
    for (let n = 0; n < 600; n++) expect(await statusOf(portal, API_TOKEN)).toBe(200)
    const refused = await read(portal, API_TOKEN)
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect(await statusOf(portal, (await create(portal)).body.token)).toBe(200)
  })
})

describe('the end of a token', () => {
  test('a revoked token is rejected with 401, and only its owner can revoke it', async () => {
    await using portal = await startPortal()
    const { token, id } = (await create(portal)).body
    expect(await revoke(portal, id, ZOE)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await statusOf(portal, token)).toBe(200)
    expect((await revoke(portal, id)).status).toBe(200)
    expect([await statusOf(portal, token), await statusOf(portal, API_TOKEN), (await revoke(portal, id)).status]).toEqual([401, 200, 404])
    expect((await kindsOf(portal))[0]).toEqual(['token_removed', 'Dashboard'])
  })

  test('an expired token is rejected with 401 from the instant of its end, is no longer listed, and is deleted', async () => {
    await using portal = await startPortal()
    const { token } = (await create(portal, { until: '2026-03-02T09:30:00Z', devices: [rex] })).body
    portal.clock.set({ at: new Date('2026-03-02T09:29:59Z') })
    expect(await statusOf(portal, token)).toBe(200)
    portal.clock.set({ at: new Date('2026-03-02T09:30:00Z') })
    expect(await statusOf(portal, token)).toBe(401)
    expect((await portal.call(ALICE, 'GET', '/users/tokens/')).body).toHaveLength(1)
    await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT30M' })
    const { read } = portal.world.db
    expect([await read.$count(apiTokens), await read.$count(apiTokenDevices)]).toEqual([1, 0])
  })

  test('a changed password ends all tokens of the user, and no one else’s', async () => {
    await using portal = await startPortal()
    const { token } = (await create(portal, {}, ZOE)).body
    const passwords = { old_password: 'Demo-1234', new_password: 'correct horse battery' }
    expect((await portal.call(ZOE, 'POST', '/users/change_password/', passwords)).status).toBe(200)
    expect([await statusOf(portal, token), await statusOf(portal, API_TOKEN)]).toEqual([401, 200])
  })

  test('a password that is reset by mail ends all tokens', async () => {
    await using portal = await startPortal()
    const { token } = (await create(portal, {}, ZOE)).body
    const reset = { key: SEED_KEYS.resetValid, new_password: 'correct horse battery' }
    expect((await portal.call(null, 'POST', '/users/password_reset/confirm/', reset)).status).toBe(200)
    expect(await statusOf(portal, token)).toBe(401)
  })

  test('a changed e-mail ends all tokens', async () => {
    await using portal = await startPortal()
    const { token } = (await create(portal, {}, 'george@example.com')).body
    expect((await portal.call(null, 'POST', '/users/change_email/confirm/', { key: SEED_KEYS.changeValid })).status).toBe(200)
    expect(await statusOf(portal, token)).toBe(401)
  })

  test('a user whose role changes has no tokens', async () => {
    await using portal = await startPortal()
    await portal.world.db.write('everything', (tx) => tx.update(users).set({ role: 'pro' }).where(eq(users.email, ALICE)))
    expect(await statusOf(portal, API_TOKEN)).toBe(401)
  })

  test('the live stream of a token shows only its trackers, and ends when the token is revoked', async () => {
    await using portal = await startPortal()
    const { token, id } = (await create(portal, { devices: [coldBox] })).body
    const answer = await portal.app.inject({ url: '/devices/live/', headers: bearer(token), payloadAsStream: true })
    const chunks = answer.stream()[Symbol.asyncIterator]()
    await chunks.next()
    const { accountId } = (await portal.world.db.read.select().from(users).where(eq(users.email, ALICE)))[0]!
    await portal.world.db.write([`account:${accountId}`], async (tx) => {
      for (const id of [rex, coldBox])
        await appendLiveEvent(tx, { device: { id, accountId }, type: 'status', body: {} as never, at: new Date(NOW) })
    })
    const text = String((await chunks.next()).value)
    expect([text.includes(`"device":${coldBox}`), text.includes(`"device":${rex}}`)]).toEqual([true, false])
    const next = chunks.next()
    await revoke(portal, id)
    expect((await next).done).toBe(true)
  })

  test('tokens are erased with the account', async () => {
    await using portal = await startPortal()
    await create(portal, {}, ZOE)
    const before = await portal.world.db.read.$count(apiTokens)
    expect((await portal.call(ZOE, 'DELETE', '/users/me/?profile=all')).status).toBe(200)
    expect(await portal.world.db.read.$count(apiTokens)).toBe(before - 1)
  })
})
