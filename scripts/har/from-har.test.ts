import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { api } from '#contracts/index.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { startTerminal } from '#scripts/cli/test-terminal.ts'
import { runProxy } from '#scripts/contracts/proxy.ts'
import { createTempFolder, createTestIo } from '#scripts/contracts/test-io.ts'
import { listBlocks, splitCommand } from '#server/test/test-guide.ts'

type Entry = { request: { method: string; url: string }; response: { status: number; content: { text?: string; comment?: string } } }
type Terminal = Awaited<ReturnType<typeof startTerminal>>

test('the commands of docs/testing.md that create a world from a recording succeed', async () => {
  await using at = await startTerminal()
  using files = createTempFolder()
  mkdirSync(files.at('web'))
  writeFileSync(files.at('web/index.html'), '<!doctype html><title>Portal</title>')
  const { text } = listBlocks('docs/testing.md').find(({ language, text }) => language === 'bash' && text.includes('from-har'))!
  const ours = (word: string) => (/\.(har|json)$/.test(word) ? files.at(word) : word === 'dist/web' ? files.at('web') : word)
  const [proxy = [], ...others] = text.split('\n').map((line) => splitCommand(line).map(ours))
  expect(proxy.slice(0, 4)).toEqual(['npx', 'whereabouts', 'contracts', 'proxy'])
  const [, , , , , , ...flags] = proxy
  const entries = await record(
    at.server,
    files.at('calls.har'),
    async (call) => void (await (await signIn(call, 'alice@example.com'))('GET', '/users/me/')),
    ...flags,
  )
  expect(entries).toHaveLength(2)
  for (const [, , ...words] of others) expect(await at.type(...words)).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(readFileSync(files.at('recorded.json'), 'utf8')).users).toHaveLength(1)
})

/** Records the requests of `use` through a proxy in front of a server. */
async function record(base: string, file: string, use: (call: Call) => Promise<void>, ...flags: string[]) {
  const stop = new AbortController()
  const { io, printed } = createTestIo({ stop: stop.signal })
  const into = flags.includes('--record') ? [] : ['--record', file]
  const code = runProxy(['--base', base, '--port', '0', '--format', 'json', ...into, ...flags], io)
  await vi.waitFor(() => expect(printed.out).not.toBe(''), { timeout: 20_000 })
  const at = JSON.parse(printed.out.split('\n', 1)[0]!).listening as string
  await use(createCall(at))
  stop.abort()
  await code
  return JSON.parse(readFileSync(file, 'utf8')).log.entries as Entry[]
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of any call, read by the tests
type Body = any
type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<{ status: number; body: Body }>

const createCall =
  (base: string): Call =>
  async (method, path, body, headers = {}) => {
    const init = { method, headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) } }
    const answer = await fetch(base + path, { ...init, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text }
  }

/** Signs in with the form's call. */
async function signIn(call: Call, username: string): Promise<Call> {
  const { body } = await call('POST', '/api/v1/auth/web_get_token/', { username, password: 'Demo-1234' })
  return (method, path, sent) => call(method, path, sent, { authorization: `Bearer ${body.token}` })
}

/** Paths of every read of the contract that responds with JSON, with existing ids. */
async function listReads(call: Call): Promise<string[]> {
  const ids: Record<string, (string | number)[]> = {}
  for (const path of ['/devices/', '/tracker_places/', '/tracker_alerts/', '/users/orders/'])
    ids[path] = (await call('GET', path)).body.map((row: { id?: number; reference?: string }) => row.id ?? row.reference!)
  const paths = Object.values<Contract>(api).flatMap((contract) => Object.values(contract))
  return paths
    .filter(({ method, safety, access }) => method === 'GET' && safety === 'read' && access !== 'device')
    .flatMap(({ path }) => {
      const [list = '', rest] = path.split(/:\w+/)
      return rest === undefined ? [path] : (ids[list] ?? []).map((id) => list + id + rest)
    })
    .filter((path) => !/live|pdf|csv|theft_form|track\/|photos|\.ics/.test(path))
}

