import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CSRF_COOKIE, CSRF_HEADER } from '#contracts/lib/requests.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { systemIds } from '#server/ports/ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startHttp, startWith } from '#server/test/test-app.ts'
import { csrfTokenOf } from './csrf.ts'

const ALICE = 'alice@example.com'
const body = z.object({ email: z.string() })
const facts = { summary: 'Only a test', safety: 'reversible', provenance: 'assumed' } as const
const calls = {
  read: {
    ...facts,
    method: 'GET',
    path: '/calls/read',
    access: rights.readTrackers,
    safety: 'read',
    response: { 200: z.object({ role: z.string() }) },
  },
  change: {
    ...facts,
    method: 'POST',
    path: '/calls/change',
    access: rights.readTrackers,
    body,
    response: { 200: z.object({ role: z.string() }) },
  },
  admin: { ...facts, method: 'PUT', path: '/calls/admin', access: ['admin'], body, response: { 200: z.object({ role: z.string() }) } },
  open: { ...facts, method: 'GET', path: '/calls/open', access: 'public', response: { 200: z.object({ hasViewer: z.boolean() }) } },
} as const satisfies Contract

const start = () =>
  startWith(calls, {
    read: (_, { viewer }) => ({ role: viewer.role }),
    change: (_, { viewer }) => ({ role: viewer.role }),
    admin: (_, { viewer }) => ({ role: viewer.role }),
    open: (_, context) => ({ hasViewer: 'viewer' in context }),
  })

describe('bearer tokens', () => {
  test('a bearer token is accepted with its scheme in any case', async () => {
    await using portal = await start()
    const token = await portal.token(ALICE)
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await portal.http().get('/calls/read').set('authorization', `${scheme} ${token}`)).status).toBe(200)
  })

  test('malformed authorization headers are refused', async () => {
    await using portal = await start()
    const rows = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer  two',
      'Token {}',
      'Bearer {} more',
      'Bearer {}, Bearer {}',
      'Bearer\t{}',
      'Bearer {}x',
      '{}',
    ]
    expect(
      await collectFailures(rows, String, async (pattern) => {
        const authorization = pattern.replaceAll('{}', await portal.token(ALICE))
        const { status, body: response } = await portal.http().get('/calls/read').set('authorization', authorization)
        expect([status, response]).toEqual([401, { detail: 'not authenticated', code: 'not_authenticated' }])
      }),
    ).toEqual([])
  })

  test('a token in the query is ignored, because URLs are logged and passed on', async () => {
    await using portal = await start()
    const token = await portal.token(ALICE)
    expect((await portal.http().get(`/calls/read?token=${token}&access_token=${token}`)).status).toBe(401)
  })

  test('a wrong bearer token is refused even with a valid session cookie', async () => {
    await using portal = await start()
    const cookie = `sessionid=${await portal.token(ALICE)}`
    expect((await portal.http().get('/calls/read').set({ cookie, authorization: 'Bearer 0000' })).status).toBe(401)
  })

  test('an authorization header of another scheme leaves the session cookie valid', async () => {
    await using portal = await start()
    const cookie = `sessionid=${await portal.token(ALICE)}`
    expect((await portal.http().get('/calls/read').set({ cookie, authorization: 'Basic YTpi' })).status).toBe(200)
  })

  test('a token in use expires after exactly 30 days', async () => {
    await using portal = await start()
    const token = await portal.token(ALICE)
    const read = async () => (await portal.http().get('/calls/read').set('authorization', `Bearer ${token}`)).status
    const began = portal.clock.now().getTime()
    for (const days of [13, 26]) {
      portal.clock.set({ at: new Date(began + days * 86_400_000) })
      expect(await read()).toBe(200)
    }
    portal.clock.set({ at: new Date(began + 30 * 86_400_000 - 1000) })
    expect(await read()).toBe(200)
    portal.clock.set({ at: new Date(began + 30 * 86_400_000) })
    expect(await read()).toBe(401)
  })
})

