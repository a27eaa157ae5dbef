import { describe, expect, test } from 'vitest'
import { api } from '#contracts/index.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const MAX = 120
const LINK = '/tracker_public_share_links/unknown/'
const start = (rateLimits = true) => startPortal({ app: { rateLimits } })
const request = ({ app }: Portal, url = LINK, remoteAddress = '203.0.113.7', headers = {}) =>
  app.inject({ method: url === LINK ? 'GET' : 'POST', url, remoteAddress, headers, ...(url !== LINK && { payload: {} }) })
const repeat = (times: number, work: () => ReturnType<typeof request>) => Promise.all(Array.from({ length: times }, work))

describe('public endpoints', () => {
  test('request 121 in a minute to a public endpoint is refused with 429 and a retry time', async () => {
    await using portal = await start()
    const responses = await repeat(MAX, () => request(portal))
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([404]))
    const refused = await request(portal)
    expect([refused.statusCode, refused.json()]).toEqual([429, { detail: 'throttled', code: 'throttled' }])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  const open = Object.values(api)
    .flatMap((contract) => Object.values(contract))
    .filter((route) => route.access === 'public')

  test('every public endpoint has a rate limit', async () => {
    await using portal = await start()
    expect(open.length).toBeGreaterThan(3)
    for (const { method, path } of open) {
      const response = await portal.app.inject({ method, url: path.replace(/:\w+/g, 'unknown'), ...(method !== 'GET' && { payload: {} }) })
      expect(response.headers, path).toMatchObject({ 'x-ratelimit-limit': String(MAX), 'x-ratelimit-remaining': String(MAX - 1) })
    }
  })

  test('the limit of one address does not affect another', async () => {
    await using portal = await start()
    await repeat(MAX + 1, () => request(portal))
    expect((await request(portal, LINK, '203.0.113.8')).statusCode).toBe(404)
  })

  test('the limit of one endpoint does not affect another', async () => {
    await using portal = await start()
    await repeat(MAX + 1, () => request(portal))
    expect((await request(portal, '/users/password_reset/')).statusCode).toBe(400)
  })

  test('an address claimed in X-Forwarded-For is ignored without a trusted proxy', async () => {
    await using portal = await start()
    await repeat(MAX, () => request(portal))
    expect((await request(portal, LINK, '203.0.113.7', { 'x-forwarded-for': '198.51.100.1' })).statusCode).toBe(429)
  })

  test('behind a trusted proxy the forwarded address is counted', async () => {
    await using portal = await startPortal({ app: { rateLimits: true, trustProxy: 1 } })
    const from = (address: string) => request(portal, LINK, '10.0.0.1', { 'x-forwarded-for': address })
    await repeat(MAX, () => from('198.51.100.1'))
    expect([(await from('198.51.100.1')).statusCode, (await from('198.51.100.2')).statusCode]).toEqual([429, 404])
  })

  test('a caller behind the proxy cannot escape its limit with made-up addresses', async () => {
    for (const trustProxy of [1, ['10.0.0.0/8']]) {
      await using portal = await startPortal({ app: { rateLimits: true, trustProxy } })
      let made = 0
      const from = () => request(portal, LINK, '10.0.0.1', { 'x-forwarded-for': `192.0.2.${made++ % 250}, 198.51.100.1` })
      await repeat(MAX, from)
      expect((await from()).statusCode).toBe(429)
    }
  })

  test('a caller outside the trusted networks is counted by its own address', async () => {
    await using portal = await startPortal({ app: { rateLimits: true, trustProxy: ['10.0.0.0/8'] } })
    const from = () => request(portal, LINK, '203.0.113.7', { 'x-forwarded-for': '198.51.100.1' })
    await repeat(MAX, from)
    expect((await request(portal, LINK, '203.0.113.7')).statusCode).toBe(429)
  })

  test('the addresses of an IPv6 network count as one', async () => {
    await using portal = await start()
    let made = 0
    const from = () => request(portal, LINK, `2001:db8:1:2::${(made++).toString(16)}`)
    await repeat(MAX, from)
    expect([(await from()).statusCode, (await request(portal, LINK, '2001:db8:1:3::1')).statusCode]).toEqual([429, 404])
  })
})

describe('endpoints without a limit', () => {
  test('requests of signed-in users are not limited', async () => {
    await using portal = await start()
    const authorization = `Bearer ${await portal.token('alice@example.com')}`
    const responses = await repeat(MAX + 1, () => portal.app.inject({ url: '/options/', headers: { authorization } }))
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([200]))
    expect(responses[0]!.headers['x-ratelimit-limit']).toBeUndefined()
  })

  test('the control plane of the mock server is not limited', async () => {
    await using portal = await start()
    const responses = await repeat(MAX + 1, () => portal.app.inject({ url: '/mock/clock' }))
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([200]))
  })

  test('health checks are not limited', async () => {
    await using portal = await start()
    const responses = await repeat(MAX + 1, () => portal.app.inject({ url: '/healthz' }))
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([200]))
  })

  test('nothing is limited when rate limits are off', async () => {
    await using portal = await start(false)
    const responses = await repeat(MAX + 1, () => request(portal))
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([404]))
  })
})

describe('signed-in callers', () => {
  test('call 601 of a session in a minute is refused with 429 and a retry time, another session is not', async () => {
    await using portal = await start()
    const [busy, other] = [await portal.token('alice@example.com'), await portal.token('alice@example.com')]
    const read = (token: string) => portal.app.inject({ url: '/options/', headers: { authorization: `Bearer ${token}` } })
    const answers = await repeat(600, () => read(busy))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const refused = await read(busy)
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'throttled'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await read(other)).statusCode).toBe(200)
  })
})