const inWorld = async (at: Terminal, world: string): Promise<Call> => {
  const call = createCall(at.server)
  const [{ key }] = (await call('GET', '/mock/personas', undefined, { 'x-world': world })).body
  const { token } = (await call('POST', '/mock/login', { persona: key }, { 'x-world': world })).body
  return (method, path, body) => call(method, path, body, { 'x-world': world, authorization: `Bearer ${token}` })
}

test('a recording of the local stack becomes a world in which every read is as recorded and changes continue to work', async () => {
  await using at = await startTerminal()
  using files = createTempFolder()
  const entries = await record(at.server, files.at('calls.har'), async (call) => {
    const alice = await signIn(call, 'alice@example.com')
    for (const path of await listReads(alice)) await alice('GET', path)
    for (let page = 1; page < 4; page++)
      await alice('GET', `/devices/1/tracker_data/?not_before=2026-02-25T00:00:00Z&not_after=2026-03-02T09:00:00Z&page=${page}`)
  })
  const reads = entries.filter(({ request, response }) => request.method === 'GET' && response.status === 200)
  expect(reads.length).toBeGreaterThan(100)
  const { code, out, err } = await at.type('world', 'from-har', files.at('calls.har'), '--name', 'recorded')
  expect(out).toMatch(
    /\d+ entries: \d+ became rows, \d+ are repeated as they were recorded, \d+ the world answers by itself, 0 are left out\n$/,
  )
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const alice = await inWorld(at, 'recorded')
  const differing: unknown[] = []
  for (const { request, response } of reads) {
    const path = request.url.slice(at.server.length)
    const recorded = withoutAddresses(JSON.parse(response.content.text!.replaceAll(at.server, '')))
    const { status, body } = await alice('GET', path)
    if (JSON.stringify([status, withoutAddresses(body)]) !== JSON.stringify([200, recorded]))
      differing.push({ path, status, body, recorded })
  }
  expect(differing).toEqual([])

  const places = (await alice('GET', '/tracker_places/')).body.length
  const place = { name: 'Beach', address: 'Rambla', type: 'other', radius: 300, lat: -34.92, lng: -56.15 }
  const { status, body: beach } = await alice('POST', '/tracker_places/', place)
  expect(status).toBe(201)
  expect((await alice('GET', '/tracker_places/')).body).toHaveLength(places + 1)
  expect((await alice('PATCH', `/tracker_places/${beach.id}/`, { radius: 500 })).body.radius).toBe(500)
  expect((await alice('DELETE', `/tracker_places/${beach.id}/`)).status).toBe(200)
  await at.type('clock', 'advance', 'P1D', '--world', 'recorded')
  expect((await alice('GET', '/devices/1/tracker_data/')).body.count).toBeGreaterThan(0)
})

/** A world fills the addresses of positions from the streets of its city. */
const withoutAddresses = (body: { results?: object[] }) =>
  body.results ? { ...body, results: body.results.map((fix) => ({ ...fix, address: null })) } : body

const PEOPLE = /alice|bob@|Miller|Demo-1234|Rambla/i

