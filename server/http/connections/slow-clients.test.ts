import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { createSlowClients } from './slow-clients.ts'

const LIMITS = { headersMs: 200, graceMs: 100 }
const REQUEST = 'GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n'
const apps: ReturnType<typeof Fastify>[] = []

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

async function startServer() {
  const slow = createSlowClients(LIMITS)
  const app = Fastify({ requestTimeout: 400, http: slow.http, clientErrorHandler: slow.clientErrorHandler })
  slow.watch(app.server)
  app.get('/', () => 'there')
  app.post('/', () => 'there')
  await app.listen({ port: 0, host: '127.0.0.1' })
  apps.push(app)
  return { app, port: (app.server.address() as AddressInfo).port }
}

/** All bytes that the server sends until it closes the connection. */
async function talk(port: number, sent: string) {
  const socket: Socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  if (sent) socket.write(sent)
  return text(socket)
}

test('a connection that never sends a byte is closed without a response', async () => {
  const { port } = await startServer()
  expect(await talk(port, '')).toBe('')
})

test('headers or a body that are not complete in time are refused with 408', async () => {
  const { port } = await startServer()
  expect(await talk(port, 'GET / HTTP/1.1\r\nhost: he')).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  const body = 'POST / HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{'
  expect(await talk(port, body)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('bytes that are not a request are refused with 400', async () => {
  const { port } = await startServer()
  expect(await talk(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
})

test('a refused client that never closes its side is cut off', async () => {
  const { app, port } = await startServer()
  const countConnections = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))
  const sockets = ['hello\r\n\r\n', 'GET / HTTP/1.1\r\nhost: he'].map((sent) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write(sent)
    return socket.resume()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'end')))
  await expect.poll(countConnections).toBe(0)
  for (const socket of sockets) socket.destroy()
})

test('a request that waited because the server was busy is answered', async () => {
  const { app, port } = await startServer()
  app.server.once('connection', () =>
    setImmediate(() => {
      const end = performance.now() + 3 * LIMITS.headersMs
      while (performance.now() < end);
    }),
  )
  // In a thread of its own, because this one is blocked.
  const client = `
    const { parentPort, workerData } = require('node:worker_threads')
    const socket = require('node:net').connect(workerData.port, '127.0.0.1')
    let answer = ''
    socket.on('connect', () => setTimeout(() => socket.write(workerData.request), 50))
    socket.on('data', (bytes) => { answer += bytes })
    socket.on('close', () => parentPort.postMessage(answer))`
  const worker = new Worker(client, { eval: true, workerData: { port, request: REQUEST } })
  const [answer] = await once(worker, 'message')
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})
