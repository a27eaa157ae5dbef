import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

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

/** Lets requests under way finish when the server closes, and closes their connections, which clients would keep open, right after. */
export function endConnectionsOnClose(app: FastifyInstance) {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
