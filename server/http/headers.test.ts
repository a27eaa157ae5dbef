import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createTestLog, startHttp } from '#server/test/test-app.ts'

const SECURE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'permissions-policy': 'camera=(self), display-capture=(), geolocation=(self), microphone=(), midi=(), usb=()',
}

describe('headers of the API', () => {
  test('responses about people are stored by no cache, and lists with an ETag only by a browser that revalidates each time', async () => {
    await using portal = await startHttp()
    const rows = [
      ['/users/me/', 'no-store'],
      ['/users/settings/', 'no-store'],
      ['/tracker_places/', 'no-store'],
      ['/devices/?type=tracker', 'private, no-cache'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([url]) => url,
        async ([url, cached]) => {
          const { status, headers } = await portal.call('alice@example.com', 'GET', url)
          expect([status, headers['cache-control']]).toEqual([200, cached])
        },
      ),
    ).toEqual([])
  })

  test('error responses are stored by no cache', async () => {
    await using portal = await startHttp()
    const rows = [
      [null, 'GET', '/users/me/', 401],
      [null, 'GET', '/nowhere/', 404],
      [null, 'POST', '/users/password_reset/', 400],
      ['alice@example.com', 'GET', '/devices/999999/', 404],
    ] as const
    const found = await Promise.all(
      rows.map(async ([as, method, url]) => {
        const { status, headers } = await portal.call(as, method, url)
        return [as, method, url, status, headers['cache-control']]
      }),
    )
    expect(found).toEqual(rows.map((row) => [...row, 'no-store']))
  })

  test('API responses are not shown as pages, framed or embedded, whether success or failure', async () => {
    await using portal = await startHttp()
    for (const as of ['alice@example.com', null]) {
      const { headers } = await portal.call(as, 'GET', '/users/settings/')
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
      })
    }
  })
})

describe('headers of every response', () => {
  test('security headers are set on every kind of response', async () => {
    await using portal = await startHttp()
    const rows = [
      ['a success', 'get', '/healthz', 200],
      ['a stranger turned away', 'get', '/devices/', 401],
      ['a path nobody knows', 'get', '/nowhere', 404],
      ['bad input', 'post', '/users/password_reset/', 400],
      ['the API reference', 'get', '/docs/', 200],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, method, url, status]) => {
          const response = await portal.app.inject({ method, url })
          expect(response.statusCode).toBe(status)
          expect(response.headers).toMatchObject(SECURE)
        },
      ),
    ).toEqual([])
  })

  test('every response has its own request id, which the log repeats', async () => {
    const { told, logger } = createTestLog()
    await using portal = await startHttp({ logger })
    portal.world.db.raw.exec('drop table places')
    portal.world.db.close()
    const [first, second] = [await portal.http().get('/devices/').set('authorization', 'Bearer 00'), await portal.http().get('/healthz')]
    expect(first.status).toBe(500)
    expect(first.headers['x-request-id']).toBeTruthy()
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id'])
    expect(told.map((line) => ('reqId' in line ? line.reqId : undefined))).toContain(first.headers['x-request-id'])
  })

  test('responses do not reveal the server software', async () => {
    await using portal = await startHttp()
    const { headers } = await portal.http().get('/healthz')
    expect([headers['x-powered-by'], headers.server]).toEqual([undefined, undefined])
  })
})

test('tokens and passwords of a request are not logged', async () => {
  const { told, logger } = createTestLog()
  await using portal = await startHttp({ logger })
  const authorization = 'Bearer 0123456789abcdef'
  await portal
    .http()
    .post('/api/v1/auth/web_get_token/')
    .set({ authorization })
    .send({ username: 'alice@example.com', password: 'hunter2-hunter2' })
  portal.world.db.close()
  await portal.http().post('/users/password_reset/').set({ authorization }).send({ email: 'alice@example.com' })
  expect(told.length).toBeGreaterThan(0)
  expect(JSON.stringify(told)).not.toMatch(/0123456789abcdef|hunter2/)
})

test('the API reference contains no inline script', async () => {
  await using portal = await startHttp()
  const { headers, text } = await portal.http().get('/docs/')
  expect(String(headers['content-security-policy'])).toMatch(/script-src [^;]*'self'/)
  expect(String(headers['content-security-policy'])).not.toMatch(/script-src[^;]*'unsafe-inline'/)
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)/)
})

test('an untrusted proxy causes one warning, and a trusted one none', async () => {
  for (const [trustProxy, times] of [
    [false, 1],
    [1, 0],
  ] as const) {
    const { told, logger } = createTestLog()
    await using portal = await startHttp({ logger, trustProxy })
    for (let n = 0; n < 3; n++) await portal.http().get('/healthz').set('x-forwarded-for', '198.51.100.1')
    expect(told.filter(({ msg }) => msg.includes('TRUST_PROXY'))).toHaveLength(times)
  }
})
