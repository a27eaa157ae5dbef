import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { runProxy } from './proxy.ts'
import { createTempFolder, createTestIo, startListeningPortal } from './test-io.ts'

const PATIENCE = { timeout: 20_000 }

/** A proxy in front of a backend; `ended` stops it and resolves with exit code and summary. */
async function startProxy(base: string, ...flags: string[]) {
  const stop = new AbortController()
  const { io, printed } = createTestIo({ stop: stop.signal })
  const code = runProxy(['--base', base, '--port', '0', '--format', 'json', ...flags], io)
  await vi.waitFor(() => expect(printed.out).not.toBe(''), PATIENCE)
  const lines = () =>
    printed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return {
    at: lines()[0].listening as string,
    violations: () =>
      lines()
        .slice(1)
        .filter((line) => !line.summary),
    async ended() {
      stop.abort()
      return { code: await code, summary: lines().at(-1).summary }
    },
  }
}

async function backend(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.asyncDispose]: stop }
}

test('requests and responses that pass the proxy are checked against the contract and summed up at the end', async () => {
  await using portal = await startListeningPortal()
  const through = await startProxy(portal.base)
  const authorization = `Bearer ${await portal.token('alice@example.com')}`
  await portal.call(null, 'POST', '/mock/faults/presets/contract_drift')
  const read = (path: string, init: RequestInit = {}) =>
    fetch(through.at + path, { ...init, headers: { authorization, ...init.headers } }).then((answer) => answer.text())
  await read('/users/me/')
  for (const path of ['/users/settings', '/devices/?type=tracker', '/devices/?type=tracker', '/users/nobody/?token=secret'])
    await read(path)
  await read('/users/settings/', { method: 'PATCH', body: '{"frist_name":"Al"}', headers: { 'content-type': 'application/json' } })
  const { code, summary } = await through.ended()
  const lines = through.violations().map(({ verdict, side, method, url, call, path }) => [verdict, side, method, url, call, path].join(' '))
  // A response is checked while it passes, so the next call may be checked first.
  const expected = [
    'drift+ response GET /users/settings users.settings nickname',
    'enum? response GET /devices/?type=tracker devices.list *.type',
    'enum? response GET /devices/?type=tracker devices.list *.type',
    'fail request GET /users/nobody/?token=%5Bredacted%5D  ',
    'drift+ request PATCH /users/settings/ users.changeSettings body.frist_name',
  ]
  expect(lines.toSorted()).toEqual(expected.toSorted())
  expect(code).toBe(1)
  expect(summary).toMatchObject({ calls: 6, clean: false })
})

test('traffic that conforms to the contract leaves the proxy clean', async () => {
  await using portal = await startListeningPortal()
  const through = await startProxy(portal.base)
  const answer = await fetch(`${through.at}/options/`)
  expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'not_authenticated' }])
  expect(await through.ended()).toEqual({ code: 0, summary: { calls: 1, unread: 0, clean: true, violations: [] } })
})

test('bodies pass the proxy unchanged, with the host of the backend, and cookies lose their domain', async () => {
  const bytes = Buffer.from([0, 255, 1, 254, 13, 10])
  const packed = gzipSync('{"detail":"no","code":"in_use"}')
  let seen: { headers: IncomingHttpHeaders; body: Buffer } | undefined
  await using far = await backend(async (request, reply) => {
    seen = { headers: request.headers, body: await buffer(request) }
    const cookie = 'sessionid=1; Domain=tracker.example; Path=/; HttpOnly'
    reply.writeHead(404, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'set-cookie': cookie }).end(packed)
  })
  const through = await startProxy(far.base)
  const answer = await fetch(`${through.at}/tracker_places/7/`, {
    method: 'DELETE',
    body: bytes,
    headers: { 'content-type': 'application/octet-stream', origin: 'https://portal.example' },
  })
  expect(await answer.json()).toEqual({ detail: 'no', code: 'in_use' })
  expect(answer.headers.get('set-cookie')).toBe('sessionid=1; Path=/; HttpOnly')
  expect(seen?.body).toEqual(bytes)
  expect(seen?.headers).toMatchObject({ host: new URL(far.base).host, origin: 'https://portal.example' })
  const violations = [{ verdict: 'tolerated', message: 'not a code of this call', count: 1, calls: ['places.remove'] }]
  expect(await through.ended()).toMatchObject({ code: 0, summary: { calls: 1, unread: 0, clean: true, violations } })
})

test('a body with an unknown encoding is counted as unread', async () => {
  await using far = await backend((_, reply) =>
    reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'zip' }).end('?'),
  )
  const through = await startProxy(far.base)
  expect(await (await fetch(`${through.at}/options/`)).text()).toBe('?')
  expect(await through.ended()).toMatchObject({ code: 0, summary: { calls: 1, unread: 1 } })
})

test('an event stream passes the proxy chunk by chunk', async () => {
  let next = () => {}
  await using far = await backend((_, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(': one\n\n')
    next = () => reply.end(': two\n\n')
  })
  const through = await startProxy(far.base)
  const reader = (await fetch(`${through.at}/devices/live/`)).body!.getReader()
  const piece = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await piece()).toBe(': one\n\n')
  next()
  expect(await piece()).toBe(': two\n\n')
  expect(await through.ended()).toMatchObject({ code: 0, summary: { calls: 1 } })
})

