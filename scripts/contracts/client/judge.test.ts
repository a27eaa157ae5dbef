import { expect, test } from 'vitest'
import { createTestIo } from '#scripts/contracts/test-io.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { getEndpoint } from './endpoints.ts'
import { evaluateError, evaluateSuccess } from './judge.ts'
import { createSender } from './send.ts'

const HERE = 'https://api.tracker.example'
const json = (body: unknown, status = 200) => Response.json(body, { status })
const to = (location: string, status = 301) => new Response(null, { status, headers: { location } })

/** Findings for a request whose responses come in the given order, and the URLs and tokens it was sent with. */
async function evaluate(name: string, answers: Response[], evaluateResponse = evaluateSuccess) {
  const seen: string[] = []
  const answer: typeof fetch = async (input, init) => {
    seen.push([init?.method, String(input), new Headers(init?.headers).get('authorization') ?? 'no token'].join(' '))
    return answers.shift() ?? to('/again/')
  }
  const { route } = getEndpoint(name)
  const send = createSender({ io: createTestIo({ fetch: answer }).io, waitForSlot: async () => {}, record() {} })
  const headers = { authorization: 'Bearer 1' }
  const given = await send({
    method: route.method,
    url: new URL(HERE + route.path),
    headers,
    body: route.method === 'GET' ? undefined : '{}',
  })
  return { found: evaluateResponse(route, given).map(({ verdict, path, message }) => `${verdict} ${path} ${message}`), seen }
}

const WHO = json({ username: 'alice' })
const SIGNED = 'Bearer 1'

test('a redirected read is followed and reported as drift', async () => {
  expect(await evaluate('sessions.who', [to('/elsewhere/', 302), WHO.clone()])).toEqual({
    found: ['drift+ redirect 302 to /elsewhere/'],
    seen: [`GET ${HERE}/api-auth/session/login/ ${SIGNED}`, `GET ${HERE}/elsewhere/ ${SIGNED}`],
  })
})

test('a redirect to another host drops the token and fails', async () => {
  expect(await evaluate('sessions.who', [to('https://other.example/x/'), WHO.clone()])).toEqual({
    found: ['fail redirect 301 to /x/ of https://other.example: the token is lost'],
    seen: [`GET ${HERE}/api-auth/session/login/ ${SIGNED}`, 'GET https://other.example/x/ no token'],
  })
})

test('a redirected write is followed only if it keeps its body', async () => {
  expect(await evaluate('tags.create', [to('/tags/')])).toMatchObject({
    found: ['fail redirect 301 to /tags/: the body of a POST is lost'],
  })
  expect(await evaluate('tags.create', [to('/tags/', 308), json({ id: 1, name: 'a', color: '#000000' }, 201)])).toMatchObject({
    found: ['drift+ redirect 308 to /tags/'],
    seen: [expect.anything(), `POST ${HERE}/tags/ ${SIGNED}`],
  })
  expect((await evaluate('sessions.signIn', [json({ user: null, token: 'x' })])).found).toEqual([
    'fail user Invalid input: expected object, received null',
  ])
})

test('an endless redirect fails after five hops', async () => {
  const { found, seen } = await evaluate('sessions.who', [])
  expect(found).toEqual(['fail redirect 301 to /again/, without end'])
  expect(seen).toHaveLength(6)
})

test('the body of an event stream is not awaited', async () => {
  const silent = new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
  expect((await evaluate('positions.live', [silent])).found).toEqual([])
})

const RESPONSES: [name: string, response: Response, findings: string[]][] = [
  [
    'an error instead of a success',
    json({ detail: '', code: 'not_authenticated' }, 401),
    ['fail status 401 not_authenticated instead of a success'],
  ],
  ['an error that the endpoint declares', json({ detail: '', code: 'no_report' }, 404), []],
  ['an undeclared error', json({ detail: '', code: 'not_found' }, 404), ['fail status 404 not_found instead of a success']],
  ['an error code of another endpoint', json({ detail: '', code: 'in_use' }, 409), ['fail code 409 in_use is not a code of this call']],
  [
    'JSON with another content type',
    new Response('{}', { headers: { 'content-type': 'text/plain' } }),
    ['fail content-type text/plain with status 200 instead of JSON'],
  ],
  [
    'truncated JSON',
    new Response('{"id":', { headers: { 'content-type': 'application/json' } }),
    ['fail  Invalid input: expected object, received string'],
  ],
]

test('a response that should be a success is checked for status, type, body and error code', async () => {
  expect(
    await collectFailures(
      RESPONSES,
      ([name]) => name,
      async ([, response, findings]) => expect((await evaluate('theft.read', [response])).found).toEqual(findings),
    ),
  ).toEqual([])
})

const ERRORS: [name: string, response: Response, findings: string[]][] = [
  ['the expected error', json({ detail: '', code: 'not_authenticated' }, 401), []],
  ['another error', json({ detail: '', code: 'throttled' }, 429), ['fail status 429 throttled instead of 401 not_authenticated']],
  ['a success', json({ username: 'a' }), ['fail status 200 instead of 401 not_authenticated']],
]

test('a response that should be an error is checked for its code', async () => {
  const expectUnauthorized: typeof evaluateSuccess = (route, response) => evaluateError(route, response, 'not_authenticated')
  expect(
    await collectFailures(
      ERRORS,
      ([name]) => name,
      async ([, response, findings]) => expect((await evaluate('sessions.who', [response], expectUnauthorized)).found).toEqual(findings),
    ),
  ).toEqual([])
})
