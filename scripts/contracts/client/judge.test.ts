import { expect, test } from 'vitest'
import { testIo } from '#scripts/contracts/test-io.ts'
import { callNamed } from './endpoints.ts'
import { judge, judgeRefusal } from './judge.ts'
import { createSend } from './send.ts'

const HERE = 'https://api.tracker.example'
const json = (body: unknown, status = 200) => Response.json(body, { status })
const to = (location: string, status = 301) => new Response(null, { status, headers: { location } })

/** Findings for a request whose responses come in the given order, and the URLs and tokens it was sent with. */
async function told(name: string, answers: Response[], judged: typeof judge = judge) {
  const seen: string[] = []
  const answer: typeof fetch = async (input, init) => {
    seen.push([init?.method, String(input), new Headers(init?.headers).get('authorization') ?? 'no token'].join(' '))
    return answers.shift() ?? to('/again/')
  }
  const { route } = callNamed(name)
  const send = createSend({ io: testIo({ fetch: answer }).io, turn: async () => {}, record() {} })
  const headers = { authorization: 'Bearer 1' }
  const given = await send({
    method: route.method,
    url: new URL(HERE + route.path),
    headers,
    body: route.method === 'GET' ? undefined : '{}',
  })
  return { found: judged(route, given).map(({ verdict, path, message }) => `${verdict} ${path} ${message}`), seen }
}

const WHO = json({ username: 'alice' })
const SIGNED = 'Bearer 1'

test('a redirected read is followed and reported as drift', async () => {
  expect(await told('sessions.who', [to('/elsewhere/', 302), WHO.clone()])).toEqual({
    found: ['drift+ redirect 302 to /elsewhere/'],
    seen: [`GET ${HERE}/api-auth/session/login/ ${SIGNED}`, `GET ${HERE}/elsewhere/ ${SIGNED}`],
  })
})

test('a redirect to another host drops the token and fails', async () => {
  expect(await told('sessions.who', [to('https://other.example/x/'), WHO.clone()])).toEqual({
    found: ['fail redirect 301 to /x/ of https://other.example: the token is lost'],
    seen: [`GET ${HERE}/api-auth/session/login/ ${SIGNED}`, 'GET https://other.example/x/ no token'],
  })
})

test('a redirected write is followed only if it keeps its body', async () => {
  expect(await told('tags.create', [to('/tags/')])).toMatchObject({ found: ['fail redirect 301 to /tags/: the body of a POST is lost'] })
  expect(await told('tags.create', [to('/tags/', 308), json({ id: 1, name: 'a', color: '#000000' }, 201)])).toMatchObject({
    found: ['drift+ redirect 308 to /tags/'],
    seen: [expect.anything(), `POST ${HERE}/tags/ ${SIGNED}`],
  })
  expect((await told('sessions.signIn', [json({ user: null, token: 'x' })])).found).toEqual([
    'fail user Invalid input: expected object, received null',
  ])
})

test('an endless redirect fails after five hops', async () => {
  const { found, seen } = await told('sessions.who', [])
  expect(found).toEqual(['fail redirect 301 to /again/, and on and on'])
  expect(seen).toHaveLength(6)
})

test('the body of an event stream is not awaited', async () => {
  const silent = new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
  expect((await told('positions.live', [silent])).found).toEqual([])
})

test.each([
  [
    'a refusal instead of a success',
    json({ detail: '', code: 'not_authenticated' }, 401),
    ['fail status 401 not_authenticated instead of a success'],
  ],
  ['a refusal the call names itself', json({ detail: '', code: 'no_report' }, 404), []],
  ['another one', json({ detail: '', code: 'not_found' }, 404), ['fail status 404 not_found instead of a success']],
  ['a code of another call', json({ detail: '', code: 'in_use' }, 409), ['fail code 409 in_use is not a code of this call']],
  [
    'JSON under another name',
    new Response('{}', { headers: { 'content-type': 'text/plain' } }),
    ['fail content-type text/plain with status 200 instead of JSON'],
  ],
  [
    'half of it',
    new Response('{"id":', { headers: { 'content-type': 'application/json' } }),
    ['fail  Invalid input: expected object, received string'],
  ],
])('an answer that was to be a success: %s', async (_, answer, lines) => expect((await told('theft.read', [answer])).found).toEqual(lines))

test.each([
  ['as it should be', json({ detail: '', code: 'not_authenticated' }, 401), []],
  ['with another code', json({ detail: '', code: 'throttled' }, 429), ['fail status 429 throttled instead of 401 not_authenticated']],
  ['a success', json({ username: 'a' }), ['fail status 200 instead of 401 not_authenticated']],
])('an answer that was to be a refusal: %s', async (_, answer, lines) => {
  const { found } = await told('sessions.who', [answer], (route, given) => judgeRefusal(route, given, 'not_authenticated'))
  expect(found).toEqual(lines)
})