describe('session cookies', () => {
  test('R-7.25 a change by cookie is refused unless the header repeats the CSRF cookie', async () => {
    await using portal = await start()
    const token = await portal.token(ALICE)
    const session = `sessionid=${token}`
    const csrf = csrfTokenOf(token)
    const change = (cookie: string, headers: Record<string, string>) =>
      portal
        .http()
        .post('/calls/change')
        .set({ cookie, ...headers })
        .send({ email: ALICE })
    expect((await change(`${session}; ${CSRF_COOKIE}=${csrf}`, {})).body.code).toBe('csrf_failed')
    for (const wrong of [systemIds.token(), csrf.toUpperCase(), `${csrf}0`, csrf.slice(1)])
      expect((await change(`${session}; ${CSRF_COOKIE}=${csrf}`, { [CSRF_HEADER]: wrong })).body.code).toBe('csrf_failed')
    expect((await change(`${session}; ${CSRF_COOKIE}=`, { [CSRF_HEADER]: '' })).body.code).toBe('csrf_failed')
    expect((await change(`${session}; ${CSRF_COOKIE}=${csrf}`, { [CSRF_HEADER]: csrf })).status).toBe(200)
  })

  test('R-7.25 CSRF is checked before the body is parsed, so a forged form learns nothing about its input', async () => {
    await using portal = await start()
    const cookie = `sessionid=${await portal.token(ALICE)}`
    const response = await portal.http().post('/calls/change').set({ cookie, 'content-type': 'application/json' }).send('{')
    expect(response.body.code).toBe('csrf_failed')
  })

  test('a read by cookie needs no CSRF header', async () => {
    await using portal = await start()
    expect(
      (
        await portal
          .http()
          .get('/calls/read')
          .set('cookie', `sessionid=${await portal.token(ALICE)}`)
      ).status,
    ).toBe(200)
  })
})

describe('what refusals reveal', () => {
  test('R-6.8 an unknown, an expired and a missing session get identical responses', async () => {
    await using portal = await start()
    const ended = await portal.token(ALICE)
    portal.clock.set({ at: new Date('2027-01-01T00:00:00Z') })
    const responses = await Promise.all(
      ['', `Bearer ${systemIds.token()}`, `Bearer ${ended}`].map((authorization) =>
        portal.http().get('/calls/read').set({ authorization }),
      ),
    )
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  test("R-6.9 another account's tracker and a missing tracker get identical responses", async () => {
    await using portal = await startHttp()
    const authorization = `Bearer ${await portal.token(ALICE)}`
    const { body: others } = await portal
      .http()
      .get('/devices/?type=tracker')
      .set('authorization', `Bearer ${await portal.token('victor@example.com')}`)
    const texts = await Promise.all(
      [others[0].id, 99_999_999].map(async (id) => (await portal.http().get(`/devices/${id}/`).set({ authorization })).text),
    )
    expect(texts[0]).toBe(texts[1])
    expect(JSON.parse(texts[0]!).code).toBe('not_found')
  })

  test('R-6.1 a role without permission is refused before its body is parsed', async () => {
    await using portal = await start()
    const authorization = `Bearer ${await portal.token(ALICE)}`
    const response = await portal.http().put('/calls/admin').set({ authorization, 'content-type': 'application/json' }).send('{')
    expect([response.status, response.body.code]).toEqual([403, 'permission_denied'])
    const admin = `Bearer ${await portal.token('admin@pro.example.com')}`
    expect((await portal.http().put('/calls/admin').set({ authorization: admin }).send({ email: ALICE })).body).toEqual({ role: 'admin' })
  })

  test('a public endpoint does not learn who the caller is', async () => {
    await using portal = await start()
    const { body: response } = await portal
      .http()
      .get('/calls/open')
      .set('authorization', `Bearer ${await portal.token(ALICE)}`)
    expect(response).toEqual({ hasViewer: false })
  })

  test('HEAD needs a session like GET', async () => {
    await using portal = await start()
    expect((await portal.http().head('/calls/read')).status).toBe(401)
    expect(
      (
        await portal
          .http()
          .head('/calls/read')
          .set('authorization', `Bearer ${await portal.token(ALICE)}`)
      ).status,
    ).toBe(200)
  })
})

describe('device keys', () => {
  const send = async (headers: Record<string, string>) => {
    await using portal = await startHttp()
    return await portal.http().post('/devices/ingest/').set(headers).send({ identifier: '1000000007', positions: [] })
  }

  test('ingest without a valid device key header is refused', async () => {
    const rows: Record<string, string>[] = [
      {},
      { 'x-device-key': '' },
      { 'x-device-key': 'demo-device-key2' },
      { authorization: 'Bearer demo-device-key' },
    ]
    expect(
      await collectFailures(rows, JSON.stringify, async (headers) => {
        const { status, body: response } = await send(headers)
        expect([status, response.code]).toEqual([401, 'invalid_device_key'])
      }),
    ).toEqual([])
  })

  test('ingest with a device key is accepted', async () => {
    expect((await send({ 'x-device-key': 'demo-device-key' })).status).not.toBe(401)
  })
})
