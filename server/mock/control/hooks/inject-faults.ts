import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { distortBody, sendFailure, slowDown } from '#server/mock/faults/effects.ts'
import type { Fault, Faults } from '#server/mock/faults/faults.ts'
import { matchesContent, needsBody, sendStub } from '#server/mock/faults/respond.ts'
import { describeRequest, describeUnknownRequest, type EndpointRequest, findUserEmail } from '#server/mock/lib/endpoint-requests.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

declare module 'fastify' {
  interface FastifyRequest {
    faults: readonly Fault[]
    /** E-mail of the signed-in user; looked up only when a fault might apply. */
    caller: string | null
    /** The call, if a fault might apply to it. */
    faultyCall: EndpointRequest | undefined
  }
}

/** The longest delay a timer supports, about 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** Effects that replace the handler. */
const ANSWERS: ReadonlySet<Fault['effect']> = new Set(['respond', 'status', 'reset', 'hang'])
const NO_FAULTS: readonly Fault[] = []

/**
 * Applies the faults of the world to API requests: failures before the handler runs, changed bodies after it. Call the returned function
 * after mounting everything that reads bodies: after it, bodies of slow responses are sent in pieces.
 */
export function injectFaults(app: FastifyInstance, worlds: MockWorlds) {
  app.decorateRequest('faults')
  app.decorateRequest('caller', null)
  app.decorateRequest('faultyCall')
  app.addHook('onRequest', (request, reply, done) => {
    request.faults = NO_FAULTS
    const faults = worlds.get(request.world.id)?.faults
    const call = describeRequest(request, null) ?? describeUnknownRequest(request, null)
    if (!call || !faults?.mayApply(call)) return done()
    request.faultyCall = call
    applyFaults(faults, request, reply, (fault) => !needsBody(fault)).then((isAnswered) => {
      if (!isAnswered) done()
    }, done)
  })
  app.addHook('preValidation', (request, reply, done) => {
    const faults = worlds.get(request.world.id)?.faults
    if (!request.faultyCall || !faults?.all().some(needsBody)) return done()
    applyFaults(faults, request, reply, needsBody).then((isAnswered) => {
      if (!isAnswered) done()
    }, done)
  })
  app.addHook('onSend', (request, reply, body, done) => {
    if (!request.faults?.length) return done(null, body)
    distortBody(request.faults, { request, reply, body }).then((distorted) => done(null, distorted), done)
  })
  return () =>
    app.addHook('onSend', (request, reply, body, done) => {
      if (!request.faults?.length) return done(null, body)
      slowDown(request.faults, { reply, body }).then((slow) => done(null, slow), done)
    })
}

/** Resolves to whether a fault has sent the response. */
async function applyFaults(faults: Faults, request: FastifyRequest, reply: FastifyReply, isMeant: (fault: Fault) => boolean) {
  request.caller ??= await findUserEmail(request)
  const call = { ...request.faultyCall!, user: request.caller }
  const taken = faults.takeMatching(call, (fault) => isMeant(fault) && matchesContent(request, fault.match ?? {}))
  request.faults = [...request.faults, ...taken]
  // The fault changes the response although the data is unchanged, so a 304 would hide it.
  if (taken.length > 0) delete request.headers['if-none-match']
  for (const fault of taken) {
    await runEffect(fault, request, reply, faults)
    // `reply.sent` would be false while a hook still compresses or slows down the response.
    if (ANSWERS.has(fault.effect)) return true
  }
  return false
}

async function runEffect(fault: Fault, request: FastifyRequest, reply: FastifyReply, { draw }: Faults) {
  if (fault.effect === 'latency') await delayUntilClosed(reply, fault.ms + Math.round((fault.jitter_ms ?? 0) * draw()))
  if (fault.effect === 'respond') sendStub(fault, request, reply)
  if (fault.effect === 'status') sendFailure(fault, reply)
  if (fault.effect === 'reset') closeConnection(reply)
  if (fault.effect === 'hang') {
    reply.hijack()
    await delayUntilClosed(reply, fault.ms ?? MAX_TIMER_MS)
    closeConnection(reply)
  }
}

function closeConnection(reply: FastifyReply) {
  reply.hijack()
  reply.raw.destroy()
}

/** Resolves after `ms`, or earlier when the client disconnects. */
async function delayUntilClosed({ raw }: FastifyReply, ms: number) {
  const gone = new AbortController()
  const leave = () => gone.abort()
  raw.once('close', leave)
  await pause(ms, undefined, { signal: gone.signal, ref: false }).catch(() => undefined)
  raw.off('close', leave)
}
