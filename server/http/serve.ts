import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import * as z from 'zod/mini'
import type { ErrorCode } from '#contracts/lib/errors.ts'
import {
  type BodyOf,
  type Contract,
  findContentType,
  findUpload,
  getSuccess,
  isDeed,
  listErrorCodes,
  type ParsedOf,
  type Route,
  type StaffAccess,
} from '#contracts/lib/route.ts'
import { RequestCaller } from '#server/http/access/caller.ts'
import { enterGate } from '#server/http/access/fair-gate.ts'
import { ResponseCookies } from '#server/http/access/response-cookies.ts'
import { readRepeat } from '#server/http/access/staff-access.ts'
import { sendNotModified } from '#server/http/encoding/etag.ts'
import { apiHeaders, Failure, invalidField } from '#server/lib/errors.ts'
import type { Actor, DeviceContext, HandlerContext, StaffContext, ViewerContext } from '#server/ports/world.ts'
import { registerUploadRoute, streamUpload } from './uploads.ts'

z.config(z.locales.en())

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route
  }
}

/** JSON assembled from parts that passed the response schema; sent as 304 when its ETag matches. */
export type Composed = { composed: Buffer; etag: string }

export type Download = {
  filename: string
  content: Uint8Array | AsyncIterable<string | Uint8Array>
  /** If it depends on the query; else as the contract says. */
  contentType?: string
}

type HandlerResult<R extends Route> =
  BodyOf<R> extends Uint8Array ? Download : BodyOf<R> extends AsyncIterable<string> ? AsyncIterable<string | Buffer> : BodyOf<R> | Composed

type RouteContext<R extends Route> = R['access'] extends 'public'
  ? HandlerContext
  : R['access'] extends 'device'
    ? DeviceContext
    : R['access'] extends StaffAccess
      ? StaffContext
      : ViewerContext

/** One function per endpoint, from (parsed input, context) to the response. A missing or misspelled one is a type error. */
export type Handlers<C extends Contract> = {
  [K in keyof C]: (input: ParsedOf<C[K]>, context: RouteContext<C[K]>) => HandlerResult<C[K]> | Promise<HandlerResult<C[K]>>
}

type Handle = (input: object, context: object) => unknown

/** Public endpoints are limited by address. The control plane has its own guard and serves whole test suites, so it is exempt. */
const isRateLimited = ({ access, path }: Route) => access === 'public' && !path.startsWith('/mock/')

/** Body limits for the JSON of a person. Devices send many positions at once, and the control plane whole worlds. */
const PERSON_BODY_LIMIT = 64 * 1024

const isOfPerson = ({ access, path }: Route) => access !== 'device' && !path.startsWith('/mock/')

/** Registers one Fastify route per entry of the contract. */
export function serve<C extends Contract>(app: FastifyInstance, contract: C, handlers: Handlers<C>) {
  for (const [name, route] of Object.entries(contract)) {
    const declared = new Set<ErrorCode>(listErrorCodes(route))
    const handle = handlers[name] as Handle
    const success = describeSuccess(route)
    const upload = findUpload(route.body)
    const options: RouteOptions = {
      method: route.method,
      url: route.path,
      ...(isOfPerson(route) && !upload && { bodyLimit: PERSON_BODY_LIMIT }),
      config: { route, rateLimit: isRateLimited(route) ? {} : false },
      // No HEAD for streams, which never end, or for a GET with side effects.
      exposeHeadRoute: route.safety === 'read' && success.contentType !== 'text/event-stream',
      handler: async (request, reply) => {
        const leave = route.costly ? await waitAtGate(request, reply) : undefined
        try {
          const input = parseRequest(route, upload, request)
          return sendResponse(success, request, reply, await handle(input, buildContext(request, reply)))
        } catch (error) {
          if (error instanceof Failure && !declared.has(error.code))
            throw new Error(`${name} does not declare ${error.code}`, { cause: error })
          throw error
        } finally {
          if (leave) leaveWhenSent(reply, leave)
        }
      },
    }
    if (upload) registerUploadRoute(upload, app, (scope) => scope.route(options))
    else app.route(options)
  }
}

