import { describe, expect, test, vi } from 'vitest'
import { api } from '#contracts/index.ts'
import { type ClientPorts, createClient } from './api.ts'
import { ApiError } from './api-error.ts'

const user = {
  id: 1,
  username: 'alice',
  email: 'alice@example.com',
  email_confirmed: true,
  role: 'user',
  first_name: 'Alice',
  last_name: 'Martin',
  birth_date: null,
  admin_email: null,
  marketing_consent: false,
  language: 'en',
  currency: 'eur',
}

function outside(answer: () => Response | Promise<Response>, parts: Partial<ClientPorts> = {}) {
  const sent: { url: string; init: RequestInit; headers: Headers }[] = []
  const log = { failure: vi.fn() }
  const onLeave = vi.fn(() => true)
  const all: ClientPorts = {
    base: 'https://api.test/',
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init, headers: new Headers(init.headers) })
      return answer()
    },
    token: () => 'secret',
    cookies: () => '',
    log,
    onLeave,
    ...parts,
  }
  const make = () => all
  return {
    sent,
    log,
    onLeave,
    sessions: createClient(api.sessions, make),
    devices: createClient(api.devices, make),
    users: createClient(api.users, make),
    links: createClient(api.links, make),
    places: createClient(api.places, make),
    subscriptions: createClient(api.subscriptions, make),
    positions: createClient(api.positions, make),
  }
}

const json = (status: number, body: unknown) => () => new Response(JSON.stringify(body), { status })
const failure = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

describe('request', () => {
  test('R-6.8 the bearer token is read when the request is sent', async () => {
    let token = 'first'
    const { users, sent } = outside(json(200, user), { token: () => token })
    await users.me()
    token = 'second'
    await users.me()
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer first', 'Bearer second'])
  })

  test('public endpoints are called without a token', async () => {
    const { sessions, sent } = outside(json(200, { user, token: 't' }))
    await sessions.signIn({ body: { username: 'alice', password: 'x' } })
    expect(sent[0]?.headers.has('authorization')).toBe(false)
  })

  test('R-7.25 unsafe methods carry X-CSRFToken when the cookie exists', async () => {
    const { users, sent } = outside(json(200, user), { cookies: () => 'a=1; csrftoken=abc%3D; b=2' })
    await users.me()
    await users.sendConfirmation({ body: { send_email_confirmation: true } })
    expect(sent.map(({ headers }) => headers.get('X-CSRFToken'))).toEqual([null, 'abc='])
  })

  test('a file is sent as a multipart form whose content type the browser sets', async () => {
    const { places, sent } = outside(json(200, { created: [], errors: [] }))
    const body = new File(['name,address,type'], 'places.csv', { type: 'text/csv' })
    expect(await places.importCsv({ body })).toEqual({ created: [], errors: [] })
    const [{ init, headers } = { init: {}, headers: new Headers() }] = sent
    expect([init.method, headers.get('content-type')]).toEqual(['POST', null])
    const file = init.body instanceof FormData ? init.body.get('file') : null
    expect(file).toMatchObject({ name: 'places.csv', type: 'text/csv', size: 17 })
  })

  test('R-7.24 a request is given up after 30 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    await outside(json(200, user)).users.me()
    expect(timeout).toHaveBeenCalledWith(30_000)
    timeout.mockRestore()
  })
})

