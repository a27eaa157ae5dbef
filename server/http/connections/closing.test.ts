import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { stream as eventStream } from '#contracts/lib/route.ts'
import { startWith } from '#server/test/test-app.ts'

const facts = { summary: 'Only a test', safety: 'read', provenance: 'ours', method: 'GET', access: 'public' } as const
const calls = {
  slow: { ...facts, path: '/calls/slow', response: { 200: z.object({ done: z.boolean() }) } },
  stream: { ...facts, path: '/calls/stream', response: { 200: eventStream('text/event-stream') } },
} as const

const createSignal = () => {
  let fire = () => {}
  const fired = new Promise<void>((resolve) => {
    fire = resolve
  })
  return { fired, fire }
}

/** Reads a whole response over a connection that the client would keep open. */
const read = (url: string, agent: Agent, onStart = () => {}) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      let text = ''
      response.on('data', (piece) => {
        text += String(piece)
        onStart()
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
      response.on('error', reject)
    })
    request.on('error', reject)
  })

test('closing the server finishes requests in progress, ends streams, and then resolves', async () => {
  const [arrived, released, streaming] = [createSignal(), createSignal(), createSignal()]
  const portal = await startWith(calls, {
    async slow() {
      arrived.fire()
      await released.fired
      return { done: true }
    },
    async *stream() {
      yield ': hello\n\n'
      await new Promise(() => {})
    },
  })
  const agent = new Agent({ keepAlive: true })
  const origin = await portal.app.listen({ host: '127.0.0.1', port: 0 })
  const slow = read(`${origin}/calls/slow`, agent)
  const stream = read(`${origin}/calls/stream`, agent, streaming.fire)
  await Promise.all([arrived.fired, streaming.fired])
  const closed = portal.app.close()
  expect(await stream).toEqual({ status: 200, text: ': hello\n\n' })
  await expect(read(`${origin}/healthz`, new Agent())).rejects.toThrow('ECONNREFUSED')
  released.fire()
  expect(await slow).toEqual({ status: 200, text: '{"done":true}' })
  await closed
  portal.worlds.closeAll()
})

test('a connection without a request, or with half of one, does not delay the closing of the server', async () => {
  const portal = await startWith({}, {})
  const { port } = new URL(await portal.app.listen({ host: '127.0.0.1', port: 0 }))
  const sockets = ['', 'GET /healthz HTTP/1.1\r\nhost: a'].map((text) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
    socket.write(text)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await portal.app.close()
  portal.worlds.closeAll()
  for (const socket of sockets) socket.destroy()
})
