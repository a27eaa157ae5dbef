import { describe, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createControlPlane } from '#server/mock/control/control.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const TOKEN = 'a-control-token-of-32-characters'

async function start(token?: string) {
  const portal = await startPortal()
  const app = await buildApp({
    worlds: portal.worlds,
    rateLimits: false,
    extend: createControlPlane({ worlds: portal.worlds, snapshots: portal.snapshots, city: await openTestCity(), token }),
  })
  return {
    async status(headers: Record<string, string> = {}, url = '/mock/clock') {
      return (await app.inject({ url, headers })).statusCode
    },
    app,
    async [Symbol.asyncDispose]() {
      await app.close()
      await portal[Symbol.asyncDispose]()
    },
  }
}

const GUARDED = [
  '/mock/clock',
  '/mock/faults',
  '/mock/requests',
  '/mock/requests.har',
  '/mock/contract/violations',
  '/mock/events',
  '/mock/payments/events',
  '/mock/mail',
  '/mock/mail/1',
  '/mock/mailbox',
  '/mock/mailbox/1',
  '/mock/mailbox/1/html',
]

describe('without a control token', () => {
  test('requests to local host names are allowed', async () => {
    await using server = await start()
    const rows = ['localhost', 'localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'w-blue.localhost:8080', 'a.b.localhost']
    expect(
      await collectFailures(rows, String, async (host) => {
        expect(await server.status({ host })).not.toBe(403)
      }),
    ).toEqual([])
  })

  test('host names that DNS could point to this machine are refused', async () => {
    await using server = await start()
    const rows = [
      'portal.example',
      '192.168.1.7:8080',
      'localhost.evil.example',
      'evil-localhost',
      '127.0.0.1.evil.example',
      'localhost:8080@evil.example',
    ]
    expect(
      await collectFailures(rows, String, async (host) => {
        expect(await server.status({ host })).toBe(403)
      }),
    ).toEqual([])
  })

  test('a page of another site is refused on every guarded path', async () => {
    await using server = await start()
    for (const site of ['cross-site', 'same-site', 'nonsense'])
      for (const url of GUARDED) expect(await server.status({ host: 'localhost', 'sec-fetch-site': site }, url), `${site} ${url}`).toBe(403)
    for (const site of ['same-origin', 'none']) expect(await server.status({ host: 'localhost', 'sec-fetch-site': site })).toBe(200)
  })

  test('without Sec-Fetch-Site, a request with a foreign Origin is refused', async () => {
    await using server = await start()
    for (const origin of ['https://evil.example', 'http://localhost:9999', 'null'])
      expect(await server.status({ host: 'localhost:8080', origin }), origin).toBe(403)
    expect(await server.status({ host: 'localhost:8080', origin: 'http://localhost:8080' })).toBe(200)
  })

  test('a request with a content type other than JSON is rejected', async () => {
    await using server = await start()
    const send = async (type: string, payload: string) =>
      (await server.app.inject({ method: 'POST', url: '/mock/clock', headers: { 'content-type': type }, payload })).statusCode
    const before = (await server.app.inject({ url: '/mock/clock' })).json()
    const jump = '{"at":"2026-04-01T00:00:00Z"}'
    expect(await send('text/plain', jump)).toBe(415)
    expect(await send('application/x-www-form-urlencoded', `${jump}=`)).toBe(415)
    expect(await send('multipart/form-data; boundary=x', '--x--')).toBe(415)
    expect((await server.app.inject({ url: '/mock/clock' })).json()).toEqual(before)
  })

  test('a refused request changes nothing', async () => {
    await using server = await start()
    const before = (await server.app.inject({ url: '/mock/clock' })).json()
    const refused = await server.app.inject({
      method: 'POST',
      url: '/mock/clock/advance',
      headers: { 'sec-fetch-site': 'cross-site' },
      payload: { by: 'PT1H' },
    })
    expect(refused.json()).toMatchObject({ code: 'permission_denied' })
    expect((await server.app.inject({ url: '/mock/clock' })).json()).toEqual(before)
  })
})

describe('with a control token', () => {
  test('requests with the control token are allowed from every host and site', async () => {
    await using server = await start(TOKEN)
    const authorization = `Bearer ${TOKEN}`
    for (const host of ['localhost', 'demo.example']) expect(await server.status({ host, authorization })).toBe(200)
    expect(await server.status({ host: 'demo.example', authorization, 'sec-fetch-site': 'cross-site' })).toBe(200)
  })

  test('wrong control tokens are refused, from this machine too', async () => {
    await using server = await start(TOKEN)
    const rows = ['', TOKEN, 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.toUpperCase()}`, `Basic ${TOKEN}`]
    expect(
      await collectFailures(rows, JSON.stringify, async (authorization) => {
        for (const url of GUARDED) expect(await server.status({ host: 'localhost', authorization }, url), url).toBe(403)
      }),
    ).toEqual([])
  })

  test('map tiles, test payments and the API stay open without the control token', async () => {
    await using server = await start(TOKEN)
    expect(await server.status({}, '/mock/tiles/12/1000/2000.svg')).toBe(200)
    expect(await server.status({}, '/mock/stripe/style.css')).toBe(200)
    expect(await server.status({}, '/options/')).toBe(401)
  })
})
