import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NETWORKS, type Network } from '#contracts/rules/reading/network-number.ts'
import { normalizeDeviceKey } from '#contracts/rules/reading/text.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import { authenticateDeviceKey } from '#server/http/access/device-access.ts'
import { findZero } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { readChirpstack, readHelium } from '#server/tracking/networks/formats/chirpstack.ts'
import { readSigfox } from '#server/tracking/networks/formats/sigfox.ts'
import { readThingpark } from '#server/tracking/networks/formats/thingpark.ts'
import { readTraccar } from '#server/tracking/networks/formats/traccar.ts'
import { readTts } from '#server/tracking/networks/formats/tts.ts'
import type { ReadUplink } from '#server/tracking/networks/formats/uplink.ts'
import { findNetworkKey, markNetworkKeyUsed, type NetworkKeyScope } from './networks.store.ts'
import { reportUplink } from './report-uplink.ts'

const READERS: Record<Network, ReadUplink> = {
  traccar: readTraccar,
  chirpstack: readChirpstack,
  helium: readHelium,
  tts: readTts,
  thingpark: readThingpark,
  sigfox: readSigfox,
}

/** Endpoints to which networks post uplinks of hardware trackers, each in its own format (docs/networks.md). */
export function registerNetworkRoutes(app: FastifyInstance) {
  app.register(async (networks) => {
    networks.removeAllContentTypeParsers()
    networks.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
    networks.addHook('onSend', async (_, reply) => {
      reply.header('cache-control', 'no-store')
    })
    for (const network of NETWORKS)
      networks.post(`/ingest/${network}`, async (request, reply) => {
        const keyScope = await authenticateNetwork(request, reply)
        const { event } = request.query as { event?: unknown }
        const { headers, world } = request
        const options = { event: typeof event === 'string' ? event : undefined, now: world.clock.now(), headers }
        const read = await reportUplink(world, network, keyScope, READERS[network](parseBody(request), options))
        // Sigfox takes a 200 as a response for the device.
        return network === 'sigfox' ? reply.code(204).send() : { read }
      })
  })
}

/** JSON, or a form, which Sigfox can send. */
function parseBody(request: FastifyRequest): unknown {
  const body = readBody(request)
  if (findZero(body) !== null) throw new Failure('validation_error')
  return body
}

function readBody({ body, headers }: FastifyRequest): unknown {
  const text = typeof body === 'string' ? body : ''
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') && !/^\s*[[{]/.test(text))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure('malformed_json', {}, { cause: error })
  }
}

/** Authenticates a network by a key of an account, of one tracker or of a gateway. Throws `invalid_device_key`. */
async function authenticateNetwork(request: FastifyRequest, reply: FastifyReply): Promise<NetworkKeyScope> {
  const key = findKey(request)
  const { db, clock } = request.world
  const networkKey = key ? await findNetworkKey(db.read, sha256(normalizeDeviceKey(key))) : undefined
  if (networkKey) {
    const now = clock.now()
    if (now.getTime() - (networkKey.lastUsedAt?.getTime() ?? 0) >= MINUTE_MS)
      await writeDevices(db, [], (tx) => markNetworkKeyUsed(tx, networkKey.id, now))
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
