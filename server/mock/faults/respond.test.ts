import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { FaultMatch } from '#contracts/mock/faults.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { disturbStream } from './effects.ts'
import { matchesContent } from './respond.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const stub = (portal: Portal, fault: object) => portal.call(null, 'POST', '/mock/faults', { effect: 'respond', ...fault })

test('a stub responds with any status, headers and body, and request values keep their types', async () => {
  await using portal = await startPortal()
  await stub(portal, {
    match: { route: '/devices/:id/weather/', method: 'POST' },
    status: 202,
    headers: { 'x-asked': 'by {{method}}' },
    body: {
      id: '{{params.id}}',
      q: '{{query.q}}',
      body: '{{body.at}}',
      text: 'near {{ body.at.lat }}, at {{now}}',
      all: ['{{missing}}', 7],
    },
  })
  const answer = await portal.call(ALICE, 'POST', '/devices/1/weather/?q=rain', { at: { lat: -34.9 } })
  expect(answer).toMatchObject({ status: 202, headers: { 'x-asked': 'by POST', 'content-type': 'application/json; charset=utf-8' } })
  const at = { lat: -34.9 }
  expect(answer.body).toEqual({ id: '1', q: 'rain', body: at, text: 'near -34.9, at 2026-03-02T09:00:00Z', all: [null, 7] })
  expect((await portal.call(ALICE, 'GET', '/devices/1/weather/')).status).toBe(404)
  expect((await portal.call(null, 'GET', '/mock/contract/violations')).body.map(({ url }: { url: string }) => url)).toEqual([
    '/devices/1/weather/',
  ])
})

test('a stub of a known call is checked against the contract; one without a body sends none', async () => {
  await using portal = await startPortal()
  await stub(portal, { match: { route: 'places.list' }, body: [{ id: 1 }], times: 1 })
  expect((await portal.call(ALICE, 'GET', '/tracker_places/')).body).toEqual([{ id: 1 }])
  expect((await portal.call(null, 'GET', '/mock/contract/violations')).body).not.toEqual([])
  await stub(portal, { match: { route: 'places.list' }, status: 204 })
  expect((await portal.call(ALICE, 'GET', '/tracker_places/')).raw.length).toBe(0)
})

test("the response of a stub or a failure also replaces the call's when compressed or slowed down", async () => {
  const effects = [{ effect: 'respond' }, { effect: 'status' }, { effect: 'status', slow: true }]
  const failures = await collectFailures(effects, JSON.stringify, async ({ effect, slow = false }) => {
    await using portal = await startPortal()
    if (slow) await portal.call(null, 'POST', '/mock/faults', { effect: 'slow', ms: 1 })
    const body = { text: 'long '.repeat(1000) }
    await portal.call(null, 'POST', '/mock/faults', { effect, match: { route: 'tags.create' }, status: 503, body })
    const count = async () => (await portal.call(ALICE, 'GET', '/tracker_tags/')).body.length
    const before = await count()
    const tag = { name: 'Zed', color: '#0000ff', description: '' }
    const answer = await portal.call(ALICE, 'POST', '/tracker_tags/', tag, slow ? {} : { 'accept-encoding': 'gzip' })
    expect([answer.status, answer.headers['content-encoding'], await count()]).toEqual([503, slow ? undefined : 'gzip', before])
  })
  expect(failures).toEqual([])
})

test('headers of a copied response do not break the connection', async () => {
  const headers = [{ 'content-length': '5' }, { 'Transfer-Encoding': 'chunked' }, { trailer: 'expires' }]
  const faults = headers.flatMap((copied) => [
    { effect: 'respond', headers: copied, body: { text: 'x'.repeat(100) } },
    { effect: 'status', status: 503, headers: copied, body: { text: 'x'.repeat(100) } },
  ])
  const rows = faults.flatMap((fault) => [[fault], [fault, { effect: 'slow', ms: 1 }]])
  await using portal = await startPortal()
  const origin = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const failures = await collectFailures(rows, JSON.stringify, async (row) => {
    await portal.call(null, 'DELETE', '/mock/faults')
    for (const fault of row) await portal.call(null, 'POST', '/mock/faults', { ...fault, match: { route: 'sessions.options' } })
    const answers = [await fetch(`${origin}/options/`), await fetch(`${origin}/healthz`)]
    expect(await answers[0]!.json()).toEqual({ text: 'x'.repeat(100) })
    expect(answers[1]!.status).toBe(200)
  })
  expect(failures).toEqual([])
})

test('a fault matches by query, header and values of the body, and counts only its matches', async () => {
  await using portal = await startPortal()
  await stub(portal, {
    match: { route: 'tags.create', body: { name: { matches: '^R' } }, headers: { 'x-try': null } },
    status: 409,
    body: {},
    after: 1,
    times: 1,
  })
  const create = async (name: string, headers = {}) =>
    (await portal.call(ALICE, 'POST', '/tracker_tags/', { name, color: '#0000ff', description: '' }, headers)).status
  expect([await create('A1'), await create('R1', { 'x-try': '1' }), await create('R2'), await create('R3'), await create('R4')]).toEqual([
    201, 201, 201, 409, 201,
  ])
  const request = { query: { q: 'a' }, headers: { accept: 'b' }, body: { name: 'Rex', ids: [1, 2] } }
  expect(matchesContent(request, { query: { q: 'a' }, headers: { Accept: 'b' }, body: { name: { matches: '^R' }, 'ids.*': 2 } })).toBe(true)
  expect(matchesContent(request, { body: { 'ids.0': 1, __proto__: null } })).toBe(true)
  const others: FaultMatch[] = [
    { query: { q: null } },
    { body: { 'ids.*': 3 } },
    { body: { 'name.length': 3 } },
    { headers: { accept: 'c' } },
  ]
  for (const match of others) expect(matchesContent(request, match), JSON.stringify(match)).toBe(false)
})

test('a stub needs a path of the API or a known call, and a match a valid expression', async () => {
  await using portal = await startPortal()
  expect(await stub(portal, { match: { route: 'weather.read' } })).toMatchObject({
    status: 400,
    body: { errors: { 'match.route': expect.anything() } },
  })
  expect((await stub(portal, { match: { route: '/mock/clock' } })).status).toBe(400)
  const refused = await stub(portal, { match: { body: { name: { matches: '(' } } } })
  expect([refused.status, JSON.stringify(refused.body.errors)]).toEqual([400, expect.stringContaining('match.body.name')])
})

const EVENTS = [': open', 'data: 1', 'data: 2', ': beat', 'data: 3', 'data: 4']

test.each([
  ['drop', 2, ['data: 1', 'data: 3']],
  ['duplicate', 2, ['data: 1', 'data: 2', 'data: 2', 'data: 3', 'data: 4', 'data: 4']],
  ['reorder', 1, ['data: 2', 'data: 1', 'data: 4', 'data: 3']],
  ['stall', 2, ['data: 1']],
] as const)('an event stream fault affects events: %s every %i', async (action, every, expected) => {
  const text = EVENTS.map((event) => `${event}\n\n`).join('')
  const pieces = text.match(/.{1,7}/gs)!
  const fault = { id: 1, matched: 1, happened: 1, firstResponses: new Map<string, string>(), effect: 'stream', action, every } as const
  let sent = ''
  for await (const piece of Readable.from(pieces).pipe(disturbStream(fault))) sent += piece
  expect(sent.split('\n\n').filter((event) => event.startsWith('data'))).toEqual(expected)
})
