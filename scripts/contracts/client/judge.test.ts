import { expect, test } from 'vitest'
import { createTestIo } from '#scripts/contracts/test-io.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { getEndpoint } from './endpoints.ts'
import { evaluateError, evaluateSuccess } from './judge.ts'
import { createSender } from './send.ts'

const HERE = 'https://api.tracker.example'
const json = (body: unknown, status = 200) => Response.json(body, { status })
const to = (location: string, status = 301) => new Response(null, { status, headers: { location } })

/** Findings for a request whose responses are returned in the given order, and the URLs and tokens it was sent with. */
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
  [
    'an error code of another endpoint',
    json({ detail: '', code: 'in_use' }, 409),
    ['tolerated code 409 in_use is not a code of this call', 'fail status 409 in_use instead of a success'],
  ],
  [
    'another page than JSON',
    new Response('<h1>', { headers: { 'content-type': 'text/html' } }),
    ['fail content-type text/html with status 200 instead of JSON'],
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

const DEVICE = {
  id: 7,
  type: 'tracker_01',
  name: 'Rex',
  serial: null,
  identifier: null,
  kind: 'dog',
  tag: null,
  is_public: false,
  visible: true,
  linked_to_pro: false,
  operator: null,
  online_since: null,
  active_collar_since: null,
  tracker_config: {
    board_name: 'a',
    usage: 'dog',
    mode: 1,
    pending_mode: null,
    mode_state: 'applied',
    frequency_moving: null,
    frequency_stationary: null,
    network_state: 'active',
  },
  tracker_status: {
    sub_state: 'active',
    sub_end_date: null,
    battery: 80,
    last_position: null,
    last_address: null,
    last_event: null,
    stationary_since: null,
    online_since: null,
  },
  price: null,
}
const TAG = { id: 1, name: 'a', color: '#000000' }
const { name: _, ...NAMELESS } = TAG
const { id: __, ...TAG_WITHOUT_ID } = TAG

const DEVIATIONS: [name: string, call: string, response: Response, findings: string[]][] = [
  ['the contract', 'devices.list', json([DEVICE]), []],
  [
    'numbers and ids as text',
    'devices.list',
    json([{ ...DEVICE, id: '7', tracker_status: { ...DEVICE.tracker_status, battery: '80' } }]),
    ['tolerated *.id an id as text', 'tolerated *.tracker_status.battery a number as text'],
  ],
  [
    'a value outside of a closed list',
    'devices.list',
    json([{ ...DEVICE, kind: 'cow' }]),
    [expect.stringMatching(/^enum\? \*\.kind "cow" is not one of dog, /)],
  ],
  ['a missing field', 'tags.list', json([NAMELESS]), ['tolerated *.name nothing: the field is missing']],
  [
    'entries that cannot be shown',
    'tags.list',
    json([TAG, TAG_WITHOUT_ID]),
    [
      'tolerated *.id nothing: the field is missing',
      'tolerated * an entry without what it cannot be shown without, such as its id or its coordinates',
    ],
  ],
  [
    'no entry that can be shown',
    'tags.list',
    json([TAG_WITHOUT_ID]),
    expect.arrayContaining([expect.stringMatching(/^fail \* an entry without /)]),
  ],
  ['a page', 'tags.list', json({ count: 1, next: null, results: [TAG] }), ['tolerated  a page of a list']],
  [
    'another object',
    'tags.list',
    json({ message: 'ok' }),
    [
      'tolerated  a page of a list',
      'fail *.id nothing: the field is missing',
      'tolerated * an entry without what it cannot be shown without, such as its id or its coordinates',
    ],
  ],
  [
    'JSON with another content type',
    'tags.list',
    new Response('[]', { headers: { 'content-type': 'text/plain' } }),
    ['tolerated content-type text/plain with status 200 instead of JSON'],
  ],
  ['a deletion without a body', 'tags.remove', new Response(null, { status: 204 }), ['tolerated status 204 is not in the contract']],
  ['a new object without a body', 'tags.create', new Response(null, { status: 204 }), [expect.stringMatching(/^fail /)]],
  [
    'a token of another name',
    'sessions.signIn',
    json({ key: 'x' }),
    expect.arrayContaining(['tolerated token the field under another name']),
  ],
  [
    'a file of another content type',
    'theft.form',
    new Response('%PDF', { headers: { 'content-type': 'application/octet-stream' } }),
    ['tolerated content-type application/octet-stream instead of application/pdf'],
  ],
  [
    'a page instead of a file',
    'theft.form',
    new Response('<h1>', { headers: { 'content-type': 'text/html' } }),
    ['fail content-type text/html instead of application/pdf'],
  ],
]

test('a deviation that the portal copes with is tolerated, one that breaks it fails', async () => {
  expect(
    await collectFailures(
      DEVIATIONS,
      ([name]) => name,
      async ([, call, response, findings]) => expect((await evaluate(call, [response])).found).toEqual(findings),
    ),
  ).toEqual([])
})

test('a deviation describes what a user will miss', async () => {
  const { sent, route } = { sent: json([TAG, TAG_WITHOUT_ID, TAG]), route: getEndpoint('tags.list').route }
  const url = new URL(HERE + route.path)
  const found = evaluateSuccess(route, {
    sent: { method: 'GET', url, headers: {}, body: undefined },
    at: new Date(0),
    ms: 1,
    status: 200,
    headers: sent.headers,
    contentType: 'application/json',
    text: '',
    body: await sent.json(),
    redirects: [],
  })
  expect(found.map(({ effect }) => effect)).toContain('1 of 3 entries is not shown')
})
