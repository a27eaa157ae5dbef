import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { KeyMessageReason } from '#contracts/device-keys.ts'
import { speakerOf } from '#db/sessions.ts'
import { recordKeyMessage } from '#server/devices/keys/key-messages.store.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { readCredentials, withDeviceId } from './credentials.ts'
import { refusalReason } from './report.ts'

const PROTOCOLS = { '/ingest/osmand': 'osmand', '/ingest/owntracks': 'owntracks', '/ingest/overland': 'overland' } as const

/** Records messages refused before their handler runs: those of our own protocol, and bodies that are too large. */
export const registerRefusedMessages = (app: FastifyInstance) =>
  app.addHook('onError', async (request, _, error) => {
    const isTooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    const isNoJson = error instanceof SyntaxError || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY'
    const reason: KeyMessageReason | null = isTooLarge ? 'too_large' : isNoJson ? 'malformed' : refusalReason(error)
    const isOurs = request.speaker !== null
    if (!reason || !(isOurs || isTooLarge)) return
    const protocol = isOurs ? 'json' : findProtocol(request)
    const speaker = request.speaker ?? (protocol ? await findSpeaker(request) : undefined)
    if (!protocol || !speaker || speaker.deviceId === null) return
    const { keyId, deviceId } = speaker
    await recordKeyMessage(request.world, { keyId, deviceId, protocol, outcome: 'refused', reason, positions: 0 })
  })

const findProtocol = ({ routeOptions: { url = '' } }: FastifyRequest) => Object.entries(PROTOCOLS).find(([path]) => path === url)?.[1]

function findSpeaker(request: FastifyRequest) {
  const { id } = request.query as { id?: unknown }
  const { key } = withDeviceId(readCredentials(request), typeof id === 'string' ? id : undefined)
  return key ? speakerOf(request.world.db.read, sha256(key)) : undefined
}
