import { describe, expect, test } from 'vitest'
import type { Route } from '#contracts/lib/route.ts'
import { control } from '#contracts/mock/index.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import { startDemo } from './test-demo.ts'

const TOKEN = 'a-control-token-of-32-characters'
const operator = { authorization: `Bearer ${TOKEN}` }

/** Endpoints of the control plane that visitors may use; all others must be rejected. */
const THEIRS: Partial<Record<keyof typeof control, readonly string[] | 'all'>> = {
  worlds: ['reset'],
  scenarios: ['personas', 'login'],
  staff: 'all',
  clock: 'all',
  sim: 'all',
  mail: 'all',
}
const calls = Object.entries(control).flatMap(([noun, contract]) =>
  Object.entries(contract).map(([name, { method, path }]) => {
    const allowed = THEIRS[noun as keyof typeof control]
    const url = path.replace(':template', 'password_reset').replace(/:\w+/g, '1')
    return { name: `${noun}.${name}`, method, url, isTheirs: allowed === 'all' || (allowed?.includes(name) ?? false) }
  }),
)

/** Paths open without a world: pages and their files, map tiles, the reference, and health checks. */
const OPEN =
  /^\/(demo(?!\/share)|docs|mock\/tiles|mock\/mailbox\/style\.css|healthz|readyz|robots\.txt|\.well-known|config\.json|index\.html)/

describe('without a world', () => {
  test('without a world every other route responds with an error', async () => {
    await using demo = await startDemo()
    const closed = demo.routes.filter(({ url, method }) => !OPEN.test(url) && method !== 'HEAD' && method !== 'OPTIONS')
    expect(closed.length).toBeGreaterThan(130)
    for (const { method, url } of closed) {
      const answer = await demo.ask(url.replace(/:\w+/g, '1'), { method: method as 'GET' })
      expect([401, 403, 404], `${method} ${url}`).toContain(answer.status)
    }
    const answer = await demo.ask('/options/')
    expect([answer.status, answer.body]).toEqual([404, { detail: 'unknown world', code: 'unknown_world' }])
  })

  test("no header or cookie gives access to main, the lobby or another visitor's world", async () => {
    await using demo = await startDemo()
    const { world, token } = await demo.visit()
    const authorization = `Bearer ${token}`
    const tries: Record<string, string>[] = [
      { 'x-world': world },
      { 'x-world': 'main' },
      { host: `w-${world}.localhost` },
      { cookie: '__world=main' },
      { cookie: '__world=lobby' },
      { cookie: `__world=${world.slice(0, -1)}` },
      { cookie: `__world=${world.toUpperCase()}` },
      { cookie: `__world=${world}x` },
      { cookie: '__world=__proto__' },
      { cookie: `other=${world}; sessionid=${token}` },
    ]
    for (const headers of tries) {
      expect((await demo.ask('/options/', { headers: { ...headers, authorization } })).body.code, JSON.stringify(headers)).toBe(
        'unknown_world',
      )
      expect((await demo.ask('/mock/clock', { headers })).body.code, JSON.stringify(headers)).toBe('unknown_world')
      expect((await demo.ask('/demo/world', { headers })).status, JSON.stringify(headers)).toBe(404)
    }
  })
})

