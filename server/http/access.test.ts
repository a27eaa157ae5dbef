import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CSRF_COOKIE, CSRF_HEADER } from '#contracts/lib/constants.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { systemIds } from '#server/ports/ids.ts'
import { startHttp, startWith } from '#server/test/test-app.ts'

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

describe('the bearer token', () => {
  test('D-08 is taken whatever the case of its scheme', async () => {
    await using portal = await start()
    const token = await portal.token(ALICE)
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await portal.http().get('/calls/read').set('authorization', `${scheme} ${token}`)).status).toBe(200)
  })

  test.each([
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
  ])('D-08 is nothing else: %j', async (pattern) => {
    await using portal = await start()
    const authorization = pattern.replaceAll('{}', await portal.token(ALICE))
    const { status, body: answer } = await portal.http().get('/calls/read').set('authorization', authorization)
    expect([status, answer]).toEqual([401, { detail: 'not authenticated', code: 'not_authenticated' }])
  })

  test('is not read from the address, where it would be logged and passed on', async () => {
    await using portal = await start()
    const token = await portal.token(ALICE)
    expect((await portal.http().get(`/calls/read?token=${token}&access_token=${token}`)).status).toBe(401)
  })

  test('that is wrong is not made up for by a good cookie', async () => {
    await using portal = await start()
    const cookie = `sessionid=${await portal.token(ALICE)}`
    expect((await portal.http().get('/calls/read').set({ cookie, authorization: 'Bearer 0000' })).status).toBe(401)
  })

  test('of another scheme leaves the cookie to speak', async () => {
    await using portal = await start()
    const cookie = `sessionid=${await portal.token(ALICE)}`
    expect((await portal.http().get('/calls/read').set({ cookie, authorization: 'Basic YTpi' })).status).toBe(200)
  })

  test('D-36 ends after its days, to the second', async () => {
    await using portal = await start()
    const token = await portal.token(ALICE)
    const read = async () => (await portal.http().get('/calls/read').set('authorization', `Bearer ${token}`)).status
    const began = portal.clock.now().getTime()
    portal.clock.set({ at: new Date(began + 30 * 86_400_000 - 1000) })
    expect(await read()).toBe(200)
    portal.clock.set({ at: new Date(began + 30 * 86_400_000) })
    expect(await read()).toBe(401)
  })
})

describe('the cookie', () => {
  test('R-7.25 is refused for a change unless the header repeats the other cookie', async () => {
    await using portal = await start()
    const session = `sessionid=${await portal.token(ALICE)}`
    const csrf = systemIds.token()
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

  test('R-7.25 is checked before the body is read: a stranger’s form learns nothing of what it sent', async () => {
    await using portal = await start()
    const cookie = `sessionid=${await portal.token(ALICE)}`
    const answer = await portal.http().post('/calls/change').set({ cookie, 'content-type': 'application/json' }).send('{')
    expect(answer.body.code).toBe('csrf_failed')
  })

  test('is not asked for the header where it only reads', async () => {
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

describe('what is told to whom', () => {
  test('R-6.8 an unknown, an ended and a missing session are answered with the same bytes', async () => {
    await using portal = await start()
    const ended = await portal.token(ALICE)
    portal.clock.set({ at: new Date('2027-01-01T00:00:00Z') })
    const answers = await Promise.all(
      ['', `Bearer ${systemIds.token()}`, `Bearer ${ended}`].map((authorization) =>
        portal.http().get('/calls/read').set({ authorization }),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  test('R-6.9 a tracker of another account and one that does not exist are answered with the same bytes', async () => {
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

  test('R-6.1 a role that may not is turned away before its body is read', async () => {
    await using portal = await start()
    const authorization = `Bearer ${await portal.token(ALICE)}`
    const answer = await portal.http().put('/calls/admin').set({ authorization, 'content-type': 'application/json' }).send('{')
    expect([answer.status, answer.body.code]).toEqual([403, 'permission_denied'])
    const admin = `Bearer ${await portal.token('admin@pro.example.com')}`
    expect((await portal.http().put('/calls/admin').set({ authorization: admin }).send({ email: ALICE })).body).toEqual({ role: 'admin' })
  })

  test('a public call does not learn who calls', async () => {
    await using portal = await start()
    const { body: answer } = await portal
      .http()
      .get('/calls/open')
      .set('authorization', `Bearer ${await portal.token(ALICE)}`)
    expect(answer).toEqual({ hasViewer: false })
  })

  test('HEAD asks for a session as GET does', async () => {
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

describe('a device', () => {
  const send = async (headers: Record<string, string>) => {
    await using portal = await startHttp()
    return await portal.http().post('/devices/ingest/').set(headers).send({ identifier: '1000000007', positions: [] })
  }

  test.each<Record<string, string>>([
    {},
    { 'x-device-key': '' },
    { 'x-device-key': 'demo-device-key2' },
    { authorization: 'Bearer demo-device-key' },
  ])('E-71 is turned away with %j', async (headers) => {
    const { status, body: answer } = await send(headers)
    expect([status, answer.code]).toEqual([401, 'invalid_device_key'])
  })

  test('E-71 is heard with its key', async () => {
    expect((await send({ 'x-device-key': 'demo-device-key' })).status).not.toBe(401)
  })
})
