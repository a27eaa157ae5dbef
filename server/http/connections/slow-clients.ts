import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { answerNoRequest, endConnection } from '#server/lib/errors.ts'

type Limits = {
  /** Time in which the headers of a request must be complete, in ms. */
  headersMs: number
  /** Further time in which the server reads what has come while it was busy, in ms. */
  graceMs: number
}
type ClientError = Error & { code?: string }

const DEFAULTS: Limits = { headersMs: 10_000, graceMs: 1000 }

/**
 * Ends connections whose request does not come. Node counts the time from the moment at which it accepted the connection, also while the
 * server was too busy to read, and would refuse requests that came in time; so those get a further moment. A connection that never sent a
 * byte, as browsers open them in advance, is closed without a word, because a response would be taken for that of the next request.
 */
export function createSlowClients({ headersMs, graceMs }: Limits = DEFAULTS) {
  let requestsOf: (socket: Socket) => Requests = () => NO_REQUESTS

  const refuse = (socket: Socket) => {
    if (socket.bytesRead === 0 || !socket.writable) return void socket.destroy()
    endConnection(socket, 'HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  }

  return {
    /** Options of Node's server, which looks at its connections only this often. */
    http: { headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 2 },
    clientErrorHandler(error: ClientError, socket: Socket) {
      if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return answerNoRequest(error, socket)
      const { begun, open } = requestsOf(socket)
      if (open > 0) return refuse(socket)
      setTimeout(() => requestsOf(socket).begun > begun || refuse(socket), graceMs).unref()
    },
    /** Follows which connections have a request. */
    watch(server: Server) {
      const connections = followRequests(server)
      requestsOf = (socket) => connections.get(socket) ?? NO_REQUESTS
    },
  }
}

/** Requests that a connection has begun, and how many of them go on. */
type Requests = { begun: number; open: number }

const NO_REQUESTS: Readonly<Requests> = { begun: 0, open: 0 }

const followed = new WeakMap<Server, Map<Socket, Requests>>()

/** The open connections of a server with their requests. One listener for all who need it, since it runs for each request. */
export function followRequests(server: Server): ReadonlyMap<Socket, Requests> {
  const known = followed.get(server)
  if (known) return known
  const connections = new Map<Socket, Requests>()
  followed.set(server, connections)
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { begun: 0, open: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    const requests = connections.get(socket)
    if (!requests) return
    requests.begun++
    requests.open++
    response.once('close', () => void requests.open--)
  })
  return connections
}
