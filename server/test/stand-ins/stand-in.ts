import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import { findEndpoint } from '#server/mock/lib/endpoints.ts'
import { type About, type Answer, applyToAnswer, type Habit, type Json, type Sent } from './habit.ts'

type Options = {
  /** Origin of the mock server. */
  upstream: string
  /** World of all requests; by default the one that the request names. */
  world?: string
}

export type StandIn = { origin: string; [Symbol.asyncDispose](): Promise<void> }

/** Headers of the connection, or of bytes that the stand-in has decompressed. */
const HOP_HEADERS = [
  'connection',
  'host',
  'keep-alive',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'accept-encoding',
  'etag',
]
/** Conditional requests would be compared with the body before the changes. */
const CONDITIONS = ['if-none-match', 'if-modified-since']

/** Starts a backend with deviations and the data of a mock server, open to portals on every origin. */
export async function startStandIn(habits: readonly Habit[], options: Options): Promise<StandIn> {
  const seen = new Map<string, number>()
  /** The time of the world in the mock server's last response. */
  let date: string | undefined
  const server = createServer((request, reply) => {
    // The portal follows the time of responses, and Node would send that of this machine.
    reply.sendDate = false
    respond(request, reply).catch((error: Error) => {
      if (reply.headersSent || reply.closed) reply.destroy()
      else reply.writeHead(502, corsHeaders(request)).end(`${error} ${error.cause ?? ''}`.trim())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const delayMs = habits.reduce((sum, habit) => sum + (habit.delayMs ?? 0), 0)

  async function respond(request: IncomingMessage, reply: ServerResponse) {
    const { method = 'GET' } = request
    if (method === 'OPTIONS') return void reply.writeHead(204, corsHeaders(request)).end()
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const bytes = await buffer(request)
    const isJson = bytes.length > 0 && (request.headers['content-type'] ?? '').includes('json')
    const original: Sent = {
      path: pathname,
      query: searchParams,
      headers: pickHeaders(request.headers, [...HOP_HEADERS, ...CONDITIONS]),
      ...(isJson && { json: JSON.parse(bytes.toString()) as Json }),
    }
    const about: About = { method, path: pathname, query: searchParams, origin, route: findEndpoint(method, pathname)?.route }
    const key = `${method} ${pathname}`
    const earlier = seen.get(key) ?? 0
    seen.set(key, earlier + 1)
    if (delayMs > 0) await delay(delayMs)
    const refused = habits.map((habit) => habit.refuse?.(about, original, earlier)).find((answer) => answer !== undefined)
    if (refused) return send(request, reply, { ...refused, headers: { ...(date && { date }), ...refused.headers } })
    const sent = habits.reduce((value, habit) => habit.request?.(value, about) ?? value, original)
    const left = new AbortController()
    reply.on('close', () => left.abort())
    const call = { method, signal: left.signal, ...(!isJson && { bytes }) }
    const response = await forward(sent, call).catch((error: Error) => {
      // The mock server may close an idle connection just when it is reused.
      if (method !== 'GET' || left.signal.aborted) throw error
      return forward(sent, call)
    })
    date = response.headers.get('date') ?? date
    const headers = pickHeaders(Object.fromEntries(response.headers), HOP_HEADERS)
    const type = response.headers.get('content-type') ?? ''
    if (type.includes('json')) {
      const answer: Answer = { status: response.status, headers, json: (await response.json()) as Json }
      return send(request, reply, applyToAnswer(habits, answer, about))
    }
    // Files and live streams pass unchanged.
    if (type === '') return send(request, reply, applyToAnswer(habits, { status: response.status, headers }, about))
    reply.writeHead(response.status, { ...headers, ...corsHeaders(request) })
    if (!response.body) return void reply.end()
    // A client that leaves a live stream ends it.
    await pipeline(Readable.fromWeb(response.body as ReadableStream), reply).catch(() => reply.destroy())
  }

  const forward = (
    { path, query, headers, json }: Sent,
    { method, bytes, signal }: { method: string; bytes?: Buffer; signal: AbortSignal },
  ) => {
    const body = json === undefined ? bytes : JSON.stringify(json)
    return fetch(`${options.upstream}${path}${query.size > 0 ? `?${query}` : ''}`, {
      method,
      signal,
      redirect: 'manual',
      headers: { ...headers, ...(options.world && { 'x-world': options.world }) },
      ...(body !== undefined && body.length > 0 && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    })
  }

  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin, [Symbol.asyncDispose]: stop }
}

function send(request: IncomingMessage, reply: ServerResponse, { status, headers, json, text }: Answer) {
  const body = json === undefined ? text : JSON.stringify(json)
  const { 'content-type': type, ...others } = headers
  const sent = { ...others, ...(body !== undefined && type !== undefined && { 'content-type': type }), ...corsHeaders(request) }
  reply.writeHead(status, sent).end(status === 204 ? undefined : body)
}

const pickHeaders = (headers: Record<string, string | string[] | undefined>, without: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || without.includes(name) || name.startsWith('access-control-') ? [] : [[name, String(value)]],
    ),
  )

const corsHeaders = ({ headers }: IncomingMessage): Record<string, string> => ({
  'access-control-allow-origin': headers.origin ?? '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
  'access-control-expose-headers': '*, Date, Retry-After, Content-Disposition',
  'access-control-max-age': '600',
})