test('secrets and people never reach the file of a recording, equal ones are replaced by equal ones, and --keep-people keeps people', async () => {
  await using at = await startTerminal()
  using files = createTempFolder()
  let token = ''
  const use = async (call: Call) => {
    const { body } = await call('POST', '/api/v1/auth/web_get_token/', { username: 'alice@example.com', password: 'Demo-1234' })
    token = body.token
    const alice: Call = (method, path, sent) =>
      call(method, path, sent, { authorization: `Bearer ${token}`, cookie: 'sessionid=abcdefghi' })
    const place = { name: 'Beach', address: 'Rambla 7', type: 'other', radius: 300, lat: -34.92, lng: -56.15 }
    for (const path of ['/users/me/', '/tracker_contacts/', '/tracker_public_share_links/', '/users/payment_methods/'])
      await alice('GET', path)
    await alice('POST', '/tracker_places/', place)
    await call('GET', `/users/me/?token=${token}`)
  }
  const entries = await record(at.server, files.at('made.har'), use)
  const text = readFileSync(files.at('made.har'), 'utf8')
  const { body: contacts } = await at.portal.call('alice@example.com', 'GET', '/tracker_contacts/')
  for (const { name, email, phone } of contacts) for (const one of [name, email, phone]) if (one) expect(text).not.toContain(one)
  expect(text).not.toContain(token)
  expect(text).not.toMatch(/abcdefghi/)
  expect(text).not.toMatch(PEOPLE)
  const [signIn, me] = entries.map(({ response }) => JSON.parse(response.content.text!))
  expect(signIn.user).toEqual(me)
  expect(me.email).toBe('person1@example.com')
  expect(text).toContain(`Bearer ${signIn.token}`)

  const kept = await record(at.server, files.at('kept.har'), use, '--keep-people')
  const whole = readFileSync(files.at('kept.har'), 'utf8')
  expect(JSON.parse(kept[1]!.response.content.text!)).toMatchObject({ email: 'alice@example.com' })
  expect(whole).not.toContain(token)
  expect(whole).not.toContain('Demo-1234')
})

type Reply = { status?: number; body: unknown; type?: string }

