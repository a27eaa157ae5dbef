import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NETWORKS, type Network } from '#contracts/lib/constants.ts'
import { Failure } from '#server/lib/errors.ts'
import { readChirpstack } from './chirpstack.ts'
import { readHelium } from './helium.ts'
import { authenticateNetwork } from './network-access.ts'
import { reportUplink } from './report-uplink.ts'
import { readSigfox } from './sigfox.ts'
import { readThingpark } from './thingpark.ts'
import { readTraccar } from './traccar.ts'
import { readTts } from './tts.ts'
import type { ReadUplink } from './uplink.ts'

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
        const speaker = await authenticateNetwork(request, reply)
        const { event } = request.query as { event?: unknown }
        const options = { event: typeof event === 'string' ? event : undefined, now: request.world.clock.now() }
        const read = await reportUplink(request.world, network, speaker, READERS[network](parseBody(request), options))
        // Sigfox takes a 200 as an answer for the device.
        return network === 'sigfox' ? reply.code(204).send() : { read }
      })
  })
}

/** JSON, or a form, which Sigfox can send. */
function parseBody({ body, headers }: FastifyRequest): unknown {
  const text = typeof body === 'string' ? body : ''
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') && !/^\s*[[{]/.test(text))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure('malformed_json', {}, { cause: error })
  }
}
