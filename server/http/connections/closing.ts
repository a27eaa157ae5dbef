import type { Server } from 'node:http'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { followRequests } from './slow-clients.ts'

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: Set<Readable & { end(): void }>
  }
}

/** How often connections whose last response has been sent are looked for while the server closes. */
const IDLE_CHECK_MS = 50

/** Ends event streams when the server closes: they never end by themselves, and their clients reconnect to the next server. */
export function endStreamsOnClose(app: FastifyInstance) {
  app.decorate('openStreams')
  app.openStreams = new Set()
  app.addHook('preClose', async () => {
    for (const stream of app.openStreams) stream.end()
  })
}

/** Time in which a request must begin that comes over a connection without one while the server closes, in ms. */
const GRACE_MS = 1000

/**
 * Lets requests under way finish when the server closes, and closes their connections, which clients would keep open, right after. Connections
 * without a request, as browsers open them in advance, are not idle to Node and would hold the server without an end.
 */
export function endConnectionsOnClose(app: FastifyInstance) {
  const connections = followRequests(app.server)
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    let isGraceOver = false
    setTimeout(() => {
      isGraceOver = true
    }, GRACE_MS).unref()
    timer = setInterval(() => {
      app.server.closeIdleConnections()
      if (isGraceOver) for (const [socket, { open }] of connections) if (open === 0) socket.destroy()
    }, IDLE_CHECK_MS)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}

/** Turns without a new connection after which none waits, and the most turns. */
const TURNS = { quiet: 3, most: 50, ms: 10 }

/**
 * Resolves once the connections that wait are accepted and their requests read. Node accepts one connection in a turn of its loop, and a
 * client that waits when the server closes is cut off.
 */
export async function acceptWaiting(server: Server) {
  let accepted = 0
  server.on('connection', () => accepted++)
  for (let turn = 0, quiet = 0; turn < TURNS.most && quiet < TURNS.quiet; turn++) {
    const before = accepted
    await pause(TURNS.ms)
    quiet = accepted === before ? quiet + 1 : 0
  }
}