/** Waits until no other costly request of the account runs; returns the function that leaves the queue. */
async function waitAtGate({ world, viewer }: FastifyRequest, { raw }: FastifyReply) {
  const { entered, leave } = enterGate(world.db, `account ${viewer?.accountId}`)
  raw.once('close', leave)
  await entered
  raw.off('close', leave)
  if (!raw.closed && !raw.destroyed) return leave
  leave()
  throw new Failure('account_busy')
}

/** A slow reader costs little after this time, so other requests of the account need not wait for it. */
const LONGEST_SENDING_MS = 30_000

/** The work may continue while the response is sent, as in an export. */
function leaveWhenSent({ raw }: FastifyReply, leave: () => void) {
  if (raw.closed || raw.destroyed || raw.writableFinished) return leave()
  const timer = setTimeout(leave, LONGEST_SENDING_MS).unref()
  const end = () => {
    clearTimeout(timer)
    leave()
  }
  raw.once('finish', end).once('close', end)
}

function parseRequest(route: Route, upload: ReturnType<typeof findUpload>, request: FastifyRequest) {
  const input: { params?: unknown; query?: unknown; body?: unknown } = {}
  if (route.params) input.params = parseInput(route.params, request.params, 'not_found')
  if (route.query) input.query = parseInput(route.query, request.query, 'validation_error')
  if (upload) input.body = streamUpload(request, upload)
  else if (route.body) input.body = parseInput(route.body, request.body === undefined ? {} : request.body, 'validation_error')
  return input
}

/** Returns the parsed data. Throws a failure that names the invalid fields. */
export function parseInput<T extends z.ZodMiniType>(schema: T, data: unknown, code: 'not_found' | 'validation_error'): z.output<T> {
  const parsed = z.safeParse(compileSchema(schema), data)
  if (parsed.success) {
    const field = findZero(parsed.data)
    if (field === null) return parsed.data
    throw code === 'not_found' ? new Failure(code) : invalidField(field || 'body', 'Contains the character U+0000')
  }
  const errors: Record<string, string[]> = {}
  // For an invalid address, only an unknown name in a closed list gets a reason.
  const issues = code === 'not_found' ? parsed.error.issues.filter((issue) => issue.code === 'invalid_value') : parsed.error.issues
  for (const issue of issues) {
    const field = issue.path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  throw new Failure(code, Object.keys(errors).length > 0 ? { errors } : {})
}

/** Returns the path of the first text with the character U+0000, which PostgreSQL cannot store; null when there is none. */
export const findZero = (value: unknown) => (hasZero(value) ? findZeroPath(value, '') : null)

/** The same check without the path, which takes longer than the search and is seldom needed. */
function hasZero(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  if (Array.isArray(value)) return value.some(hasZero)
  for (const key of Object.keys(value)) if (key.includes('\0') || hasZero(value[key as keyof typeof value])) return true
  return false
}

function findZeroPath(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null
  for (const [key, each] of Object.entries(value)) {
    const inner = path ? `${path}.${key}` : key
    const found = key.includes('\0') ? path : findZeroPath(each, inner)
    if (found !== null) return found
  }
  return null
}

/**
 * The context of a handler; also for pages without an endpoint. Own properties come before the spread: adding them after it takes ten times
 * as long.
 */
export function buildContext(
  request: FastifyRequest,
  reply: FastifyReply,
): HandlerContext & Partial<ViewerContext & DeviceContext & StaffContext> {
  const { viewer, session, deviceKey, actor, world } = request
  const lastEventId = request.headers['last-event-id']
  return {
    cookies: new ResponseCookies(request, reply),
    caller: new RequestCaller(request),
    ...world,
    ...(viewer && session && { viewer, session }),
    ...(deviceKey && { deviceKey }),
    ...(actor && buildStaffContext(request, actor)),
    ...(typeof lastEventId === 'string' && /^\d{1,15}$/.test(lastEventId) && { lastEventId: Number(lastEventId) }),
  }
}

function buildStaffContext(request: FastifyRequest, actor: Actor) {
  const { staffToken, routeOptions } = request
  const repeat = routeOptions.config.route && isDeed(routeOptions.config.route) ? readRepeat(request) : undefined
  return { actor, ...(staffToken !== null && { staffToken }), ...(repeat && { repeat }) }
}

function describeSuccess(route: Route) {
  const { status, schema } = getSuccess(route)
  return { status, schema, contentType: findContentType(schema) }
}

function sendResponse(success: ReturnType<typeof describeSuccess>, request: FastifyRequest, reply: FastifyReply, result: unknown) {
  const { status, schema, contentType } = success
  reply.code(status)
  reply.headers(apiHeaders)
  if (contentType === 'text/event-stream') return sendEvents(reply, result as AsyncIterable<string | Buffer>)
  if (contentType) return sendDownload(reply, (result as Download).contentType ?? contentType, result as Download)
  if (isComposed(result)) return sendComposed(request, reply, result)
  if (status === 204) return reply.send()
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(z.parse(compileSchema(schema), result)))
}

