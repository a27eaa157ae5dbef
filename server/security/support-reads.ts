import type { FastifyInstance } from 'fastify'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { SignedIn } from '#db/scope.ts'
import { RequestCaller } from '#server/http/access/caller.ts'
import type { HandlerContext } from '#server/ports/world.ts'
import { findOwned, listOwners, listReadAccounts } from './security.store.ts'
import { recordEvent } from './security-log.ts'

/** Calls that show positions of one tracker, or of all. */
const ONE_TRACKER = /^\/devices\/:id\/($|tracker_data\/|theft_form\/)/
const ALL_TRACKERS = ['/devices/', '/devices/live/']

/**
 * Records that support has read positions, before the response is sent: one line per support person, tracker and hour, or per account for
 * lists of all trackers. What cannot be recorded is not answered.
 */
export function registerSupportReads(app: FastifyInstance) {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { viewer, routeOptions } = request
    const { route } = routeOptions.config
    if (viewer?.role !== 'deepsupport' || route?.method !== 'GET' || reply.statusCode >= 400) return done()
    recordRead(route.path, request.params, { ...request.world, viewer, caller: new RequestCaller(request) }).then(() => done(), done)
  })
}

type Context = Pick<HandlerContext, 'db' | 'clock' | 'log' | 'caller'> & { viewer: SignedIn }

async function recordRead(path: string, params: unknown, context: Context) {
  const aboutId = ONE_TRACKER.test(path) ? Number((params as { id?: unknown }).id) : null
  if (aboutId === null && !ALL_TRACKERS.includes(path)) return
  const { db, clock, viewer } = context
  const owned = aboutId === null ? await listOwners(db.read) : await findOwned(db.read, aboutId)
  const recorded = await listReadAccounts(db.read, { actorId: viewer.userId, aboutId }, new Date(clock.now().getTime() - HOUR_MS))
  const unrecorded = owned.filter(({ accountId }) => !recorded.has(accountId))
  if (unrecorded.length === 0) return
  await writeDevices(db, [], async (tx) => {
    for (const { accountId, about } of unrecorded) await recordEvent(tx, context, { kind: 'positions_read', accountId, aboutId, about })
  })
}
