import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { normalizeDeviceKey } from '#contracts/rules/reading/text.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import { type AuthenticatedKey, findDeviceKeys, markUsed } from '#db/sessions.ts'
import { lookUpInBatches } from '#server/lib/batches.ts'
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
  const deviceKey = key ? await findSender(request.world, normalizeDeviceKey(key)) : undefined
  if (!deviceKey) throw await recordWrongKey(request, reply)
  return deviceKey
}

const lookups = new WeakMap<World, (key: string) => Promise<Promise<AuthenticatedKey> | undefined>>()

/**
 * Messages that arrive at the same time, as a gateway sends them over many connections, share the look-up of their keys. A look-up begins
 * after its messages have arrived, so a revoked key is rejected from the response of its revocation on.
 */
async function findSender(world: World, key: string) {
  const find = lookups.get(world) ?? lookUpInBatches((keys: string[]) => findSenders(world, keys))
  lookups.set(world, find)
  return find(key)
}

/** A sender is ready once its use is recorded, for which the other keys of the look-up do not wait. */
async function findSenders(world: World, keys: string[]) {
  const hashes = new Map(keys.map((key) => [sha256(key), key]))
  const found = await findDeviceKeys(world.db.read, [...hashes.keys()])
  return new Map(found.map(({ hash, ...sender }) => [hashes.get(hash)!, recordUse(world, sender)]))
}

async function recordWrongKey(request: FastifyRequest, reply: FastifyReply) {
  const count = await request.server.countWrongKey?.(request)
  if (!count || count.isAllowed || !count.isExceeded) return new Failure('invalid_device_key')
  reply.header('retry-after', count.ttlInSeconds)
  return new Failure('throttled')
}

async function recordUse({ db, clock }: World, sender: AuthenticatedKey) {
  const { keyId, lastUsedAt } = sender
  const now = clock.now()
  const isRecorded = lastUsedAt && now.getTime() - lastUsedAt.getTime() < LAST_USE_PRECISION_MS
  if (!isRecorded) await writeDevices(db, [], (tx) => markUsed(tx, keyId, now))
  return sender
}
