import * as z from 'zod/mini'
import { readTime } from '#contracts/rules/reading/time.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { invalidField } from '#server/lib/errors.ts'
import { fixPrecision, Lat, Lng, lenient, Numeric } from '#server/tracking/protocols/report.ts'
import {
  findCoordinates,
  isObject,
  Json,
  parseBody,
  parseDevEui,
  pickReceiptTime,
  type ReadUplink,
  readLorawanBattery,
  toHex,
  type Uplink,
} from './uplink.ts'

const Location = lenient(z.looseObject({ latitude: Lat, longitude: Lng, altitude: lenient(Numeric), accuracy: lenient(Numeric) }))

/** The common fields of version 4 and 3 events. Version 3 has the DevEUI at the top level and may send the decoded object as text. */
const Event = z.looseObject({
  deduplicationId: z.optional(z.string()),
  time: z.optional(z.string()),
  publishedAt: z.optional(z.string()),
  deviceInfo: z.optional(z.looseObject({ devEui: z.string() })),
  devEUI: z.optional(z.string()),
  fCnt: lenient(z.number()),
  data: z.optional(z.nullable(z.string())),
  object: lenient(Json),
  objectJSON: z.optional(z.string()),
  rxInfo: lenient(z.array(z.looseObject({ time: lenient(z.string()), nsTime: lenient(z.string()), uplinkID: lenient(z.string()) }))),
  location: Location,
  batteryLevel: lenient(z.number()),
  queueItemId: lenient(z.string()),
  acknowledged: lenient(z.boolean()),
  battery: lenient(z.number()),
  type: lenient(z.string()),
})

/** A gateway forwards an uplink within seconds; if its clock differs by more from the server's, it is wrong. */
const GATEWAY_DELAY_MS = 10 * MINUTE_MS

/** Events caused by a message of the tracker, and those in which the server only reports about itself. */
const HEARD = ['up', 'join', 'status', 'location', 'ack']
const UNHEARD = ['txack', 'log', 'error', 'integration']

/** Types of a version 3 error about a message to a tracker, which the server then discards. */
const UNSENDABLE = /^(DOWNLINK|DEVICE_QUEUE_ITEM|DATA_DOWN)_/

/** Reads the events of ChirpStack 4 and 3, as its HTTP integration posts them. */
export const readChirpstack: ReadUplink = (body, { event, now }) => {
  const sent = parseBody(Event, body)
  const kind = event ?? (sent.data !== undefined || sent.object ? 'up' : '')
  if (![...HEARD, ...UNHEARD].includes(kind)) throw invalidField('event', `Must be one of ${[...HEARD, ...UNHEARD].join(', ')}`)
  const { deviceInfo, devEUI, rxInfo } = sent
  const eui = deviceInfo?.devEui ?? devEUI
  if (eui === undefined) throw invalidField('deviceInfo.devEui', 'Required')
  if (kind === 'location' && !sent.location) throw invalidField('location', 'Required')
  const gateways = rxInfo?.flatMap(({ nsTime, time }) => [nsTime, time]) ?? []
  const time = sent.time ?? rxInfo?.[0]?.nsTime ?? rxInfo?.[0]?.time ?? sent.publishedAt
  const server = [...(rxInfo?.map(({ nsTime }) => nsTime) ?? []), sent.publishedAt].filter((each) => !Number.isNaN(readTime(each)))
  // In version 4 the time is the gateway's, if it has a clock.
  const isRight = server.length === 0 || Math.abs(readTime(sent.time) - readTime(server[0])) < GATEWAY_DELAY_MS
  const at = pickReceiptTime([...(isRight ? [sent.time] : []), ...server, sent.time, ...gateways], now)
  const number = parseDevEui(eui, deviceInfo ? 'deviceInfo.devEui' : 'devEUI')
  return {
    numbers: [number],
    id: sent.deduplicationId ?? rxInfo?.[0]?.uplinkID ?? (time && sent.fCnt !== undefined ? `${sent.fCnt} ${time}` : null),
    at,
    isHeard: HEARD.includes(kind),
    route: { network: deviceInfo ? 'chirpstack' : 'chirpstack3', devEui: number.value.toLowerCase() },
    delivery: readDelivery(kind, sent),
    ...(kind === 'up' && { decoded: sent.object ?? parseObject(sent.objectJSON), payload: toHex(sent.data) }),
    ...(kind === 'location' && { located: locate(sent.location, at) }),
    ...(kind === 'status' && { battery: readBattery(sent.batteryLevel, sent.battery) }),
  }
}

/** Version 4 sends the id of the queue item, version 3 the frame counter that its queue returned. */
function readDelivery(
  kind: string,
  { deviceInfo, queueItemId, fCnt, acknowledged = true, type }: z.output<typeof Event>,
): Uplink['delivery'] {
  const id = deviceInfo ? queueItemId : fCnt === undefined ? undefined : `fCnt ${fCnt}`
  if (id === undefined) return undefined
  if (['ack', 'txack'].includes(kind)) return { ids: [id], isDelivered: acknowledged }
  return kind === 'error' && UNSENDABLE.test(type ?? '') ? { ids: [id], isDelivered: false } : undefined
}

const readBattery = (percent: number | undefined, level: number | undefined) =>
  percent !== undefined && percent > 0 ? { percent: Math.min(Math.round(percent), 100) } : readLorawanBattery(level)

function locate(location: z.output<typeof Location>, at: string): Uplink['located'] {
  const point = findCoordinates(location?.latitude, location?.longitude)
  return point && { ...point, precision: fixPrecision(location?.accuracy), datetime: at }
}

function parseObject(text: string | undefined): object | undefined {
  if (!text) return undefined
  try {
    const object: unknown = JSON.parse(text)
    return isObject(object) ? object : undefined
  } catch {
    throw invalidField('objectJSON', 'Must be JSON')
  }
}

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
  const at = pickReceiptTime([reported_at], options.now)
  const isUplink = type === 'uplink'
  return {
    numbers: [parseDevEui(dev_eui, 'dev_eui')],
    id: `${type} ${fcnt ?? ''} ${reported_at}`,
    at,
    isHeard: isUplink || type.startsWith('join'),
    ...(isUplink && { decoded: decoded?.payload, payload: toHex(payload) }),
  }
}
