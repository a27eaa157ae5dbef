import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '#contracts/lib/route.ts'
import { clock } from '#contracts/mock/clock.ts'
import { mail } from '#contracts/mock/mail.ts'
import { staff } from '#contracts/mock/people.ts'
import { scenarios } from '#contracts/mock/scenarios.ts'
import { sim } from '#contracts/mock/sim.ts'
import { worlds } from '#contracts/mock/worlds.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import { networkKey } from '#server/http/access/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { isSameSecret } from '#server/lib/secrets.ts'
import { isOwnOrigin } from '#server/mock/control/hooks/control-guard.ts'
import { isApiPath } from '#server/mock/lib/endpoints.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import type { Clock } from '#server/ports/clock.ts'
import { createRateLimit, LEAP_RATE, MAX_UPLOAD_BYTES, REQUEST_RATE } from './limits.ts'
import type { Visits } from './visits.ts'

/** Endpoints of the control plane that visitors may use in their own world; all others are for the operator. */
const VISITOR_ENDPOINTS = new Set<Route | undefined>(
  [
    { reset: worlds.reset, personas: scenarios.personas, login: scenarios.login },
    { list: staff.list, login: staff.login },
    clock,
    sim,
    mail,
  ].flatMap((some) => Object.values(some)),
)
/** Visitors look at the console, in which they would send mails and money: they can read everything, and sign out. */
const CONSOLE_CHANGES = new Set<Route | undefined>(
  Object.values(operatorApi)
    .flatMap((contract) => Object.values<Route>(contract))
    .filter((route) => route.method !== 'GET' && route !== operatorApi.staffSession.end),
)
const LEAP_ENDPOINTS = new Set<Route | undefined>([clock.set, clock.put, clock.advance, clock.until])

/** The path of the matching route: that of the request may be encoded in many ways. */
const routePath = ({ routeOptions, url }: FastifyRequest) => routeOptions.url ?? url

const isMailbox = (url: string) => /^\/mock\/mailbox([/?]|$)/.test(url)
const SHARE = '/demo/share'
/** Non-API routes that need a visitor's world: payment pages, device ingest, links of mails, sharing. Map tiles are public. */
const needsWorld = (url: string) => url === SHARE || /^\/(mock\/(?!tiles\/)|stripe\/|ingest\/|mail\/)/.test(url)
/** The server calls this endpoint itself, signed, in the world of the payment. */
const WEBHOOK = '/stripe/webhook/'

type Parts = { visits: Visits; lobby: MockWorld; token: string | undefined; wall: Clock }

/** Rejects requests that need a world without one, extends the life of the visitor's world, and limits size and rate. */
export function guardVisitors(app: FastifyInstance, { visits, lobby, token, wall }: Parts) {
  const calls = createRateLimit(REQUEST_RATE, wall)
  const leaps = createRateLimit(LEAP_RATE, wall)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-robots-tag', 'noindex, nofollow')
    if (isOperator(request, token)) return
    const { world, routeOptions } = request
    const url = routePath(request)
    const { route } = routeOptions.config
    if (url === '/metrics') throw new Failure('not_found')
    if (!route && !isApiPath(url) && !needsWorld(url)) return
    if (world === lobby) throw new Failure('unknown_world')
    if (url === WEBHOOK) return
    if (CONSOLE_CHANGES.has(route)) throw new Failure('permission_denied')
    rejectLargeBody(request)
    await throttle(reply, calls(world.id))
    if (LEAP_ENDPOINTS.has(route)) await throttle(reply, leaps(networkKey(request.ip)))
    visits.use(world.id)
  })
}

/** Guards the control plane: visitors may use a small part of it, and only from pages of the demo itself. */
export function guardControlPlane(app: FastifyInstance, { token, lobby }: Pick<Parts, 'token' | 'lobby'>) {
  app.addHook('onRequest', async (request) => {
    const { routeOptions, headers, world } = request
    const url = routePath(request)
    const isTheirs = VISITOR_ENDPOINTS.has(routeOptions.config.route) || isMailbox(url) || url === SHARE
    if (isTheirs && world === lobby) throw new Failure('unknown_world')
    if (isOperator(request, token)) return
    if (!isTheirs || !isOwnOrigin(headers) || !isSameSite(headers)) throw new Failure('permission_denied')
  })
}

/** Links from mail programs and bookmarks have the site `none`. */
const isSameSite = (headers: FastifyRequest['headers']) => ['none', 'same-origin'].includes(String(headers['sec-fetch-site'] ?? 'none'))

const isOperator = ({ headers }: FastifyRequest, token: string | undefined) =>
  token !== undefined && isSameSecret(headers.authorization ?? '', `Bearer ${token}`)

/** Chunked requests announce no length and could have any size. */
function rejectLargeBody({ headers }: FastifyRequest) {
  if (headers['transfer-encoding'] || Number(headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) throw new Failure('too_large')
}

async function throttle(reply: FastifyReply, seconds: number) {
  if (seconds === 0) return
  reply.header('retry-after', String(seconds))
  throw new Failure('throttled')
}
