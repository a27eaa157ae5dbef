import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contracts/lib/errors.ts'
import type { SecurityKind } from '#contracts/lib/security-kinds.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { SignedIn } from '#db/scope.ts'
import { RequestCaller } from '#server/http/access/caller.ts'
import type { World } from '#server/ports/world.ts'
import { recordOncePerHour } from './security-log.ts'

const KINDS: Partial<Record<ErrorCode, SecurityKind>> = {
  permission_denied: 'permission_refused',
  csrf_failed: 'permission_refused',
  sign_in_again: 'call_refused',
  limit_reached: 'limit_reached',
  throttled: 'limit_reached',
  account_busy: 'limit_reached',
  upload_limit: 'limit_reached',
}

/** Refusals that this server has recorded, per world, so that a flood of refused calls asks the database once. */
const recorded = new WeakMap<World, Map<string, number>>()
const MAX_REMEMBERED = 10_000

/**
 * Records calls of signed-in users and API tokens that were refused for a missing permission, a sign-in that is too old or a limit, before the
 * response is sent: once an hour for each user, kind and network. A refusal that cannot be recorded is answered all the same.
 */
export function registerRefusals(app: FastifyInstance) {
  app.decorateRequest('refusedWith', null)
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const { viewer, refusedWith } = request
    const kind = refusedWith && KINDS[refusedWith]
    if (!viewer || !kind) return done()
    recordRefusal(request, viewer, kind).then(() => done())
  })
}

async function recordRefusal(request: FastifyRequest, viewer: SignedIn, kind: SecurityKind) {
  const { world, method, routeOptions } = request
  const { userId, accountId } = viewer
  const caller = new RequestCaller(request)
  const key = `${userId} ${kind} ${caller.network}`
  const now = world.clock.now().getTime()
  const known = recorded.get(world) ?? new Map<string, number>()
  recorded.set(world, known)
  const age = now - (known.get(key) ?? Number.NEGATIVE_INFINITY)
  if (age >= 0 && age < HOUR_MS) return
  if (known.size >= MAX_REMEMBERED) known.clear()
  known.set(key, now)
  const event = { kind, userId, about: `${method} ${routeOptions.config.route?.path ?? ''}`.trim() }
  await writeDevices(world.db, [`account:${accountId}`], (tx) => recordOncePerHour(tx, { ...world, viewer, caller }, event)).catch(
    (error) => {
      known.delete(key)
      world.log.warn({ err: error }, 'a refused call was not recorded')
    },
  )
}