test('a redirect passes unchanged: one that a browser can repeat is drift, one that loses the body fails', async () => {
  await using far = await backend((request, reply) => reply.writeHead(301, { location: `${request.url}/` }).end())
  const through = await startProxy(far.base)
  const read = await fetch(`${through.at}/users/tracker_prices`, { redirect: 'manual' })
  expect([read.status, read.headers.get('location')]).toEqual([301, '/users/tracker_prices/'])
  await fetch(`${through.at}/users/register`, { method: 'POST', body: '{}', redirect: 'manual' })
  await fetch(`${through.at}//`, { redirect: 'manual' })
  expect(await through.ended()).toMatchObject({ code: 1, summary: { calls: 3 } })
  expect(through.violations().map(({ verdict, call, path, message }) => [verdict, call, path, message].join(' '))).toEqual([
    'drift+ subscriptions.prices redirect to /users/tracker_prices/',
    'fail users.register redirect to /users/register/',
  ])
})

test('the proxy responds with 502 when the backend is down', async () => {
  const through = await startProxy('http://127.0.0.1:1')
  const answer = await fetch(`${through.at}/options/`)
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('The backend did not respond')])
  await through.ended()
})

/** A folder with a built portal in `web`. */
function createPages() {
  const files = createTempFolder()
  mkdirSync(files.at('web'))
  writeFileSync(files.at('web/index.html'), '<!doctype html><title>Portal</title>')
  return files
}

test('with --portal the proxy serves the pages and forwards API requests', async () => {
  await using portal = await startListeningPortal()
  using files = createPages()
  const through = await startProxy(portal.base, '--portal', files.at('web'))
  expect(await (await fetch(`${through.at}/app/public_links`)).text()).toContain('<title>Portal</title>')
  expect(await (await fetch(`${through.at}/config.json`)).json()).toMatchObject({ apiBaseUrl: '' })
  expect((await fetch(`${through.at}/users/me/`)).status).toBe(401)
  expect(await through.ended()).toMatchObject({ code: 0, summary: { calls: 1 } })
})

test('with --config the proxied portal has that configuration, at the address of the proxy', async () => {
  await using portal = await startListeningPortal()
  using files = createPages()
  writeFileSync(files.at('config.json'), JSON.stringify({ apiBaseUrl: portal.base, auth: { scheme: 'Token' } }))
  const through = await startProxy(portal.base, '--portal', files.at('web'), '--config', files.at('config.json'))
  expect(await (await fetch(`${through.at}/config.json?now`)).json()).toEqual({ apiBaseUrl: '', auth: { scheme: 'Token' } })
  expect(await (await fetch(`${through.at}/login`)).text()).toContain('<title>Portal</title>')
  expect(await through.ended()).toMatchObject({ code: 0, summary: { calls: 0 } })
})

test('with --config the browser may load the tiles of that configuration, and the script of its card provider', async () => {
  await using portal = await startListeningPortal()
  using files = createPages()
  const tiles = { url: 'https://tiles.tracker.example/{z}/{x}/{y}.png', attribution: 'x', maxZoom: 19 }
  const named = { apiBaseUrl: portal.base, productName: 'x', supportEmail: 'help@tracker.example', tiles }
  writeFileSync(files.at('config.json'), JSON.stringify(named))
  const through = await startProxy(portal.base, '--portal', files.at('web'), '--config', files.at('config.json'))
  const policy = (await fetch(`${through.at}/login`, { headers: { accept: 'text/html' } })).headers.get('content-security-policy')
  expect(policy).toMatch(/img-src [^;]*https:\/\/tiles\.tracker\.example/)
  expect(policy).toMatch(/script-src [^;]*https:\/\/js\.stripe\.com/)
  expect(await through.ended()).toMatchObject({ code: 0 })
})

test('in text format each violation is one line', async () => {
  await using far = await backend((_, reply) => reply.writeHead(500, { 'content-type': 'text/html' }).end('<h1>500</h1>'))
  const stop = new AbortController()
  const { io, printed } = createTestIo({ stop: stop.signal })
  const code = runProxy(['--base', far.base, '--port', '0'], io)
  await vi.waitFor(() => expect(printed.out).toContain('Ctrl-C stops it'), PATIENCE)
  await fetch(`${printed.out.split(' ', 1)[0]}/options/`)
  stop.abort()
  expect(await code).toBe(1)
  expect(printed.out).toContain('fail      GET /options/ (sessions.options) 500, response status: 500 is no error of this call')
})

test('in text format a repeated violation is printed once, and the summary counts it over all calls', async () => {
  await using far = await backend((_, reply) => reply.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not found."}'))
  const stop = new AbortController()
  const { io, printed } = createTestIo({ stop: stop.signal })
  const code = runProxy(['--base', far.base, '--port', '0'], io)
  await vi.waitFor(() => expect(printed.out).toContain('Ctrl-C stops it'), PATIENCE)
  for (const path of ['/devices/7/', '/devices/8/', '/tracker_places/1/']) await fetch(printed.out.split(' ', 1)[0] + path)
  stop.abort()
  expect(await code).toBe(0)
  expect(printed.out.match(/an error without code \(worded by its status alone/g)).toHaveLength(2)
  expect(JSON.parse(printed.out.slice(printed.out.indexOf('{'))).violations).toMatchObject([
    { verdict: 'tolerated', message: 'an error without code', count: 3, calls: ['devices.get', 'places.get'] },
  ])
})
