import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorBody, errors } from '#contracts/lib/errors.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const HANGING_MS = 5000
let portal: Awaited<ReturnType<typeof startPortal>>
let port: number
beforeAll(async () => {
  portal = await startPortal({ noted: false })
  port = Number(new URL(await portal.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => portal[Symbol.asyncDispose]())

/** Sends bytes over a socket and collects the response until the server closes it; our half is closed at once. */
const send = (bytes: string | Buffer) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.setTimeout(HANGING_MS, () => reject(new Error('the server keeps the connection open')))
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
    })
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })

function expectRefusal(response: string) {
  if (response === '') return
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1])
  expect(status, response).toBeLessThan(500)
  const body = response.slice(response.indexOf('\r\n\r\n') + 4)
  if (status < 400 || !body.includes('{')) return
  expect(errors).toHaveProperty(ErrorBody.parse(JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1))).code, status)
}

const host = 'Host: portal.test\r\n'
const BROKEN_REQUESTS: [string, string][] = [
  ['text that is no request', 'hello\r\n\r\n'],
  ['a request without host', 'GET / HTTP/1.1\r\n\r\n'],
  ['an unknown method', `BREW /devices/ HTTP/1.1\r\n${host}\r\n`],
  ['a header without end', `GET /devices/ HTTP/1.1\r\n${host}X: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['thousands of headers', `GET /devices/ HTTP/1.1\r\n${host}${'a: b\r\n'.repeat(5000)}\r\n`],
  ['an overlong path', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`],
  ['control characters in a header', `GET /devices/ HTTP/1.1\r\n${host}X: \u0000\u0007\r\n\r\n`],
  ['two lengths', `POST /users/register HTTP/1.1\r\n${host}Content-Length: 4\r\nContent-Length: 5\r\n\r\n{}`],
  ['a length and chunks', `POST /users/register HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a senseless length', `POST /users/register HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`],
  ['broken chunks', `POST /users/register HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
  [
    'a body shorter than its length',
    `POST /users/register HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{}`,
  ],
  ['an upgrade', `GET /devices/live/ HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ['a range of nothing', `GET /docs/static/swagger-ui.css HTTP/1.1\r\n${host}Range: bytes=999999999-\r\n\r\n`],
  ['a range that is none', `GET /docs/static/swagger-ui.css HTTP/1.1\r\n${host}Range: bytes=abc\r\n\r\n`],
  ['a condition on a file', `GET /docs/static/swagger-ui.css HTTP/1.1\r\n${host}If-Match: "x"\r\n\r\n`],
  ['a date condition on a file', `GET /docs/ HTTP/1.1\r\n${host}If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n`],
  ['a path above the files', `GET /docs/static/%2e%2e/%2e%2e/package.json HTTP/1.1\r\n${host}\r\n`],
  ['a path of dots', `GET /docs/static/.. HTTP/1.1\r\n${host}\r\n`],
  ['a zero byte in a path', `GET /docs/static/a%00b HTTP/1.1\r\n${host}\r\n`],
  ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001'],
]
test('a broken HTTP request is refused with our error body, or the connection is closed', async () => {
  const failures = await collectFailures(
    BROKEN_REQUESTS,
    ([name]) => name,
    async ([, bytes]) => {
      expectRefusal(await send(Buffer.from(bytes, 'latin1')))
      expect((await portal.app.inject('/healthz')).statusCode).toBe(200)
    },
  )
  expect(failures).toEqual([])
})

test('random bytes are refused with our error body, or the connection is closed', async () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.string({ unit: 'binary-ascii', maxLength: 80 }).map((text) => Buffer.from(`GET ${text} HTTP/1.1\r\n${host}\r\n`, 'latin1')),
    fc.string({ unit: 'binary', maxLength: 80 }).map((text) => Buffer.from(`GET /devices/ HTTP/1.1\r\n${host}${text}: ${text}\r\n\r\n`)),
  )
  await fc.assert(
    fc.asyncProperty(noise, async (bytes) => expectRefusal(await send(Buffer.from(bytes)))),
    { seed: 20_260_302, numRuns: 300, interruptAfterTimeLimit: 20_000 },
  )
  expect((await portal.app.inject('/healthz')).statusCode).toBe(200)
})
