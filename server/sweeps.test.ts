import { describe, expect, test } from 'vitest'
import { ROLES } from '#contracts/constants.ts'
import { errors } from '#contracts/errors.ts'
import { api } from '#contracts/index.ts'
import type { Contract, Route } from '#contracts/lib/route.ts'
import { startPortal } from '#server/mock/testing.ts'

const routes = Object.entries(api).flatMap(([tag, contract]) =>
  Object.entries(contract as Contract).map(([name, route]) => ({ name: `${tag}.${name}`, route: route as Route })),
)
const signedIn = routes.filter(({ route }) => Array.isArray(route.access))
const persona = {
  user: 'dario@example.com',
  pro: 'member@pro.example.com',
  admin: 'admin@pro.example.com',
  deepsupport: 'support@example.com',
}
const pathOf = (route: Route) => route.path.replace(/:\w+/g, '987654321')
const bare = (url: string) => (url.endsWith('/') ? url.slice(0, -1) : url)

describe('nobody is let in without a session', () => {
  test.each(signedIn)('R-6.8 $name answers 401 without a token', async ({ route }) => {
    await using portal = await startPortal()
    for (const authorization of ['', 'Bearer 0000', 'Basic abc']) {
      const answer = await portal.call(null, route.method, pathOf(route), undefined, { authorization })
      expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
    }
  })
  test('a device without its key is turned away', async () => {
    await using portal = await startPortal()
    const answer = await portal.call(
      null,
      'POST',
      '/devices/ingest/',
      { identifier: '1000000001', positions: [] },
      { 'x-device-key': 'wrong' },
    )
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_device_key' } })
  })
})

describe('a role may only what D-01 says', () => {
  const cells = signedIn.flatMap((each) => ROLES.map((role) => ({ ...each, role })))
  test.each(cells)('R-6.1 $name for $role', async ({ route, role }) => {
    if (route.path === '/devices/live/') return expect(route.access).toContain(role)
    await using portal = await startPortal()
    const answer = await portal.call(persona[role], route.method, pathOf(route))
    const allowed = (route.access as readonly string[]).includes(role)
    expect(answer.status === 403, `${answer.status} ${JSON.stringify(answer.body)}`).toBe(!allowed)
    expect(answer.status).toBeLessThan(500)
  })
})

describe('both spellings of a path', () => {
  test.each(routes.filter(({ route }) => route.path !== '/devices/live/'))(
    'R-7.12 $name answers alike with and without the slash',
    async ({ route }) => {
      await using portal = await startPortal()
      const path = pathOf(route)
      const [one, other] = [
        await portal.call('dario@example.com', route.method, `${bare(path)}`),
        await portal.call('dario@example.com', route.method, `${bare(path)}/`),
      ]
      expect(one.status).toBe(other.status)
      expect([301, 302, 307, 308]).not.toContain(one.status)
    },
  )
})

describe('bad input', () => {
  const withBody = routes.filter(({ route }) => route.body)
  test.each(withBody)('$name refuses broken JSON', async ({ route }) => {
    await using portal = await startPortal()
    const answer = await portal.call(rolePersona(route), route.method, pathOf(route), '{"a":', {
      'content-type': 'application/json',
      'x-device-key': 'demo-device-key',
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
  })
  test.each(withBody)('$name refuses another type of body', async ({ route }) => {
    await using portal = await startPortal()
    const answer = await portal.call(rolePersona(route), route.method, pathOf(route), 'a=b', {
      'content-type': 'application/x-www-form-urlencoded',
      'x-device-key': 'demo-device-key',
    })
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })
  test.each(withBody)('$name refuses a body of a megabyte', async ({ route }) => {
    await using portal = await startPortal()
    const answer = await portal.call(
      rolePersona(route),
      route.method,
      pathOf(route),
      { a: 'x'.repeat(1_000_000) },
      { 'x-device-key': 'demo-device-key' },
    )
    expect(answer).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })
  test.each(withBody)('$name refuses wrong types, naming the field', async ({ route }) => {
    await using portal = await startPortal()
    const answer = await portal.call(rolePersona(route), route.method, pathOf(route), [1, 2], { 'x-device-key': 'demo-device-key' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: expect.stringMatching(/validation_error|action_required/) })
  })
  test('every error has the one shape', async () => {
    await using portal = await startPortal()
    const answer = await portal.call(null, 'GET', '/devices/nowhere/at/all')
    expect(answer).toMatchObject({ status: errors.not_found, body: { code: 'not_found', detail: expect.any(String) } })
  })
})

const rolePersona = (route: Route) => (Array.isArray(route.access) ? 'alice@example.com' : null)
