import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Breach, breachesOf } from '#contracts/lib/breaches.ts'
import { errors } from '#contracts/lib/errors.ts'
import { compiled } from '#server/http/compiled.ts'
import type { Noted } from '#server/mock/journal/journal.ts'
import { type Call, callOf } from '#server/mock/lib/call.ts'
import { isOfApi, nameOf } from '#server/mock/lib/names.ts'
import { createLru } from '#server/mock/tiles/lru.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

/** Characters of a body that are kept. */
const LONGEST = 16_384
type Answer = { payload: unknown }
const NO_ANSWER = { breaches: [], body: '' }

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the call is still to be noted. */
    isToBeNoted: boolean
  }
}

/**
 * Notes every call of the API with what was answered, and holds both against the contract. What it returns is to be called once
 * everything is mounted that changes answers: what goes out is what is noted.
 */
export function noteCalls(app: FastifyInstance, worlds: MockWorlds) {
  app.decorateRequest('isToBeNoted', false)
  app.addHook('onRequest', (request, reply, done) => {
    const isOfOurs = nameOf(request.routeOptions.config.route) !== undefined || (request.is404 && isOfApi(request.url))
    request.isToBeNoted = isOfOurs
    if (isOfOurs) reply.raw.once('close', () => note(request, reply))
    done()
  })
  return () =>
    app.addHook('onSend', (request, reply, payload, done) => {
      note(request, reply, { payload })
      done(null, payload)
    })

  /** Without an answer when the connection has ended before one. */
  function note(request: FastifyRequest, reply: FastifyReply, answer?: Answer) {
    if (!request.isToBeNoted) return
    request.isToBeNoted = false
    worlds.get(request.world.id)?.journal.add(exchangeOf(request, reply, answer))
  }
}

type Judged = { asked: string; payload: unknown; breaches: Breach[]; body: string }

/** What is asked often is mostly answered alike: then it is not judged again. */
const judged = createLru<Judged>(200)

function judge(call: Call | undefined, request: FastifyRequest, reply: FastifyReply, asked: string, { payload }: Answer) {
  const key = `${request.method} ${request.url} ${reply.statusCode} ${reply.getHeader('content-type')}`
  const before = judged.get(key)
  if (before && before.asked === asked && before.payload === payload) return before
  const said = textOf(payload)
  const now = { asked, payload, breaches: breachesIn(call, request, reply, said), body: kept(said) }
  judged.set(key, now)
  return now
}

function exchangeOf(request: FastifyRequest, reply: FastifyReply, answer: Answer | undefined): Noted {
  const call = callOf(request, request.viewer?.email ?? request.caller)
  const asked = askedIn(request)
  const { breaches, body } = answer ? judge(call, request, reply, asked, answer) : NO_ANSWER
  const hasCrashed = answer && call && reply.statusCode === errors.server_error && !isOnPurpose(request)
  return {
    at: request.world.clock.now(),
    ms: reply.elapsedTime,
    method: request.method,
    url: request.url,
    call,
    status: answer ? reply.statusCode : 0,
    faults: (request.faults ?? []).map(({ id }) => id),
    breaches: hasCrashed ? [...breaches, CRASH] : breaches,
    request: { headers: request.headers, body: kept(asked) },
    response: { headers: reply.getHeaders(), body },
  }
}

/** The contract lets a server fail, and ours is not to. */
const CRASH: Breach = { side: 'response', kind: 'invalid', path: 'status', message: '500 that no fault has made' }

const isOnPurpose = ({ faults = [] }: FastifyRequest) => faults.some(({ effect }) => effect === 'status')

function breachesIn(call: Call | undefined, request: FastifyRequest, reply: FastifyReply, said: string): Breach[] {
  if (!call) return [{ side: 'request', kind: 'invalid', path: '', message: 'the API has no such call' }]
  const { method, query, body } = request
  const contentType = String(reply.getHeader('content-type') ?? '')
  const answer = contentType.includes('json') ? read(said) : said
  return breachesOf(call.route, { method, query, body, status: reply.statusCode, contentType, answer }, compiled)
}

/** Copied: a part of a string would hold on to all of it. */
const kept = (text: string) => (text.length > LONGEST ? Buffer.from(text.slice(0, LONGEST)).toString() : text)

/** A stream is not waited for. */
const textOf = (payload: unknown) => (typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : '')

/** A file that is sent is not kept. */
const askedIn = ({ headers, body }: FastifyRequest) =>
  body !== undefined && headers['content-type']?.includes('json') ? JSON.stringify(body) : ''

function read(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
