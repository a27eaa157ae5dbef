import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { answerNoRequest, endConnection } from '#server/lib/errors.ts'

type Limits = {
  /** Time in which the headers of a request must be complete, in ms. */
  headersMs: number
  /** Additional time in which the server reads what arrived while it was busy, in ms. */
  graceMs: number
}
type ClientError = Error & { code?: string }

const DEFAULTS: Limits = { headersMs: 10_000, graceMs: 1000 }

/**
 * Closes connections whose request does not arrive. Node counts the time from when it accepted the connection, even while the server was
 * too busy to read, and would reject requests that came in time; so those get additional time. A connection without a single byte, as
 * browsers open in advance, is closed without a response, which would be taken for that of the next request.
 */
export function createSlowClients({ headersMs, graceMs }: Limits = DEFAULTS) {
  let requestsOf: (socket: Socket) => Requests = () => NO_REQUESTS

  const refuse = (socket: Socket) => {
    if (socket.bytesRead === 0 || !socket.writable) return void socket.destroy()
    endConnection(socket, 'HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  }

  return {
    /** Options of Node's server, which checks its connections only this often. */
    http: { headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 2 },
    clientErrorHandler(error: ClientError, socket: Socket) {
      if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return answerNoRequest(error, socket)
      const { begun, open } = requestsOf(socket)
      if (open > 0) return refuse(socket)
      setTimeout(() => requestsOf(socket).begun > begun || refuse(socket), graceMs).unref()
    },
    /** Tracks which connections have a request. */
    watch(server: Server) {
      const connections = followRequests(server)
      requestsOf = (socket) => connections.get(socket) ?? NO_REQUESTS
    },
  }
}

/** The number of requests that a connection has begun, and of those in progress. */
type Requests = { begun: number; open: number }

const NO_REQUESTS: Readonly<Requests> = { begun: 0, open: 0 }

const followed = new WeakMap<Server, Map<Socket, Requests>>()

/** The open connections of a server with their requests. One listener is shared by all users, since it runs for each request. */
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
