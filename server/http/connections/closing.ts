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

/** While the server closes, how often it looks for connections whose last response has been sent. */
const IDLE_CHECK_MS = 50

/** Ends event streams when the server closes: they never end by themselves, and their clients reconnect to the next server. */
export function endStreamsOnClose(app: FastifyInstance) {
  app.decorate('openStreams')
  app.openStreams = new Set()
  app.addHook('preClose', async () => {
    for (const stream of app.openStreams) stream.end()
  })
}

/** While the server closes, the time in ms in which a request must begin on a connection without one. */
const GRACE_MS = 1000

/**
 * When the server closes, finishes requests in progress and then closes their connections, which clients would keep open. Connections
 * without a request, which browsers open in advance, are not idle to Node and would delay the end indefinitely.
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

/** Turns without a new connection after which no connection is waiting, and the maximum number of turns. */
const TURNS = { quiet: 3, most: 50, ms: 10 }

/**
 * Resolves once the waiting connections are accepted and their requests read. Node accepts one connection per turn of its loop, and a
 * client still waiting when the server closes is cut off.
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
