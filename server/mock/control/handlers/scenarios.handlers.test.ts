import { expect, test } from 'vitest'
import { SCOPES, TRACKER_SCOPES } from '#contracts/lib/scopes.ts'
import { SCENARIO_KEYS } from '#contracts/mock/scenarios.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

test('the scenarios are listed with their purpose', async () => {
  await using portal = await startPortal()
  const { body } = await portal.call(null, 'GET', '/mock/scenarios')
  expect(body.map(({ key }: { key: string }) => key)).toEqual(SCENARIO_KEYS)
  for (const { title, covers, routes, personas } of body) {
    expect(title.length).toBeGreaterThan(20)
    for (const list of [covers, routes, personas]) expect(list.length).toBeGreaterThan(0)
  }
})

test("the personas are those of the world's scenario", async () => {
  await using portal = await startPortal({ scenario: 'pro' })
  const { body } = await portal.call(null, 'GET', '/mock/personas')
  expect(body.map(({ key, role }: { key: string; role: string }) => [key, role])).toEqual([
    ['admin', 'admin'],
    ['member', 'pro'],
    ['support', 'deepsupport'],
  ])
})

test('a persona signs in without the form, even after a change of e-mail', async () => {
  await using portal = await startPortal()
  portal.world.db.raw.exec("update users set email = 'new@example.org' where email = 'haruka@example.com'")
  const { body } = await portal.call(null, 'POST', '/mock/login', { persona: 'haruka' })
  expect(body).toMatchObject({ user: { email: 'new@example.org', language: 'ja' }, storage: { token: body.token, language: 'ja' } })
  const headers = { authorization: `Bearer ${body.token}` }
  expect((await portal.call(null, 'GET', '/options/', undefined, headers)).status).toBe(200)
})

test('the address that opens the portal signed in has a code instead of the token, even in a world whose clock runs fast', async () => {
  await using portal = await startPortal()
  await portal.call(null, 'POST', '/mock/clock', { rate: 3600 })
  const { body } = await portal.call(null, 'POST', '/mock/login', { persona: 'alice' })
  expect(body.url).toMatch(/^http:\/\/portal\.test\/\?hand_off=hand_[0-9a-f]{40}$/)
  portal.clock.set({ at: new Date('2026-03-02T13:59:59Z') })
  const redeemed = await portal.call(null, 'POST', '/api/v1/auth/hand_off/redeem/', { hand_off: body.url.split('=')[1] })
  expect(redeemed).toMatchObject({ status: 200, body: { user: { email: 'alice@example.com' } } })
})

test('an unknown persona cannot sign in', async () => {
  await using portal = await startPortal({ scenario: 'empty' })
  for (const persona of ['alice', 'nobody'])
    expect((await portal.call(null, 'POST', '/mock/login', { persona })).body.errors).toEqual({ persona: [expect.any(String)] })
})

test('an API token of a persona has the given scopes and trackers, or all of them', async () => {
  await using portal = await startPortal()
  const create = (body: object) => portal.call(null, 'POST', '/mock/api_tokens', body)
  const read = (token: string, path: string) => portal.call(null, 'GET', path, undefined, { authorization: `Bearer ${token}` })
  const narrow = await create({ persona: 'alice', scopes: ['trackers:read'], devices: [SEED.devices.rex] })
  expect(narrow).toMatchObject({
    status: 201,
    body: { label: 'Test', scopes: ['trackers:read'], devices: [SEED.devices.rex], until: null },
  })
  expect((await read(narrow.body.token, '/devices/?type=tracker')).body).toHaveLength(1)
  expect((await read(narrow.body.token, '/tracker_places/')).status).toBe(403)
  const wide = await create({ persona: 'alice' })
  expect(wide.body.scopes).toEqual(SCOPES)
  expect((await read(wide.body.token, '/tracker_places/')).status).toBe(200)
  const forRex = await create({ persona: 'alice', devices: [SEED.devices.rex] })
  expect(forRex).toMatchObject({ status: 201, body: { scopes: TRACKER_SCOPES, devices: [SEED.devices.rex] } })
})

test('support and team members get no API token, as in the portal', async () => {
  await using portal = await startPortal({ scenario: 'pro' })
  for (const persona of ['support', 'member']) {
    const { status, body } = await portal.call(null, 'POST', '/mock/api_tokens', { persona })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['persona']])
  }
})
