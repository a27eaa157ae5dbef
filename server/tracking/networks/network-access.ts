import type { FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import { authenticateDeviceKey } from '#server/http/access/device-access.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { findNetworkKey, markNetworkKeyUsed, type NetworkSpeaker } from './networks.store.ts'

/** Authenticates a network by a key of an account, of one tracker or of a gateway. Throws `invalid_device_key`. */
export async function authenticateNetwork(request: FastifyRequest, reply: FastifyReply): Promise<NetworkSpeaker> {
  const key = findKey(request)
  const { db, clock } = request.world
  const networkKey = key ? await findNetworkKey(db.read, sha256(key)) : undefined
  if (networkKey) {
    const now = clock.now()
    if (now.getTime() - (networkKey.lastUsedAt?.getTime() ?? 0) >= MINUTE_MS)
      await writeDevices(db, (tx) => markNetworkKeyUsed(tx, networkKey.id, now))
    return { accountId: networkKey.accountId }
  }
  const { deviceId } = await authenticateDeviceKey(request, reply, key)
  return deviceId === null ? 'gateway' : { deviceId }
}

/** From the header `X-Device-Key`, a bearer token, the password of basic authentication, or `?key=`. */
function findKey({ headers, query }: FastifyRequest): string | undefined {
  const own = headers['x-device-key']
  if (typeof own === 'string') return own
  const [, scheme = '', secret = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return secret
  if (scheme.toLowerCase() === 'basic') return Buffer.from(secret, 'base64').toString().split(':').slice(1).join(':')
  const { key } = query as { key?: unknown }
  return typeof key === 'string' ? key : undefined
}