describe('with a world', () => {
  test('visitors stay in their own world, whichever header they send', async () => {
    await using demo = await startDemo()
    const [mine, other] = [await demo.visit(), await demo.visit()]
    await other.call('/users/settings/', { method: 'PATCH', body: { firstname: 'Other' } })
    for (const headers of [{ 'x-world': other.world }, { host: `w-${other.world}.localhost` }] as Record<string, string>[])
      expect((await mine.call('/users/settings/', { headers })).body.firstname).toBe('Alice')
    const theirToken = { authorization: `Bearer ${other.token}` }
    expect((await mine.call('/options/', { headers: theirToken })).status).toBe(401)
  })

  test('visitors can use their part of the control plane and nothing else', async () => {
    await using demo = await startDemo()
    const body = { by: 'PT1M', event: 'renewal', persona: 'dario', member: 'clerk', is_running: true, to: 'a@example.com', timeout_ms: 1 }
    for (const [index, { name, method, url, isTheirs }] of calls.entries()) {
      const { call } = await demo.visit('/?demo=empty', { ip: `10.0.${index}.1` })
      const { status } = await call(url, { method, ip: `10.0.${index}.1`, ...(method !== 'GET' && method !== 'DELETE' && { body }) })
      if (isTheirs) expect([403, 405, 429, 500], name).not.toContain(status)
      else expect([403, 404], name).toContain(status)
    }
  })

  test('a visitor can look at the console as staff, and change nothing in it', async () => {
    await using demo = await startDemo()
    const { cookie: world } = await demo.visit('/?demo=shop')
    const login = { method: 'POST', body: { member: 'manager' }, headers: { cookie: world } }
    const { status, body } = await demo.ask('/mock/staff/login', login)
    expect(status).toBe(200)
    const headers = { cookie: `${world}; ${body.cookie.name}=${body.cookie.value}`, 'x-csrftoken': body.csrf_token }
    const ask = async ({ method, path }: Route) =>
      (await demo.ask(path.replace(/:\w+/g, '1'), { method, headers, ...(method !== 'GET' && { body: {} }) })).status
    const routes = Object.values(operatorApi).flatMap((contract) => Object.values<Route>(contract))
    for (const route of routes.filter((each) => each !== operatorApi.staffSession.end))
      expect(route.method === 'GET' ? [200, 400, 404] : [403], `${route.method} ${route.path}`).toContain(await ask(route))
    expect(await ask(operatorApi.staffSession.end)).toBeLessThan(300)
  })

  test('a visitor can reset to small scenarios but not choose a seed', async () => {
    await using demo = await startDemo()
    const { call, world } = await demo.visit()
    const reset = (body: object) => call('/mock/reset', { method: 'POST', body })
    expect((await reset({ seed: 7 })).body.errors).toHaveProperty('seed')
    expect((await reset({ scenario: 'crowd' })).body.errors).toHaveProperty('scenario')
    await call('/users/settings/', { method: 'PATCH', body: { firstname: 'Alicia' } })
    const { status, body } = await reset({})
    expect([status, body.id, body.scenario]).toEqual([200, world, 'family'])
    expect((await call('/users/settings/', { headers: { authorization: `Bearer ${body.personas[0].token}` } })).body.firstname).toBe(
      'Alice',
    )
  })

  test("a page of another site cannot control a visitor's world", async () => {
    await using demo = await startDemo()
    const { call } = await demo.visit('/?demo=empty')
    const steer = (headers: Record<string, string>) => call('/mock/reset', { method: 'POST', body: {}, headers })
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      expect((await steer(headers)).status).toBe(403)
      expect((await call('/demo/share', { method: 'POST', headers })).status).toBe(403)
    }
    expect((await steer({ 'sec-fetch-site': 'same-origin', origin: 'http://demo.test' })).status).toBe(200)
  })

  test('an image on another site creates no world', async () => {
    await using demo = await startDemo()
    const { headers, cookies } = await demo.ask('/?demo=family', { headers: { 'sec-fetch-dest': 'image' } })
    expect([headers.location, cookies]).toEqual(['/demo', []])
  })

  test('payment pages belong to the world of the visitor', async () => {
    await using demo = await startDemo()
    const { call } = await demo.visit('/?demo=family&as=alice')
    const before = (await call('/users/payment_methods/')).status
    expect(before).not.toBe(404)
    expect((await call('/mock/stripe/checkout/unknown')).status).toBe(404)
    expect((await demo.ask('/mock/stripe/checkout/unknown')).body.code).toBe('unknown_world')
  })
})

describe('operator', () => {
  test('the operator can list and remove worlds with the token and nothing else', async () => {
    await using demo = await startDemo({ CONTROL_TOKEN: TOKEN })
    const { world, call } = await demo.visit()
    for (const headers of [{}, { authorization: 'Bearer wrong' }] as Record<string, string>[])
      expect([403, 404]).toContain((await demo.ask('/mock/worlds', { headers })).status)
    expect((await call('/mock/worlds')).status).toBe(403)
    const { body } = await demo.ask('/mock/worlds', { headers: operator })
    expect(body.map(({ id }: { id: string }) => id)).toEqual(['lobby', world])
    expect((await demo.ask(`/mock/worlds/${world}`, { method: 'DELETE', headers: operator })).status).toBe(200)
    expect((await call('/demo/world')).status).toBe(404)
    expect((await demo.ask('/mock/reset', { method: 'POST', headers: operator, body: {} })).body.code).toBe('unknown_world')
  })

  test('the operator can read the metrics and visitors cannot', async () => {
    await using demo = await startDemo({ CONTROL_TOKEN: TOKEN })
    const { call } = await demo.visit()
    expect([(await demo.ask('/metrics')).status, (await call('/metrics')).status]).toEqual([404, 404])
    expect((await demo.ask('/metrics', { headers: operator })).status).toBe(200)
  })

  test('an encoded path is guarded like the route that it reaches', async () => {
    await using demo = await startDemo()
    const rows = ['/%6detrics', '/metrics/', '/%69ngest/osmand', '/%6dock/worlds', '/devices/%6cive/', '/%75sers/me/']
    for (const url of rows) {
      const answer = await demo.ask(url)
      expect([403, 404], url).toContain(answer.status)
      expect(answer.body.code, url).toMatch(/^(unknown_world|not_found|permission_denied)$/)
    }
    const visitor = await demo.visit()
    const statuses = await Promise.all(Array.from({ length: 310 }, () => visitor.call('/%69ngest/osmand?id=1')))
    expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(5)
  })

  test('without a configured token operator requests are refused', async () => {
    await using demo = await startDemo()
    for (const authorization of ['Bearer', 'Bearer ', 'Bearer undefined'])
      expect([403, 404]).toContain((await demo.ask('/mock/worlds', { headers: { authorization } })).status)
  })
})

test('every response asks search engines not to index the demo', async () => {
  await using demo = await startDemo()
  expect((await demo.ask('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
  for (const url of ['/demo', '/', '/options/', '/robots.txt', '/healthz'])
    expect((await demo.ask(url)).headers['x-robots-tag'], url).toBe('noindex, nofollow')
})
