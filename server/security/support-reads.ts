import type { FastifyInstance } from 'fastify'
import { rights } from '#contracts/lib/rights.ts'
import type { Route } from '#contracts/lib/route.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { SignedIn } from '#db/scope.ts'
import { RequestCaller } from '#server/http/access/caller.ts'
import type { HandlerContext } from '#server/ports/world.ts'
import { findSubjects, listReadAccounts, type ReadRequest } from './security.store.ts'
import { recordEvents } from './security-log.ts'

/**
 * Records which accounts support reads, before the response is sent: one line per support person, tracker and hour, or per account for data
 * that concerns no single tracker. Every GET counts except those of the own profile; the contract says which show positions. If the read
 * cannot be recorded, the response is an error.
 */
export function registerSupportReads(app: FastifyInstance) {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { viewer, routeOptions } = request
    const { route } = routeOptions.config
    if (viewer?.role !== 'deepsupport' || !route || !showsAccounts(route) || reply.statusCode >= 400) return done()
    const { params, query } = request
    recordRead(route, { params, query }, { ...request.world, viewer, caller: new RequestCaller(request) }).then(() => done(), done)
  })
}

const OWN: Route['access'] = rights.ownProfile

const showsAccounts = ({ method, access }: Route) => method === 'GET' && access !== 'public' && access !== 'device' && access !== OWN

type Context = Pick<HandlerContext, 'db' | 'clock' | 'log' | 'caller'> & { viewer: SignedIn }

async function recordRead({ path, showsPositions }: Route, request: Pick<ReadRequest, 'params' | 'query'>, context: Context) {
  const { db, clock, viewer } = context
  const kind = showsPositions ? 'positions_read' : 'data_read'
  const subjects = (await findSubjects(db.read, { path, ...request })).filter(({ accountId }) => accountId !== viewer.accountId)
  const [first] = subjects
  if (!first) return
  const earlier = { kind, actorId: viewer.userId, aboutId: first.aboutId } as const
  const recorded = await listReadAccounts(db.read, earlier, new Date(clock.now().getTime() - HOUR_MS))
  const unrecorded = subjects.filter(({ accountId }) => !recorded.has(accountId))
  if (unrecorded.length > 0) await writeDevices(db, [], (tx) => recordEvents(tx, context, kind, unrecorded))
}
