import * as z from 'zod/mini'
import { ErrorBody, type ErrorCode } from '#contracts/lib/errors.ts'
import { buildUrl, type Client, type Contract, createClient, findContentType, type RequestInput, type Route } from '#contracts/lib/route.ts'
import { createEventParser, type StreamEvent } from '#contracts/lib/sse.ts'

/** Address of a mock server and how to authenticate there. */
export type Server = {
  /** Origin of the server, with or without a final slash. */
  base: string
  /** World of the requests; by default the one named in the host. */
  world?: string | undefined
  /** Bearer token of the requests: a session token for the documented API, the server's `CONTROL_TOKEN` for the control plane. */
  token?: string | undefined
  /** Further headers of every request. */
  headers?: Record<string, string> | undefined
  fetch?: typeof fetch
}

export type Clients<T extends Record<string, Contract>> = { [Noun in keyof T]: Client<T[Noun], Options> }
type Options = { signal?: AbortSignal }

/** Codes of a connection that could not be made. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** Returns the first code among the causes of an error. */
function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const inner = error instanceof AggregateError ? error.errors.map(findCode).find(Boolean) : undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : (inner ?? findCode(error.cause))
}

/** Returns what is known about a failed request, beginning with the server's address if there was no response. */
function describeSilence(call: string, base: string, cause: unknown) {
  const code = findCode(cause)
  if (code && UNREACHABLE.includes(code))
    return `No server answers at ${base} (${code}): start one with \`npx whereabouts up\`, or set WHEREABOUTS_URL. The call was ${call}`
  return `${call}: no answer from ${base}${code ? ` (${code})` : ''}`
}

/** An error response; `status` is 0 when there was no response. */
export class RequestFailed extends Error {
  readonly status: number
  readonly answer: unknown
  /** The code in the response's body; undefined when the body has no code. */
  readonly code: ErrorCode | undefined

  constructor({ method, path }: Route, status: number, answer: unknown, { base = '', ...options }: ErrorOptions & { base?: string } = {}) {
    const call = `${method} ${path}`
    super(status === 0 ? describeSilence(call, base, options.cause) : `${call}: ${status} ${formatReason(answer)}`, options)
    this.status = status
    this.answer = answer
    this.code = ErrorBody.safeParse(answer).data?.code as ErrorCode | undefined
  }
}

/** Returns a client per resource: `connect(control, { base }).clock.advance({ body: { by: 'P3D' } })`. */
export const connect = <T extends Record<string, Contract>>(table: T, server: Server): Clients<T> =>
  Object.fromEntries(
    Object.entries(table).map(([noun, contract]) => [
      noun,
      createClient(contract, (route, input, options: Options = {}) => sendRequest(route, input, server, options)),
    ]),
  ) as Clients<T>

/** Yields the server-sent events of a stream until it ends. */
export async function* parseEvents(pieces: AsyncIterable<string>): AsyncGenerator<StreamEvent> {
  const parse = createEventParser()
  for await (const piece of pieces) yield* parse(piece)
}

async function sendRequest(route: Route, { params, query, body }: RequestInput, server: Server, { signal }: Options) {
  const send = server.fetch ?? fetch
  const answer = await send(buildUrl(server.base, route.path, { params, query }), {
    method: route.method,
    headers: buildHeaders(route, body, server),
    ...(signal && { signal }),
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new RequestFailed(route, 0, undefined, { cause, base: server.base })
  })
  const schema = route.response[answer.status as keyof Route['response']]
  const media = schema && findContentType(schema)
  if (media === 'text/event-stream') return readText(answer.body!)
  if (media) return new Uint8Array(await answer.arrayBuffer())
  const parsed = parseJson(await answer.text())
  if (!schema) throw new RequestFailed(route, answer.status, parsed)
  return z.parse(schema, parsed)
}

function buildHeaders(route: Route, body: unknown, { world, token, headers }: Server) {
  const type = route.body && (findContentType(route.body) ?? 'application/json')
  return {
    ...(world && { 'x-world': world }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && type && { 'content-type': type }),
    ...headers,
  }
}

async function* readText(body: ReadableStream<BufferSource>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

function formatReason(answer: unknown) {
  const body = ErrorBody.safeParse(answer)
  if (!body.success) return ''
  const { code, errors = {}, mails, pushes } = body.data
  const reasons = Object.entries(errors).map(([field, each]) => `${field}: ${each}`)
  return [`${code} ${reasons.join(', ')}`.trim(), ...formatSent('mail', mails), ...formatSent('notification', pushes)].join('\n  ')
}

const Sent = z.array(z.looseObject({ id: z.int(), to: z.optional(z.string()), user: z.optional(z.string()) }))

/** The entries that arrived instead of the awaited ones, newest first. */
function formatSent(what: string, listed: unknown) {
  const sent = Sent.safeParse(listed).data
  if (!sent) return []
  if (sent.length === 0) return [`the world has no ${what}`]
  const lines = sent.map(({ id, to, user, template, subject, title }) => {
    const name = template === undefined ? '' : `, ${template}`
    return `${what} ${id} to ${to ?? user}${name}: ${subject ?? title}`
  })
  return ['the newest of the world:', ...lines]
}

const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