function sendEvents(reply: FastifyReply, events: AsyncIterable<string | Buffer>) {
  // Ends with its connection, so that an event is one write without chunk framing.
  reply.raw.removeHeader('transfer-encoding')
  return reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).send(openStream(reply, events))
}

function openStream({ request: { server } }: FastifyReply, events: AsyncIterable<string | Buffer>) {
  const stream = readEvents(events)
  server.openStreams.add(stream)
  return stream.once('close', () => server.openStreams.delete(stream))
}

/** Like `Readable.from`, with half of its promises, since each event passes here once for each stream. */
function readEvents(events: AsyncIterable<string | Buffer>) {
  const iterator = events[Symbol.asyncIterator]()
  let isOver = false
  const stream = new Readable({
    read() {
      iterator.next().then(
        ({ done, value }) => {
          if (done) end()
          else if (!isOver && !stream.destroyed) stream.push(value)
        },
        (error) => stream.destroy(error),
      )
    },
    destroy(error, done) {
      const finish = () => done(error)
      Promise.resolve(iterator.return?.()).then(finish, finish)
    },
  })
  function end() {
    if (!isOver && !stream.destroyed) stream.push(null)
    isOver = true
  }
  return Object.assign(stream, { end })
}

function sendDownload(reply: FastifyReply, contentType: string, { filename, content }: Download) {
  const ascii = filename.normalize('NFKD').replace(/[^\w.-]+/g, '_')
  reply.header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(filename)}`)
  reply.type(contentType === 'text/csv' ? 'text/csv; charset=utf-8' : contentType)
  return reply.send(ArrayBuffer.isView(content) ? content : Readable.from(content))
}

/** Percent-encodes as RFC 8187 requires; `encodeURIComponent` leaves four characters that would end or change the name. */
const encodeExtended = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const isComposed = (result: unknown): result is Composed => typeof result === 'object' && result !== null && 'composed' in result

function sendComposed(request: FastifyRequest, reply: FastifyReply, { composed: body, etag }: Composed) {
  reply.header('cache-control', 'private, no-cache')
  if (sendNotModified(reply, etag, request.headers['if-none-match'])) return reply
  return reply.type('application/json; charset=utf-8').send(body)
}

const compiledSchemas = new WeakMap<z.ZodMiniType, z.ZodMiniType>()

/**
 * Returns the schema with its checks as generated code, which is several times faster. Compiled at first use and shared by all servers of
 * the process.
 */
export function compileSchema<T extends z.ZodMiniType>(schema: T): T {
  const compiledSchema = compiledSchemas.get(schema) ?? z.compile(schema)
  compiledSchemas.set(schema, compiledSchema)
  return compiledSchema as T
}