describe('response', () => {
  test('R-5.18 200 is success, and fields unknown to the contract are dropped', async () => {
    const { users } = outside(json(200, { ...user, password_hash: 'x' }))
    expect(await users.me()).toEqual(user)
  })

  test.each([202, 204, 206])('R-5.18 the status %i without the expected object is a failure', async (status) => {
    const { users } = outside(() => new Response(status === 204 ? null : '{}', { status }))
    expect((await failure(users.me())).code).toBe('unreadable')
  })

  test.each([200, 201, 202, 204])('R-5.19 activation accepts the status %i', async (status) => {
    const { devices } = outside(() => new Response(status === 204 ? null : '', { status }))
    await expect(devices.activate({ params: { id: 1 } })).resolves.toBeUndefined()
  })

  test.each([400, 404, 409, 410, 423, 429, 500])('R-7.29 %i is logged once and stays on the page', async (status) => {
    const { users, log, onLeave } = outside(
      json(status, { detail: 'No.', code: 'recurring_active', remaining: 2, errors: { email: ['bad'] } }),
    )
    const error = await failure(users.me())
    expect(error).toMatchObject({
      status,
      code: 'recurring_active',
      extras: { remaining: 2 },
      fields: { email: ['bad'] },
      isLeaving: false,
    })
    expect(log.failure).toHaveBeenCalledOnce()
    expect(onLeave).not.toHaveBeenCalled()
  })

  test('errors per line of a file are available next to the code', async () => {
    const errors = [{ line: 3, errors: { type: ['unknown_type'] } }]
    const { places } = outside(json(400, { detail: 'No.', code: 'no_good_row', created: [], errors }))
    const error = await failure(places.importCsv({ body: new Blob(['x']) }))
    expect(error).toMatchObject({ code: 'no_good_row', fields: {}, extras: { created: [], lines: errors } })
  })

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
  ])('R-7.27 R-8.24 %i leads to the login page', async (status, reason) => {
    const { users, log, onLeave } = outside(json(status, {}))
    expect((await failure(users.me())).isLeaving).toBe(true)
    expect(onLeave).toHaveBeenCalledExactlyOnceWith(reason)
    expect(log.failure).not.toHaveBeenCalled()
  })

  test('with `staysOn401` a 401 stays on the page', async () => {
    const { sessions, onLeave } = outside(json(401, { detail: 'No.', code: 'invalid_credentials' }))
    const error = await failure(sessions.signIn({ body: { username: 'a', password: 'b' } }, { staysOn401: true }))
    expect(error).toMatchObject({ status: 401, code: 'invalid_credentials', isLeaving: false })
    expect(onLeave).not.toHaveBeenCalled()
  })

  test('R-7.26 no response leads to /error', async () => {
    const { users, onLeave } = outside(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await failure(users.me())).toMatchObject({ status: 0, code: 'no_answer', isLeaving: true })
    expect(onLeave).toHaveBeenCalledExactlyOnceWith('no_answer')
  })

  test('a lost read is sent again, and a lost change is not', async () => {
    const lost = () => Promise.reject(new TypeError('Failed to fetch'))
    const cut = () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }))
    const queue = [lost, cut, json(200, user), lost]
    const { users, sent, onLeave } = outside(() => queue.shift()!())
    expect(await users.me()).toEqual(user)
    expect(onLeave).not.toHaveBeenCalled()
    await failure(users.sendConfirmation({ body: { send_email_confirmation: true } }))
    expect([sent.length, onLeave.mock.calls]).toEqual([4, [['no_answer']]])
  })

  test('a GET that changes something is sent once, whether it gets lost or the backend is busy', async () => {
    const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '0' } })
    for (const answer of [() => Promise.reject(new TypeError('Failed to fetch')), busy]) {
      const { subscriptions, sent } = outside(answer)
      await failure(subscriptions.linkByCode({ params: { deviceid: 1 }, query: { code: 'A' } }))
      expect(sent).toHaveLength(1)
    }
  })

  test('R-7.24 a timeout counts as no response', async () => {
    const { users, onLeave } = outside(() => Promise.reject(new DOMException('late', 'TimeoutError')))
    await failure(users.me())
    expect(onLeave).toHaveBeenCalledWith('no_answer')
  })

  test('R-7.26 a cancelled request is neither logged nor redirected', async () => {
    const stop = new AbortController()
    const { users, onLeave, log } = outside(() => {
      stop.abort()
      return Promise.reject(stop.signal.reason)
    })
    await expect(users.me({}, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(onLeave).not.toHaveBeenCalled()
    expect(log.failure).not.toHaveBeenCalled()
  })

  test.each([
    ['an empty', ''],
    ['an HTML', '<!doctype html><h1>502</h1>'],
    ['a JSON list as', '[]'],
    ['an unknown', '{"error":{"code":5}}'],
  ])('R-8.29 a failure with %s body gets the code for its status', async (_, body) => {
    const { links } = outside(() => new Response(body, { status: 404 }))
    expect(await failure(links.read({ params: { uuid: 'x' } }))).toMatchObject({ status: 404, code: 'not_found', fields: {} })
  })

  test('a 200 response that breaks the contract is a failure that is logged', async () => {
    const { users, log } = outside(json(200, [user]))
    expect((await failure(users.me())).code).toBe('unreadable')
    expect(log.failure).toHaveBeenCalledOnce()
  })

  test('a download is returned as bytes', async () => {
    const { positions } = outside(() => new Response('a,b', { headers: { 'content-type': 'text/csv' } }))
    expect(new TextDecoder().decode(await positions.exportCsv({ params: { id: 1 }, query: {} }))).toBe('a,b')
  })

  test('an HTML page instead of a file is an error', async () => {
    const { positions } = outside(() => new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }))
    expect((await failure(positions.exportCsv({ params: { id: 1 }, query: {} }))).code).toBe('unreadable')
  })
})
