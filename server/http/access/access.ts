import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CSRF_COOKIE, CSRF_HEADER } from '#contracts/lib/requests.ts'
import { type Role, rights } from '#contracts/lib/rights.ts'
import { isStaffAccess, type Route } from '#contracts/lib/route.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import { hasFactor } from '#db/factors.ts'
import { hasOneWriter } from '#db/schema/columns.ts'
import { findViewer, findViewers, type SignedIn } from '#db/scope.ts'
import { type AuthenticatedKey, isRecentSession, markSeen, markTokenUsed } from '#db/sessions.ts'
import { lookUpInBatches } from '#server/lib/batches.ts'
import { Failure } from '#server/lib/errors.ts'
import { isSameSecret, sha256 } from '#server/lib/secrets.ts'
import type { Actor, World } from '#server/ports/world.ts'
import { csrfTokenOf } from './csrf.ts'
import { authenticateDeviceKey, registerWrongKeyLimit } from './device-access.ts'
import { admitStaff } from './staff-access.ts'

export const SESSION_COOKIE = 'sessionid'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: SignedIn | null
    /** Hash of the session's token, or of the API token. */
    session: string | null
    deviceKey: AuthenticatedKey | null
    /** Staff of the company, or another of its systems. */
    actor: Actor | null
    staffToken: string | null
  }
  interface FastifyInstance {
    countSessionCall: ReturnType<FastifyInstance['createRateLimit']> | null
  }
}

/** Rejects requests without the required session, role or device key before the body is parsed. */
export function registerAccessGuard(app: FastifyInstance) {
  app.decorateRequest('viewer', null)
  app.decorateRequest('session', null)
  app.decorateRequest('deviceKey', null)
  app.decorateRequest('actor', null)
  app.decorateRequest('staffToken', null)
  registerWrongKeyLimit(app)
  app.decorate('countSessionCall', app.hasDecorator('createRateLimit') ? app.createRateLimit(SESSION_LIMIT) : null)
  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.config.route
    if (!route || route.access === 'public') return
    if (route.access === 'device') return admitDevice(request, reply)
    if (isStaffAccess(route.access)) return admitStaff(request, route, route.access)
    await admitUser(request, reply, route, route.access)
  })
}

async function admitUser(request: FastifyRequest, reply: FastifyReply, route: Route, roles: readonly Role[]) {
  const bearer = /^Bearer ([0-9a-zA-Z._~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
  const cookie = request.cookies[SESSION_COOKIE]
  const secret = bearer ?? (allowsCookie(route) ? cookie : undefined)
  const session = secret ? sha256(secret) : null
  const viewer = session && (await findCaller(request.world, session))
  if (!viewer) throw new Failure('not_authenticated')
  if (viewer.scopes && !bearer) throw new Failure('not_authenticated')
  request.viewer = viewer
  request.session = session
  if (secret && !bearer && route.method !== 'GET') requireCsrf(request, secret)
  if (!roles.includes(viewer.role)) throw new Failure('permission_denied')
  requireScope(route, viewer)
  await limitSession(request, reply)
  await requireFactor(request.world, route, viewer)
  await requireRecentSignIn(request.world, route, { userId: viewer.userId, session })
  await updateLastSeen(request.world, viewer, session)
}

const lookups = new WeakMap<World, (hash: string) => Promise<SignedIn | undefined>>()

/**
 * Finds the user of a session. On a database server, requests that arrive at the same time share a look-up, which begins after they have
 * arrived: a session that has ended is refused from the response of its end on.
 */
function findCaller(world: World, hash: string) {
  const { db, clock } = world
  if (hasOneWriter) return findViewer(db.read, hash, clock.now())
  const find = lookups.get(world) ?? lookUpInBatches((hashes: string[]) => findViewers(db.read, hashes, clock.now()))
  lookups.set(world, find)
  return find(hash)
}

/** An API token makes only calls that have a scope, and only if the token has that scope. */
function requireScope({ scope }: Route, { scopes }: SignedIn) {
  if (scopes && !(scope && scopes.includes(scope))) throw new Failure('permission_denied', { reason: 'scope', ...(scope && { scope }) })
}

/** Far above the needs of a portal with several tabs. */
const SESSION_LIMIT = {
  max: 600,
  timeWindow: '1 minute',
  keyGenerator: ({ world, session }: FastifyRequest) => `session ${world.id} ${session}`,
}

async function limitSession(request: FastifyRequest, reply: FastifyReply) {
  const count = await request.server.countSessionCall?.(request)
  if (!count || count.isAllowed || !count.isExceeded) return
  reply.header('retry-after', count.ttlInSeconds)
  throw new Failure('throttled')
}

/** Precision of `lastSeenAt`: most requests write nothing. */
const LAST_SEEN_PRECISION_MS = 10 * MINUTE_MS

/** Reads keep working when nothing can be written, such as on a full disk. */
async function updateLastSeen({ db, clock, log }: World, { lastSeenAt, scopes }: SignedIn, session: string) {
  const now = clock.now()
  if (now.getTime() - lastSeenAt.getTime() < LAST_SEEN_PRECISION_MS) return
  await writeDevices(db, [], (tx) => (scopes ? markTokenUsed : markSeen)(tx, session, now)).catch((error) =>
    log.warn({ err: error }, 'the use of a session was not recorded'),
  )
}

const MUST_HAVE_FACTOR: readonly Role[] = ['deepsupport', 'admin']

/** Support and administrators can access other people's data, so they may only use their own profile until they have a second factor. */
async function requireFactor({ db, secondFactor }: World, { access }: Route, { userId, role }: SignedIn) {
  if (!secondFactor.isRequired || !MUST_HAVE_FACTOR.includes(role) || access === rights.ownProfile) return
  if (!(await hasFactor(db.read, userId))) throw new Failure('permission_denied', { reason: 'second_factor' })
}

/** Calls that could cost the user the account need a recent proof of identity, so that an open browser or a stolen token is not enough. */
async function requireRecentSignIn(
  { db, clock }: World,
  { recentSignIn }: Route,
  { userId, session }: { userId: number; session: string },
) {
  if (!recentSignIn || (await isRecentSession(db.read, session, clock.now()))) return
  if (recentSignIn === 'always' || (await hasFactor(db.read, userId))) throw new Failure('sign_in_again')
}

/** A GET with side effects could be triggered by any link or image, so it does not accept the cookie. */
const allowsCookie = (route: Route) => route.method !== 'GET' || route.safety === 'read'

function requireCsrf(request: FastifyRequest, token: string) {
  const header = request.headers[CSRF_HEADER.toLowerCase()]
  const cookie = request.cookies[CSRF_COOKIE]
  const expected = csrfTokenOf(token)
  if (!cookie || typeof header !== 'string' || !isSameSecret(cookie, expected) || !isSameSecret(header, expected))
    throw new Failure('csrf_failed')
}

async function admitDevice(request: FastifyRequest, reply: FastifyReply) {
  const key = request.headers['x-device-key']
  request.deviceKey = await authenticateDeviceKey(request, reply, typeof key === 'string' ? key : undefined)
}
