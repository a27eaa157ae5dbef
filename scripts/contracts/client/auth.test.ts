import { expect, test } from 'vitest'
import { createRedactor } from '#scripts/contracts/client/recorder.ts'
import { ALICE, checkBackend, startListeningPortal } from '#scripts/contracts/test-io.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { ANONYMOUS, findCsrf, findToken, readCookies, signRequest, toAuth } from './auth.ts'

test('the token of a sign-in is found under each name that frameworks use', () => {
  const bodies = [{ token: 'a' }, { key: 'a' }, { access: 'a', refresh: 'b' }, { auth_token: 'a' }, { data: { token: 'a' } }]
  expect(bodies.map(findToken)).toEqual(['a', 'a', 'a', 'a', 'a'])
  expect([{}, { token: '' }, { token: 1 }, { data: null }, 'a', null].map(findToken)).toEqual(Array(6).fill(undefined))
})

const SIGN_IN = '/api/v1/auth/web_get_token/'
const SCHEME = /^(\S+) (.+)$/

/** A backend whose sign-in responds with `body`, and which accepts only the given scheme. */
const withScheme =
  (scheme: string, body: (token: string) => object): typeof fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers)
    const [, used, token] = SCHEME.exec(headers.get('authorization') ?? '') ?? []
    if (token !== undefined) headers.set('authorization', used === scheme ? `Bearer ${token}` : 'Bearer wrong')
    const response = await fetch(input, { ...init, headers })
    if (!String(input).endsWith(SIGN_IN) || response.status !== 200) return response
    const given = (await response.json()) as { token: string }
    return Response.json(body(given.token), { headers: { date: response.headers.get('date') ?? '' } })
  }

const BACKENDS: [scheme: string, body: (token: string) => object][] = [
  ['Bearer', (token) => ({ access: token })],
  ['Token', (key) => ({ key })],
  ['JWT', (token) => ({ data: { token } })],
]

test('the scheme that the backend accepts is used for the whole run', async () => {
  await using portal = await startListeningPortal()
  const failures = await collectFailures(
    BACKENDS,
    ([scheme]) => scheme,
    async ([scheme, body]) => {
      const { code, report } = await checkBackend(['--base', portal.base, ...ALICE, '--only', 'tags.list'], {
        fetch: withScheme(scheme, body),
      })
      expect([code, report.results.map(({ name, note }) => `${name} ${note}`)]).toEqual([
        0,
        ['tags.list 200 GET /tracker_tags/', 'tags.list 401 GET /tracker_tags/'],
      ])
    },
  )
  expect(failures).toEqual([])
})

test('a session without a token is authenticated by its cookies, and changes by the CSRF cookie', () => {
  const headers = new Headers()
  for (const line of ['sessionid=1; Path=/; HttpOnly', 'XSRF-TOKEN=a%3D; Path=/', 'old=; Max-Age=0']) headers.append('set-cookie', line)
  const cookies = readCookies({ headers })
  const identity = { ...ANONYMOUS, cookies, csrf: findCsrf(cookies) }
  expect(signRequest('GET', identity, undefined)).toEqual({ cookie: 'sessionid=1; XSRF-TOKEN=a%3D' })
  expect(signRequest('POST', identity, undefined)).toMatchObject({ 'x-xsrf-token': 'a=' })
  expect([signRequest('GET', identity, null), signRequest('GET', identity, 'wrong')]).toEqual([{}, { authorization: 'Bearer wrong' }])
  expect(toAuth(identity)).toEqual({ csrfCookie: 'XSRF-TOKEN', csrfHeader: 'X-XSRF-TOKEN', credentials: 'include' })
  expect(toAuth({ ...ANONYMOUS, token: 'a', scheme: 'Token' })).toEqual({ scheme: 'Token' })
})

test('a token of another scheme is redacted too', () => {
  const redactor = createRedactor()
  redactor.add('abc')
  expect(redactor.redact('Token abc')).toBe('Token [redacted]')
})
