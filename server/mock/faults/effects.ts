import { STATUS_CODES } from 'node:http'
import { pipeline, Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { defaultCodes, errors } from '#contracts/lib/errors.ts'
import { findNearest } from '#contracts/mock/choices.ts'
import { errorBody } from '#server/lib/errors.ts'
import type { Fault, PathEffect } from './faults.ts'
import { dropFraming } from './respond.ts'

type StreamFault = Extract<Fault, { effect: 'stream' }>

/** Disturbs the events of an event stream; comments, which keep the connection open, pass unchanged. */
export function disturbStream({ action, every }: Pick<StreamFault, 'action' | 'every'>) {
  let rest = ''
  let count = 0
  let held: string | undefined
  let isStalled = false
  /** The data that replaces an event. */
  function replace(event: string): readonly string[] {
    if (event.startsWith(':')) return [event]
    const isDisturbed = ++count % every === 0
    const before = held
    held = undefined
    if (before !== undefined) return [event, before]
    if (!isDisturbed) return [event]
    if (action === 'duplicate') return [event, event]
    if (action === 'reorder') held = event
    if (action === 'stall') isStalled = true
    return []
  }
  return new Transform({
    transform(piece, _, done) {
      const events = (rest + String(piece)).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) if (!isStalled) for (const sent of replace(event)) this.push(`${sent}\n\n`)
      done()
    },
  })
}

type Holder = Record<string, unknown>
type Changes = { set?: Record<string, unknown> | undefined; remove?: readonly string[] | undefined }

/**
 * Sets and removes values in JSON by path. Paths that match nothing are ignored, and inherited properties are never touched. Text that is
 * not JSON, such as a body truncated by another fault, is returned unchanged.
 */
export function editJson(json: string, { set = {}, remove = [] }: Changes, effects: Fault['paths'] = new Map()) {
  const body = parseJson(json)
  if (body === undefined) return json
  for (const [path, value] of Object.entries(set))
    editPath(body, path, effects, (holder, key) => {
      const nearest = Object.hasOwn(holder, key) ? undefined : findNearest(key, Object.keys(holder))
      Object.assign(holder, { [key]: value })
      return { hasHit: true, nearest }
    })
  for (const path of remove)
    editPath(body, path, effects, (holder, key) => {
      if (!Object.hasOwn(holder, key)) return { hasHit: false, nearest: findNearest(key, Object.keys(holder)) }
      Reflect.deleteProperty(holder, key)
      return { hasHit: true, nearest: undefined }
    })
  return JSON.stringify(body)
}

/** Edits a path in JSON, and records the result unless it has fully worked before. */
function editPath(body: unknown, path: string, effects: Fault['paths'], edit: (holder: Holder, key: string) => PathEffect) {
  let noted = effects.get(path) ?? { hasHit: false, nearest: undefined }
  visitPath(body, path.split('.'), (holder, key) => {
    const { hasHit, nearest } = edit(holder, key)
    const isFull = hasHit && nearest === undefined
    if (isFull) noted = { hasHit, nearest }
    else if (!(noted.hasHit && noted.nearest === undefined)) {
      const name = nearest === undefined ? noted.nearest : [...path.split('.').slice(0, -1), nearest].join('.')
      noted = { hasHit: hasHit || noted.hasHit, nearest: name }
    }
  })
  effects.set(path, noted)
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function visitPath(value: unknown, [key = '', ...rest]: string[], change: (holder: Holder, key: string) => void) {
  if (!isHolder(value)) return
  for (const name of key === '*' ? Object.keys(value) : [key]) {
    if (name === '__proto__') continue
    if (rest.length === 0) change(value, name)
    else if (Object.hasOwn(value, name)) visitPath(value[name], rest, change)
  }
}

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

type OutgoingResponse = { request: FastifyRequest; reply: FastifyReply; body: unknown }

const PIECES = 10
/** Effects on the whole body, for which a download is read to its end. */
const NEED_WHOLE: ReadonlySet<Fault['effect']> = new Set(['empty', 'malformed', 'mutate', 'stale'])

/** Applies faults to the body of a response, one after the other. Empty responses and event streams are left unchanged by all but `stream`. */
export async function distortBody(faults: readonly Fault[], { request, reply, body }: OutgoingResponse) {
  const isDownload = faults.some(({ effect }) => NEED_WHOLE.has(effect)) && body instanceof Readable && !isEventStream(reply)
  const whole: unknown = isDownload ? await buffer(body) : body
  const distorted = faults.reduce((left, fault) => applyFault(fault, { request, reply, body: left }), whole)
  // A client that saved the modified body must not get it confirmed by a 304.
  if (distorted !== whole) reply.removeHeader('etag')
  return distorted
}

function applyFault(fault: Fault, { request, reply, body }: OutgoingResponse): unknown {
  if (fault.effect === 'stream' && body instanceof Readable && isEventStream(reply))
    return pipeline(body, disturbStream(fault), () => undefined)
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body
  if (fault.effect === 'empty') return ''
  if (fault.effect === 'malformed') return truncate(Buffer.from(body))
  if (fault.effect === 'mutate' && isJson(reply)) return editJson(String(body), fault, fault.paths)
  if (fault.effect === 'stale' && request.method === 'GET' && reply.statusCode === 200) return getFirstResponse(fault, request, body)
  return body
}

/** Sends the body as slowly as the faults demand. Event streams are unchanged. */
export async function slowDown(faults: readonly Fault[], { reply, body }: Omit<OutgoingResponse, 'request'>) {
  const slow = faults.filter((fault) => fault.effect === 'slow')
  if (slow.length === 0 || isEventStream(reply)) return body
  const whole: unknown = body instanceof Readable ? await buffer(body) : body
  if (typeof whole !== 'string' && !Buffer.isBuffer(whole)) return whole
  // The server corrects a wrong length of a stub only if it is not a stream.
  reply.removeHeader('content-length')
  return Readable.from(sendSlowly(Buffer.from(whole), slow))
}

const truncate = (body: Buffer) => body.subarray(0, body.length >> 1)

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).includes('json')

const isEventStream = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('text/event-stream')

async function* sendSlowly(body: Buffer, faults: readonly Extract<Fault, { effect: 'slow' }>[]) {
  const total = Math.max(...faults.map(({ ms, bytes_per_second }) => ms ?? (body.length / bytes_per_second!) * 1000))
  const size = Math.max(1, Math.ceil(body.length / PIECES))
  for (let from = 0; from < body.length; from += size) {
    await pause(total / PIECES, undefined, { ref: false })
    yield body.subarray(from, from + size)
  }
}

function getFirstResponse({ firstResponses }: Fault, { url, headers, cookies }: FastifyRequest, body: string | Buffer) {
  const key = `${url} ${headers.authorization ?? cookies.sessionid ?? ''}`
  const first = firstResponses.get(key) ?? body
  firstResponses.set(key, first)
  return first
}

type StatusFault = Extract<Fault, { effect: 'status' }>

/** Sends an error in the API's format; a status without an error code is sent as a proxy's HTML page. */
export function sendFailure({ status, code = defaultCodes[status], body, headers = {} }: StatusFault, reply: FastifyReply) {
  const payload = body ?? (code && errors[code] ? errorBody(code) : renderProxyPage(status))
  const isText = typeof payload === 'string'
  reply
    .code(status)
    .headers(dropFraming(headers))
    .type(isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
    .send(isText ? payload : JSON.stringify(payload))
}

const renderProxyPage = (status: number) =>
  `<html><head><title>${status}</title></head><body><h1>${status} ${STATUS_CODES[status] ?? ''}</h1></body></html>\n`
