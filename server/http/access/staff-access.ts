import type { FastifyRequest } from 'fastify'
import { CSRF_HEADER } from '#contracts/lib/requests.ts'
import { findUpload, type Route, type StaffAccess } from '#contracts/lib/route.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { findStaffKey, findStaffOfSession, markStaffKeyUsed, markStaffSeen, type StaffCaller } from '#db/staff.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { isSameSecret, sha256 } from '#server/lib/secrets.ts'
import type { Repeat, World } from '#server/ports/world.ts'
import { csrfTokenOf } from './csrf.ts'

/** The session of the console: its own cookie, which no session of an owner replaces. */
export const STAFF_COOKIE = 'staffid'

/** Precision of the last use: most requests write nothing. */
const LAST_SEEN_PRECISION_MS = 5 * MINUTE_MS

/**
 * Admits staff by the cookie of the console, or another system of the company by its key. Sessions and tokens of owners are in other tables,
 * so they are unknown here.
 */
export async function admitStaff(request: FastifyRequest, route: Route, { staff: roles }: StaffAccess) {
  const { db, clock } = request.world
  const now = clock.now()
  const bearer = /^Bearer ([0-9a-f]{40})$/i.exec(request.headers.authorization ?? '')?.[1]
  const cookie = request.headers.authorization === undefined ? request.cookies[STAFF_COOKIE] : undefined
  const secret = bearer ?? cookie
  const hash = secret && sha256(secret)
  const caller = hash && (bearer ? await findStaffKey(db.read, hash) : await findStaffOfSession(db.read, hash, now))
  if (!caller) throw new Failure('not_authenticated')
  if (cookie && route.method !== 'GET') requireStaffCsrf(request, cookie)
  if (!roles.includes(caller.role)) throw new Failure('permission_denied')
  request.actor = {
    id: `${caller.kind}:${caller.id}`,
    who: caller.name,
    role: caller.role,
    staffId: caller.kind === 'staff' ? caller.id : null,
  }
  request.staffToken = cookie ?? null
  await updateLastSeen(request.world, caller, hash)
}

/** The header alone proves the console: its token is in no cookie that a form could send. */
function requireStaffCsrf(request: FastifyRequest, token: string) {
  const header = request.headers[CSRF_HEADER.toLowerCase()]
  if (typeof header !== 'string' || !isSameSecret(header, csrfTokenOf(token))) throw new Failure('csrf_failed')
}

async function updateLastSeen({ db, clock, log }: World, { kind, lastSeenAt }: StaffCaller, hash: string) {
  const now = clock.now()
  if (now.getTime() - lastSeenAt.getTime() < LAST_SEEN_PRECISION_MS) return
  await db
    .write([], async (tx) => void (await (kind === 'key' ? markStaffKeyUsed : markStaffSeen)(tx, hash, now)))
    .catch((error) => log.warn({ err: error }, 'the use of a staff session was not recorded'))
}

/** The request's `Idempotency-Key` of 1 to 100 printable characters, as of Stripe; undefined without one. */
export function readRepeat({ headers, method, url, body, routeOptions }: FastifyRequest): Repeat | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(key))
    throw invalidField('Idempotency-Key', 'must have 1 to 100 printable characters without blanks')
  // A file is read later, and its handler adds its hash.
  const text = findUpload(routeOptions.config.route?.body) ? '' : JSON.stringify(body ?? null)
  return { key, requestHash: sha256(`${method} ${url}\n${text}`) }
}