/** A backend with its own format, which responds to each request with the next reply for its path. */
async function startBackend(replies: Record<string, Reply[]>) {
  const server = createServer((request, reply) => {
    const turn = replies[`${request.method} ${request.url}`] ?? []
    const { status = 200, body, type = 'application/json' } = (turn.length > 1 ? turn.shift() : turn[0]) ?? { status: 404, body: {} }
    request.resume()
    reply.writeHead(status, { 'content-type': type, date: 'Tue, 03 Feb 2026 10:00:00 GMT' })
    reply.end(type === 'application/json' ? JSON.stringify(body) : String(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.asyncDispose]: stop }
}

const HOME = { id: '7', name: 'Home', address: 'Main Road 3', type: 'HOME', radius: 100, devices: [], lat: '59.91', lng: '10.75' }
const ME = {
  id: 4,
  email: 'kari@firm.no',
  username: 'kari@firm.no',
  first_name: 'Kari',
  last_name: 'Nordmann',
  role: 'user',
  currency: 'eur',
  language: 'no',
}

test('a read, a change and another read differ as recorded, and other responses are repeated in order', async () => {
  await using at = await startTerminal()
  using files = createTempFolder()
  await using far = await startBackend({
    'GET /users/me/': [{ body: ME }],
    'GET /tracker_places/': [{ status: 503, body: 'busy', type: 'text/html' }, { body: [HOME] }, { body: [{ ...HOME, radius: 900 }] }],
    'PATCH /tracker_places/7/': [{ body: { ...HOME, radius: 900 } }],
    'GET /devices/1/weather/?unit=c': [{ body: { rain: 1 } }, { body: { rain: 2 } }, { body: { rain: 3 } }],
    'GET /devices/1/weather/': [{ body: { rain: 'all' } }],
    'POST /devices/1/walks/': [{ status: 201, body: { walk: 1, mail: 'kari@firm.no' } }],
    'GET /devices/live/': [{ body: ': open', type: 'text/event-stream' }],
  })
  await record(
    far.base,
    files.at('calls.har'),
    async (call) => {
      await call('GET', '/users/me/')
      for (let read = 0; read < 2; read++) await call('GET', '/tracker_places/')
      await call('PATCH', '/tracker_places/7/', { radius: 900 })
      await call('GET', '/tracker_places/')
      for (let read = 0; read < 3; read++) await call('GET', '/devices/1/weather/?unit=c')
      await call('GET', '/devices/1/weather/')
      await call('POST', '/devices/1/walks/', {})
      await call('GET', '/users/team/')
      await call('GET', '/devices/live/')
      await call('GET', '/logo.png')
    },
    '--keep-people',
  )
  const { calls, warnings, world } = await at.json('world', 'from-har', files.at('calls.har'), '--name', 'far', '--keep-people')
  expect(calls.map(({ becomes }: { becomes: string }) => becomes)).toEqual([
    ...['rows', 'answer', 'rows', 'live', 'rows', 'answer', 'answer', 'answer', 'answer', 'answer', 'answer', 'left out', 'left out'],
  ])
  expect(warnings).toEqual([
    expect.stringContaining('users[0].language is left out: Invalid option'),
    'entry 1, GET /users/me/ reads differently: language',
  ])
  expect(world.clock.now).toBe('2026-02-03T10:00:00Z')
  const kari = await inWorld(at, 'far')
  const read = async (path: string) => (await kari('GET', path)).body
  expect((await kari('GET', '/tracker_places/')).status).toBe(503)
  expect(await read('/tracker_places/')).toMatchObject([
    { id: 7, name: 'Home', address: 'Main Road 3', type: 'home', radius: 100, lat: 59.91 },
  ])
  await kari('PATCH', '/tracker_places/7/', { radius: 900 })
  expect(await read('/tracker_places/')).toMatchObject([{ id: 7, radius: 900 }])
  for (const rain of [1, 2, 3, 3]) expect(await read('/devices/1/weather/?unit=c')).toEqual({ rain })
  expect(await read('/devices/1/weather/')).toEqual({ rain: 'all' })
  expect(await kari('POST', '/devices/1/walks/', {})).toEqual({ status: 201, body: { walk: 1, mail: 'kari@firm.no' } })
  expect((await kari('GET', '/users/team/')).status).toBe(404)
  expect(await read('/users/me/')).toMatchObject({ id: 4, first_name: 'Kari', email: 'kari@firm.no' })
})

test('a backend whose ids are not numbers is repeated as it was recorded', async () => {
  await using at = await startTerminal()
  using files = createTempFolder()
  const home = { ...HOME, id: '0b5d9c1e-77aa-4c39-9a55-0f1d2c3b4a59' }
  await using far = await startBackend({ 'GET /users/me/': [{ body: ME }], 'GET /tracker_places/': [{ body: [home] }] })
  await record(
    far.base,
    files.at('calls.har'),
    async (call) => {
      for (const path of ['/users/me/', '/tracker_places/']) await call('GET', path)
    },
    '--keep-people',
  )
  const { calls } = await at.json('world', 'from-har', files.at('calls.har'), '--name', 'text', '--keep-people')
  expect(calls.map(({ becomes }: { becomes: string }) => becomes)).toEqual(['rows', 'answer'])
  const kari = await inWorld(at, 'text')
  expect((await kari('GET', '/tracker_places/')).body).toEqual([{ ...home, id: expect.stringMatching(/^00000000-/) }])
})

/** An entry as the developer tools of a browser write it. */
const seen = (path: string, content: object, more: { status?: number; origin?: string; method?: string; headers?: object[] } = {}) => ({
  startedDateTime: '2026-02-03T10:00:00.000+01:00',
  time: 12.5,
  request: {
    method: more.method ?? 'GET',
    url: `${more.origin ?? 'https://portal.firm.no/api/v2'}${path}`,
    httpVersion: 'h2',
    headers: more.headers ?? [],
    cookies: [{ name: 'sessionid', value: 'very-secret-session' }],
  },
  response: { status: more.status ?? 200, headers: [], content: { size: 1, mimeType: 'application/json', ...content } },
  _initiator: { url: 'https://portal.firm.no/?token=very-secret-session' },
})
const json = (body: unknown) => ({ text: JSON.stringify(body) })

test('an archive of a browser becomes a world too: bodies in base64 are decoded, missing ones are listed with their entry and reason', async () => {
  await using at = await startTerminal()
  using files = createTempFolder()
  const log = {
    version: '1.2',
    entries: [
      seen('/', { mimeType: 'text/html', text: '<html>' }, { origin: 'https://portal.firm.no' }),
      seen('/users/me/', json(ME)),
      seen('/tracker_places/', { text: Buffer.from(JSON.stringify([HOME])).toString('base64'), encoding: 'base64' }),
      seen('/tracker_tags/', {}),
      seen('/tracker_contacts/', { text: '/wD/', encoding: 'base64' }),
      seen('/tracker_alerts/', {}, { status: 304 }),
      seen('/devices/', { text: 'H4sI', encoding: 'gzip' }),
      seen('/users/settings/', { text: '{"firstname":"Ka' }),
      seen('/users/me/', json({ ...ME, id: 5, email: 'ola@firm.no' }), {
        headers: [{ name: 'Authorization', value: 'Bearer another-session' }],
      }),
      seen('/users/me/', json(ME), { headers: [{ name: 'Authorization', value: 'Bearer very-secret-session' }] }),
      seen('/tracker_tags/', {}, { status: 401 }),
      seen('/users/orders/', json([]), { headers: [{ name: 'Authorization', value: 'Bearer very-secret-session' }] }),
    ],
  }
  writeFileSync(files.at('browser.har'), JSON.stringify({ log }))
  const { code, out, err } = await at.type('world', 'from-har', files.at('browser.har'), '--name', 'seen')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const reasons = [
    ['entry 1', 'no call of the API'],
    ['entry 4', 'the file has no body for it'],
    ['entry 5', 'the body is no text'],
    ['entry 6', '304: the browser had the body in its cache; record with an empty cache'],
    ['entry 7', 'the body has the unknown encoding gzip'],
    ['entry 8', 'the body is no JSON, so people in it could not be replaced (--keep-people keeps it)'],
    ['entry 9', 'the session of another person; record each alone'],
    ['entry 11', '401: a world asks for a session by itself'],
  ]
  for (const [entry, reason] of reasons) expect(out).toContain(`  ${entry}: ${reason}\n`)
  const kari = await inWorld(at, 'seen')
  expect((await kari('GET', '/users/me/')).body).toMatchObject({ id: 4, email: 'person1@example.com', first_name: 'Ada' })
  const [home] = (await kari('GET', '/tracker_places/')).body
  expect(home).toMatchObject({ id: 7, name: 'Home', address: '1 Elm Street', lat: -34.9, lng: -56.18 })
})

test.each([
  ['no JSON', 'GET /users/me/', 'not an HTTP archive: the file'],
  ['no entries', '{"log":{}}', 'not an HTTP archive: log.entries'],
  ['an entry without a request', JSON.stringify({ log: { entries: [seen('/users/me/', json(ME)), {}] } }), 'entry 2: startedDateTime'],
  [
    'an address that is none',
    JSON.stringify({ log: { entries: [seen('', {}, { origin: 'users' })] } }),
    'entry 1: request.url “users” is no URL',
  ],
  ['no entry', JSON.stringify({ log: { entries: [] } }), 'the recording is empty'],
  ['no call', JSON.stringify({ log: { entries: [seen('/dogs/', json([]))] } }), 'no entry is a call of the API; --base names its address'],
  ['no usable call', JSON.stringify({ log: { entries: [seen('/users/me/', {})] } }), 'entry 1: the file has no body for it'],
])('an archive with %s is refused with the reason', async (_, text, reason) => {
  await using at = await startTerminal()
  using files = createTempFolder()
  writeFileSync(files.at('bad.har'), text)
  const { code, err } = await at.type('world', 'from-har', files.at('bad.har'))
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) })
})
