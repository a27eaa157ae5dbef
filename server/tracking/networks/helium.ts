import * as z from 'zod/mini'
import { lenient } from '#server/tracking/protocols/report.ts'
import { readChirpstack } from './chirpstack.ts'
import { findInstant, isObject, Json, parseBody, parseDevEui, type ReadUplink, toHex } from './uplink.ts'

const ConsoleEvent = z.looseObject({
  dev_eui: z.string(),
  type: lenient(z.string()),
  fcnt: lenient(z.number()),
  payload: lenient(z.string()),
  decoded: lenient(z.looseObject({ payload: lenient(Json) })),
  reported_at: z.union([z.number(), z.string()]),
})

/** Reads what Helium sends: the events of its ChirpStack servers, or the JSON of the former console. */
export const readHelium: ReadUplink = (body, options) => {
  if (isObject(body) && 'deviceInfo' in body) return readChirpstack(body, options)
  const { dev_eui, type = 'uplink', fcnt, payload, decoded, reported_at } = parseBody(ConsoleEvent, body)
  const at = findInstant(reported_at) ?? findInstant(options.now.toISOString())!
  const isUplink = type === 'uplink'
  return {
    numbers: [parseDevEui(dev_eui, 'dev_eui')],
    id: `${type} ${fcnt ?? ''} ${reported_at}`,
    at,
    isHeard: isUplink || type.startsWith('join'),
    ...(isUplink && { decoded: decoded?.payload, payload: toHex(payload) }),
  }
}
