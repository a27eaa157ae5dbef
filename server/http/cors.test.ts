import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startHttp } from '#server/test/test-app.ts'

const PORTAL = 'https://portal.example'
const start = (corsOrigins = [PORTAL, 'https://other.example']) => startHttp({ corsOrigins })
const ALLOWED = {
  'access-control-allow-origin': PORTAL,
  'access-control-allow-credentials': 'true',
  vary: expect.stringMatching(/^Origin\b/),
}

describe('allowed origins', () => {
  test('a response to an allowed origin exposes the headers the portal reads', async () => {
    await using portal = await start()
    const { headers } = await portal.http().get('/healthz').set('origin', PORTAL)
    expect(headers).toMatchObject(ALLOWED)
    for (const name of ['Content-Disposition', 'Date', 'ETag', 'Retry-After'])
      expect(headers['access-control-expose-headers']).toContain(name)
  })

  test('CORS headers are set on failures too, so that the browser shows them', async () => {
    await using portal = await start()
    const rows = [
      ['401', 'get', '/devices/', 401],
      ['404', 'get', '/nowhere', 404],
      ['400', 'post', '/users/password_reset/', 400],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, method, url, status]) => {
          const response = await portal.http()[method](url).set('origin', PORTAL)
          expect(response.status).toBe(status)
          expect(response.headers).toMatchObject(ALLOWED)
        },
      ),
    ).toEqual([])
  })

  test('CORS headers are set when the rate limit is exceeded', async () => {
    await using portal = await startHttp({ corsOrigins: [PORTAL], rateLimits: true })
    const request = () => portal.app.inject({ url: '/tracker_public_share_links/unknown/', headers: { origin: PORTAL } })
    const responses = await Promise.all(Array.from({ length: 121 }, request))
    const refused = responses.find((response) => response.statusCode === 429)
    expect(refused?.headers).toMatchObject(ALLOWED)
  })

  test('CORS headers are set on 304', async () => {
    await using portal = await start()
    const bearer = { authorization: `Bearer ${await portal.token('alice@example.com')}`, origin: PORTAL }
    const { headers } = await portal.http().get('/devices/?type=tracker').set(bearer)
    const again = await portal.http().get('/devices/?type=tracker').set(bearer).set('if-none-match', headers.etag!)
    expect(again.status).toBe(304)
    expect(again.headers).toMatchObject(ALLOWED)
  })
})

describe('preflight', () => {
  const preflight = (portal: Awaited<ReturnType<typeof start>>, origin: string, url = '/users/settings/') =>
    portal.http().options(url).set({ origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' })

  test('a preflight needs no session and lists methods and headers of the API', async () => {
    await using portal = await start()
    const { status, text, headers } = await preflight(portal, PORTAL)
    expect([status, text]).toEqual([204, ''])
    expect(headers).toMatchObject({ ...ALLOWED, 'access-control-max-age': '600' })
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) expect(headers['access-control-allow-methods']).toContain(method)
    for (const header of ['Authorization', 'Content-Type', 'If-None-Match', 'Last-Event-ID', 'X-World', 'X-CSRFToken'])
      expect(headers['access-control-allow-headers']).toContain(header)
  })

  test('a preflight is answered for every path', async () => {
    await using portal = await start()
    const rows = ['/users/settings', '/devices/7/tracker_data/', '/no/such/path']
    expect(
      await collectFailures(rows, String, async (url) => {
        expect((await preflight(portal, PORTAL, url)).status).toBe(204)
      }),
    ).toEqual([])
  })

  test('a preflight is refused for unlisted origins', async () => {
    await using portal = await start()
    const rows = [
      'https://evil.example',
      'https://portal.example.evil.example',
      'http://portal.example',
      'https://PORTAL.example',
      'null',
      '',
    ]
    expect(
      await collectFailures(rows, String, async (origin) => {
        const { status, headers } = await preflight(portal, origin)
        expect([status, headers['access-control-allow-origin']]).toEqual([404, undefined])
      }),
    ).toEqual([])
  })
})

test('responses without CORS headers depend on the origin too, so that no cache reuses them for an allowed origin', async () => {
  await using portal = await start()
  for (const origin of [{}, { origin: 'https://evil.example' }])
    expect((await portal.http().get('/healthz').set(origin)).headers.vary).toMatch(/^Origin\b/)
})

test('a response to an unlisted origin carries no CORS header', async () => {
  await using portal = await start()
  const { status, headers } = await portal.http().get('/healthz').set('origin', 'https://evil.example')
  expect(status).toBe(200)
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

const allowedTo = async (portal: Awaited<ReturnType<typeof start>>, origin: string) =>
  (await portal.http().options('/devices/').set({ origin, 'access-control-request-method': 'GET' })).headers['access-control-allow-origin']

test('with the origins of this machine allowed, each response names the origin of the request, at any port', async () => {
  await using portal = await startHttp({ corsOrigins: 'loopback' })
  for (const origin of [
    'http://localhost:5173',
    'http://127.0.0.1:3000',
    'http://[::1]:8080',
    'https://w-a1.localhost:8080',
    'http://localhost',
  ])
    expect(await allowedTo(portal, origin)).toBe(origin)
})

test('with the origins of this machine allowed, a page of any other gets nothing', async () => {
  await using portal = await startHttp({ corsOrigins: 'loopback' })
  const strangers = [
    'https://evil.example',
    'http://localhost.evil.example',
    'http://evil-localhost',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1@evil.example',
    'http://192.168.1.7:5173',
    'null',
    'file://localhost',
  ]
  for (const origin of strangers) expect([origin, await allowedTo(portal, origin)]).toEqual([origin, undefined])
})

test('no origin is allowed by default', async () => {
  await using portal = await start([])
  expect((await portal.http().get('/healthz').set('origin', PORTAL)).headers['access-control-allow-origin']).toBeUndefined()
})
