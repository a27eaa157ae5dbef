import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Breach, findBreaches } from '#contracts/lib/breaches.ts'
import { errors } from '#contracts/lib/errors.ts'
import { compileSchema } from '#server/http/serve.ts'
import type { RecordedExchange } from '#server/mock/journal/journal.ts'
import { describeRequest, describeUnknownRequest, type EndpointRequest } from '#server/mock/lib/endpoint-requests.ts'
import { findEndpointName, isApiPath } from '#server/mock/lib/endpoints.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

/** Longest body to save, in characters. */
const MAX_BODY_LENGTH = 16_384
type SentResponse = { payload: unknown }
const NO_RESPONSE = { breaches: [], body: '' }

declare module 'fastify' {
  interface FastifyRequest {
    isUnrecorded: boolean
  }
}

/**
 * Records every API request with its response in the journal of its world and checks both against the contract. Call the returned function
 * after mounting everything that changes responses, so that the journal shows what was sent.
 */
export function recordRequests(app: FastifyInstance, worlds: MockWorlds) {
  app.decorateRequest('isUnrecorded', false)
  app.addHook('onRequest', (request, reply, done) => {
    const isRecorded = findEndpointName(request.routeOptions.config.route) !== undefined || (request.is404 && isApiPath(request.url))
    request.isUnrecorded = isRecorded
    if (isRecorded) reply.raw.once('close', () => recordRequest(request, reply))
    done()
  })
  return () =>
    app.addHook('onSend', (request, reply, payload, done) => {
      recordRequest(request, reply, { payload })
      done(null, payload)
    })

  /** `answer` is absent when the connection closed before the response. */
  function recordRequest(request: FastifyRequest, reply: FastifyReply, answer?: SentResponse) {
    if (!request.isUnrecorded) return
    request.isUnrecorded = false
    worlds.get(request.world.id)?.journal.add(buildExchange(request, reply, answer))
  }
}

type CheckedResponse = { requestBody: string; payload: unknown; breaches: Breach[]; body: string }

/** Frequent requests mostly repeat the same response, which need not be checked again. */
const checkedResponses = new LRUCache<string, CheckedResponse>({ max: 200 })

function checkResponse(
  call: EndpointRequest | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  requestBody: string,
  { payload }: SentResponse,
) {
  const key = `${request.method} ${request.url} ${reply.statusCode} ${reply.getHeader('content-type')}`
  const before = checkedResponses.get(key)
  if (before && before.requestBody === requestBody && before.payload === payload) return before
  const responseBody = bodyText(payload)
  const now = { requestBody, payload, breaches: checkContract(call, request, reply, responseBody), body: truncate(responseBody) }
  checkedResponses.set(key, now)
  return now
}

function buildExchange(request: FastifyRequest, reply: FastifyReply, answer: SentResponse | undefined): RecordedExchange {
  const user = request.viewer?.email ?? request.caller
  const call = describeRequest(request, user) ?? describeUnknownRequest(request, user)
  const requestBody = requestText(request)
  const { breaches, body } = answer ? checkResponse(call, request, reply, requestBody, answer) : NO_RESPONSE
  const hasCrashed = answer && call && reply.statusCode === errors.server_error && !isCausedByFault(request)
  return {
    at: request.world.clock.now(),
    ms: reply.elapsedTime,
    method: request.method,
    url: request.url,
    call,
    status: answer ? reply.statusCode : 0,
    faults: (request.faults ?? []).map(({ id }) => id),
    breaches: hasCrashed ? [...breaches, CRASH_BREACH] : breaches,
    request: { headers: request.headers, body: truncate(requestBody) },
    response: { headers: reply.getHeaders(), body },
  }
}

/** The contract allows a 500, but ours must never respond with one unless a fault causes it. */
const CRASH_BREACH: Breach = { side: 'response', kind: 'invalid', path: 'status', message: '500 without a fault that causes it' }

const isCausedByFault = ({ faults = [] }: FastifyRequest) => faults.some(({ effect }) => effect === 'status' || effect === 'respond')

/** The response to a call that the API does not have. */
const isStub = ({ faults = [] }: FastifyRequest) => faults.some(({ effect }) => effect === 'respond')

function checkContract(call: EndpointRequest | undefined, request: FastifyRequest, reply: FastifyReply, responseBody: string): Breach[] {
  if (!call?.route) return isStub(request) ? [] : [{ side: 'request', kind: 'invalid', path: '', message: 'the API has no such call' }]
  const { method, query, body } = request
  const contentType = String(reply.getHeader('content-type') ?? '')
  const answer = contentType.includes('json') ? parseJson(responseBody) : responseBody
  return findBreaches(call.route, { method, query, body, status: reply.statusCode, contentType, answer }, compileSchema)
}

/** Copies the prefix: a substring would keep the whole text in memory. */
const truncate = (text: string) => (text.length > MAX_BODY_LENGTH ? Buffer.from(text.slice(0, MAX_BODY_LENGTH)).toString() : text)

/** Streams are not recorded. */
const bodyText = (payload: unknown) => (typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : '')

/** Uploaded files are not recorded. */
const requestText = ({ headers, body }: FastifyRequest) =>
  body !== undefined && headers['content-type']?.includes('json') ? JSON.stringify(body) : ''

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
