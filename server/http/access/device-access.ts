import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { normalizeDeviceKey } from '#contracts/rules/reading/text.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import { type AuthenticatedKey, findDeviceKey, markUsed } from '#db/sessions.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'

/** Precision of `lastUsedAt`: at most one write a minute per key. */
const LAST_USE_PRECISION_MS = MINUTE_MS

type RateCounter = ReturnType<FastifyInstance['createRateLimit']>

declare module 'fastify' {
  interface FastifyInstance {
    countWrongKey: RateCounter | null
  }
}

/**
 * Counts wrong device keys by address; valid keys have no limit, since a gateway sends for many devices. Call after the rate limiter is
 * registered.
 */
export const registerWrongKeyLimit = (app: FastifyInstance) =>
  app.decorate('countWrongKey', app.hasDecorator('createRateLimit') ? app.createRateLimit({}) : null)

/** Returns the device key's owner. Throws `invalid_device_key`, or `throttled` after too many wrong keys from one address. */
export async function authenticateDeviceKey(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string | undefined,
): Promise<AuthenticatedKey> {
  const deviceKey = key ? await shareLookup(request.world, normalizeDeviceKey(key)) : undefined
  if (!deviceKey) throw await recordWrongKey(request, reply)
  return deviceKey
}

type Lookups = Map<string, Promise<AuthenticatedKey | undefined>>

const lookups = new WeakMap<World, Lookups>()

/**
 * Messages read in one turn of the event loop, as a gateway sends them over many connections, share the look-up of their key. The next turn
 * looks it up again, so a revoked key is rejected from the response of its revocation on.
 */
function shareLookup(world: World, key: string) {
  const ofTurn = lookups.get(world) ?? startTurn(world)
  const deviceKey = ofTurn.get(key) ?? lookUp(world, key)
  ofTurn.set(key, deviceKey)
  return deviceKey
}

function startTurn(world: World): Lookups {
  const ofTurn: Lookups = new Map()
  lookups.set(world, ofTurn)
  setImmediate(() => void lookups.delete(world))
  return ofTurn
}

async function lookUp(world: World, key: string) {
  const deviceKey = await findDeviceKey(world.db.read, sha256(key))
  if (deviceKey) await updateLastUse(world, deviceKey)
  return deviceKey
}

async function recordWrongKey(request: FastifyRequest, reply: FastifyReply) {
  const count = await request.server.countWrongKey?.(request)
  if (!count || count.isAllowed || !count.isExceeded) return new Failure('invalid_device_key')
  reply.header('retry-after', count.ttlInSeconds)
  return new Failure('throttled')
}

async function updateLastUse({ db, clock }: World, { keyId, lastUsedAt }: AuthenticatedKey) {
  const now = clock.now()
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < LAST_USE_PRECISION_MS) return
  await writeDevices(db, [], (tx) => markUsed(tx, keyId, now))
}
