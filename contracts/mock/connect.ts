import * as z from 'zod/mini'
import { ErrorBody, type ErrorCode } from '#contracts/lib/errors.ts'
import { buildUrl, type Client, type Contract, createClient, findContentType, type RequestInput, type Route } from '#contracts/lib/route.ts'
import { createEventParser, type StreamEvent } from '#contracts/lib/sse.ts'

/** Address of a mock server and how to authenticate there. */
export type Server = {
  /** Its origin, with or without a final slash. */
  base: string
  /** World of the requests; by default the world named by the host. */
  world?: string | undefined
  /** Sent as bearer token: a session token for the documented API, the server's `CONTROL_TOKEN` for the control plane. */
  token?: string | undefined
  fetch?: typeof fetch
}

export type Clients<T extends Record<string, Contract>> = { [Noun in keyof T]: Client<T[Noun], Options> }
type Options = { signal?: AbortSignal }

/** An error response; `status` is 0 when there was no response. */
export class RequestFailed extends Error {
  readonly status: number
  readonly answer: unknown
  /** The code in the response's body; undefined when it has none. */
  readonly code: ErrorCode | undefined

  constructor({ method, path }: Route, status: number, answer: unknown, options?: ErrorOptions) {
    super(`${method} ${path}: ${status === 0 ? 'no answer' : `${status} ${formatReason(answer)}`}`, options)
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
    throw new RequestFailed(route, 0, undefined, { cause })
  })
  const schema = route.response[answer.status as keyof Route['response']]
  const media = schema && findContentType(schema)
  if (media === 'text/event-stream') return readText(answer.body!)
  if (media) return new Uint8Array(await answer.arrayBuffer())
  const parsed = parseJson(await answer.text())
  if (!schema) throw new RequestFailed(route, answer.status, parsed)
  return z.parse(schema, parsed)
}

function buildHeaders(route: Route, body: unknown, { world, token }: Server) {
  const type = route.body && (findContentType(route.body) ?? 'application/json')
  return {
    ...(world && { 'x-world': world }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && type && { 'content-type': type }),
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
  const { code, errors = {} } = body.data
  return `${code ?? ''} ${Object.entries(errors)
    .map(([field, reasons]) => `${field}: ${reasons}`)
    .join(', ')}`.trim()
}

const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
