import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Breach, breachesOf } from '#contracts/lib/breaches.ts'
import { compiled } from '#server/lib/compiled.ts'
import { type Call, callOf } from '#server/mock/calls/call.ts'
import { isOfApi } from '#server/mock/calls/names.ts'
import { createLru } from '#server/mock/tiles/lru.ts'
import type { MockWorlds } from '#server/mock/worlds.ts'
import { redactHeaders, redactText, redactUrl } from './redact.ts'

/** Characters of a body that are kept. */
const LONGEST = 16_384
type Answer = { payload: unknown }
const NO_ANSWER = { breaches: [], body: '' }
type Noted = { call: Call | undefined; isNoted: boolean }

/**
 * Notes every call of the API with what was answered, and holds both against the contract. What it returns is to be called once
 * everything is mounted that changes answers: what goes out is what is noted.
 */
export function noteCalls(app: FastifyInstance, worlds: MockWorlds) {
  const under = new WeakMap<FastifyRequest, Noted>()
  app.addHook('onRequest', async (request, reply) => {
    const call = await callOf(request)
    if (!call && !(request.is404 && isOfApi(request.url))) return
    under.set(request, { call, isNoted: false })
    reply.raw.once('close', () => note(request, reply))
  })
  return () =>
    app.addHook('onSend', async (request, reply, payload) => {
      note(request, reply, { payload })
      return payload
    })

  /** Without an answer when the connection has ended before one. */
  function note(request: FastifyRequest, reply: FastifyReply, answer?: Answer) {
    const noted = under.get(request)
    if (!noted || noted.isNoted) return
    noted.isNoted = true
    worlds.get(request.world.id)?.journal.add(entryOf(noted.call, request, reply, answer))
  }
}

type Judged = { asked: string; said: string; breaches: Breach[]; body: string }

/** What is asked often is mostly answered alike: then it is not judged again. */
const judged = createLru<Judged>(200)

function judge(call: Call | undefined, request: FastifyRequest, reply: FastifyReply, asked: string, said: string) {
  const key = `${request.method} ${request.url} ${reply.statusCode} ${reply.getHeader('content-type')}`
  const before = judged.get(key)
  if (before && before.asked === asked && before.said === said) return before
  const now = { asked, said, breaches: breachesIn(call, request, reply, said), body: kept(said) }
  judged.set(key, now)
  return now
}

function entryOf(call: Call | undefined, request: FastifyRequest, reply: FastifyReply, answer: Answer | undefined) {
  const asked = askedIn(request)
  const { breaches, body } = answer ? judge(call, request, reply, asked, textOf(answer.payload)) : NO_ANSWER
  return {
    at: request.world.clock.now(),
    ms: reply.elapsedTime,
    method: request.method,
    url: redactUrl(request.url),
    call,
    status: answer ? reply.statusCode : 0,
    faults: (request.faults ?? []).map(({ id }) => id),
    breaches,
    request: { headers: redactHeaders(request.headers), body: kept(asked) },
    response: { headers: redactHeaders(reply.getHeaders()), body },
  }
}

function breachesIn(call: Call | undefined, request: FastifyRequest, reply: FastifyReply, said: string): Breach[] {
  if (!call) return [{ side: 'request', kind: 'invalid', path: '', message: 'the API has no such call' }]
  const { method, query, body } = request
  const contentType = String(reply.getHeader('content-type') ?? '')
  const answer = contentType.includes('json') ? read(said) : said
  return breachesOf(call.route, { method, query, body, status: reply.statusCode, contentType, answer }, compiled)
}

const kept = (text: string) => redactText(text.slice(0, LONGEST))

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
