import { expect, test } from 'vitest'
import { checkBackend, formatFindings } from '#scripts/contracts/test-io.ts'
import { collectFailures } from '#server/test/collect-failures.ts'

const ORIGIN = 'https://portal.example'
const ALLOWED = {
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-methods': 'GET, PATCH',
  'access-control-allow-headers': 'authorization, content-type, x-csrftoken',
  'access-control-expose-headers': 'Date, Retry-After',
  'content-type': 'application/json',
  date: 'Mon, 02 Mar 2026 09:00:00 GMT',
}

type Change = (request: { method: string; path: string }) => { status?: number; headers?: Record<string, string> } | undefined

/** Findings for a backend that responds correctly except for `change`. */
async function runPreflight(base: string, change: Change) {
  const answer: typeof fetch = async (input, init = {}) => {
    const method = init.method ?? 'GET'
    const { status = method === 'OPTIONS' ? 204 : 401, headers } = change({ method, path: new URL(String(input)).pathname }) ?? {}
    const all = Object.entries({ ...ALLOWED, ...headers }).filter(([, value]) => value !== '')
    return new Response(status === 204 ? null : '{"detail":"no","code":"not_authenticated"}', { status, headers: all })
  }
  const { code, report } = await checkBackend(['--base', base, '--only', 'preflight.*', '--origin', ORIGIN], { fetch: answer })
  return { code, found: formatFindings(report).map((line) => line.replace('preflight preflight.', '')) }
}

const https = 'https://api.tracker.example'

const BACKENDS: [name: string, base: string, change: Change, lines: string[]][] = [
  ['everything as it should be', https, () => undefined, []],
  ['no encryption', 'http://api.tracker.example', () => undefined, ['fail tls: not encrypted: a portal on https cannot use it']],
  ['any origin', https, () => ({ headers: { 'access-control-allow-origin': '*' } }), []],
  [
    'another origin on errors',
    https,
    ({ path }) => (path === '/users/me/' ? { headers: { 'access-control-allow-origin': '' } } : undefined),
    ['fail cors: the 401 of GET /users/me/ allows no origin instead of https://portal.example'],
  ],
  [
    'a star for headers, which does not mean the token',
    https,
    () => ({ headers: { 'access-control-allow-headers': '*' } }),
    [
      'fail cors: OPTIONS /devices/ does not allow the header Authorization',
      'fail cors: OPTIONS /users/settings/ does not allow the header Authorization',
    ],
  ],
  [
    'no header against forgery, no method to write with',
    https,
    () => ({ headers: { 'access-control-allow-headers': 'Authorization, Content-Type', 'access-control-allow-methods': 'GET' } }),
    [
      'fail cors: OPTIONS /users/settings/ does not allow PATCH',
      'fail cors: OPTIONS /users/settings/ does not allow the header X-CSRFToken',
    ],
  ],
  [
    'the time kept to itself',
    https,
    () => ({ headers: { 'access-control-expose-headers': 'Retry-After' } }),
    ['drift+ cors: access-control-expose-headers Date is missing: the portal uses the clock of its device'],
  ],
  [
    'a clock ahead',
    https,
    () => ({ headers: { date: 'Mon, 02 Mar 2026 09:05:00 GMT' } }),
    ['fail clock: date 300 s ahead of this machine'],
  ],
  [
    'a clock behind',
    https,
    () => ({ headers: { date: 'Mon, 02 Mar 2026 08:00:00 GMT' } }),
    ['fail clock: date 3600 s behind this machine'],
  ],
  ['no clock', https, () => ({ headers: { date: '' } }), ['drift+ clock: date missing: the portal uses the clock of its device']],
  [
    'pages instead of JSON',
    https,
    ({ path }) => (path === '/users/me/' ? { headers: { 'content-type': 'text/html' } } : undefined),
    ['tolerated json: content-type text/html with status 401 instead of JSON'],
  ],
  [
    'one form of the prices, which the specification names in both, and one of the options',
    https,
    ({ path }) => (path === '/users/tracker_prices/' || path === '/options' ? { status: 404 } : undefined),
    ['drift+ slash: /options 404 instead of 401', 'fail slash: /users/tracker_prices/ 404 instead of 401'],
  ],
  [
    'a list in the other form only',
    https,
    ({ path }) => (path === '/tracker_places/' ? { status: 404 } : undefined),
    ['fail slash: /tracker_places/ 404, but /tracker_places 401'],
  ],
  ['a list in neither form', https, ({ path }) => (path.startsWith('/tracker_places') ? { status: 404 } : undefined), []],
  [
    'a list that redirects to the other form',
    https,
    ({ path }) => (path === '/tracker_tags/' ? { status: 301, headers: { location: '/tracker_tags' } } : undefined),
    ['drift+ slash: redirect /tracker_tags/ redirects with 301 to /tracker_tags: one more request, and a POST there may lose its body'],
  ],
]

test('preflight finds each way in which a backend keeps a portal from working', async () => {
  expect(
    await collectFailures(
      BACKENDS,
      ([name]) => name,
      async ([, base, change, lines]) => {
        const code = lines.some((line) => line.startsWith('fail')) ? 1 : 0
        expect(await runPreflight(base, change)).toEqual({ code, found: lines })
      },
    ),
  ).toEqual([])
})

test('an unreachable backend is reported for each preflight check that needs it', async () => {
  const { code, found } = await runPreflight(https, ({ path }) => {
    if (path === '/users/me/') throw new TypeError('fetch failed', { cause: new Error('socket hang up') })
    return undefined
  })
  expect([code, found]).toEqual([1, ['unreachable cors', 'unreachable json']])
})
