import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Call, openLoad } from './load.ts'

type Seen = { method: string; url: string; body: string; headers: http.IncomingHttpHeaders }
const open: http.Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function serve(respond: (response: http.ServerResponse, n: number) => void = (response) => response.end('ok')) {
  const seen: Seen[] = []
  const sockets = new Set<unknown>()
  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += part))
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', body, headers: request.headers })
      respond(response, seen.length)
    })
  })
  server.on('connection', (socket) => sockets.add(socket))
  open.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?y=1`, seen, sockets }
}

async function send(call: Omit<Call, 'pid'>, requests: number) {
  const load = await openLoad({ ...call, pid: process.pid }, 1)
  try {
    return await load.times(requests)
  } finally {
    load.close()
  }
}

test('a load of some milliseconds counts every response, and the CPU time of the server', async () => {
  const { url, seen, sockets } = await serve()
  const load = await openLoad({ url, pid: process.pid }, 4)
  const { requests, ms, cpuMs } = await load.run(30)
  load.close()
  expect(requests).toBe(seen.length)
  expect(requests).toBeGreaterThan(0)
  expect(sockets.size).toBe(4)
  expect(ms).toBeGreaterThanOrEqual(30)
  expect(cpuMs).toBeGreaterThan(0)
})

test('every request carries the method, the headers and its own body', async () => {
  const { url, seen } = await serve()
  await send({ url, method: 'POST', headers: { 'x-device-key': 'k' }, body: (n) => JSON.stringify({ n, text: 'é' }) }, 3)
  expect(seen.map(({ body }) => JSON.parse(body).n)).toEqual([0, 1, 2])
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/x?y=1', headers: { 'x-device-key': 'k', 'content-type': 'application/json' } })
})

test.each([
  ['a chunked body', (response: http.ServerResponse) => response.write('a'.repeat(100_000), () => response.end('b'))],
  [
    'a long body with its length',
    (response: http.ServerResponse) => response.setHeader('content-length', 300_000).end('c'.repeat(300_000)),
  ],
  ['an empty chunked body', (response: http.ServerResponse) => response.setHeader('transfer-encoding', 'chunked').end()],
  ['a chunked body that ends like a last chunk', (response: http.ServerResponse) => response.write('0\r\n\r\n', () => response.end('!'))],
])('%s is read to its end before the next request', async (_, respond) => {
  const { url, seen } = await serve(respond)
  expect(await send({ url }, 3)).toHaveLength(3)
  expect(seen).toHaveLength(3)
})

test('a 304 has no body to wait for', async () => {
  const { url } = await serve((response) => response.writeHead(304).end())
  expect(await send({ url, status: 304 }, 2)).toHaveLength(2)
})

test('an unexpected status ends the load and names the URL, because an error is fast but is no throughput', async () => {
  const { url } = await serve((response, n) => response.writeHead(n === 2 ? 401 : 200).end())
  await expect(send({ url }, 3)).rejects.toThrow(`${url} responded with 401, not 200`)
})

test('a connection that the server closes ends the load', async () => {
  const { url } = await serve((response) => response.destroy())
  await expect(send({ url }, 1)).rejects.toThrow('closed the connection')
})

test('the load fails when no server listens', async () => {
  const { url } = await serve()
  for (const server of open.splice(0)) await new Promise((closed) => server.close(closed))
  await expect(send({ url }, 1)).rejects.toThrow('ECONNREFUSED')
})
