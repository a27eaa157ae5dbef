import { expect, test } from 'vitest'
import { SCENARIO_KEYS } from '#contracts/mock/scenarios.ts'
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
  expect(body.url).toBe(`http://portal.test/?token=${body.token}`)
  const headers = { authorization: `Bearer ${body.token}` }
  expect((await portal.call(null, 'GET', '/options/', undefined, headers)).status).toBe(200)
})

test('an unknown persona cannot sign in', async () => {
  await using portal = await startPortal({ scenario: 'empty' })
  for (const persona of ['alice', 'nobody'])
    expect((await portal.call(null, 'POST', '/mock/login', { persona })).body.errors).toEqual({ persona: [expect.any(String)] })
})
