import * as z from 'zod/mini'
import { readNumber } from '#contracts/rules/reading/number.ts'
import { invalidField } from '#server/lib/errors.ts'
import { fixPrecision, Lat, Lng, lenient, Numeric } from '#server/tracking/protocols/report.ts'
import {
  type Delivery,
  type DownlinkRoute,
  type Fix,
  findCoordinates,
  Json,
  parseBody,
  parseDevEui,
  pickReceiptTime,
  type ReadOptions,
  type ReadUplink,
  toHex,
} from './uplink.ts'

const Location = z.looseObject({ latitude: lenient(Lat), longitude: lenient(Lng), accuracy: lenient(Numeric) })

const UplinkMessage = z.looseObject({
  session_key_id: lenient(z.string()),
  f_cnt: lenient(z.number()),
  frm_payload: lenient(z.string()),
  decoded_payload: lenient(Json),
  normalized_payload: lenient(z.union([Json, z.array(Json)])),
  received_at: lenient(z.string()),
  last_battery_percentage: lenient(z.looseObject({ value: lenient(z.number()) })),
  locations: lenient(z.record(z.string(), Location)),
})

const Downlink = lenient(z.looseObject({ correlation_ids: lenient(z.array(z.string())) }))

const Up = z.looseObject({
  correlation_ids: lenient(z.array(z.string())),
  downlink_sent: Downlink,
  downlink_ack: Downlink,
  downlink_nack: Downlink,
  downlink_failed: lenient(z.looseObject({ downlink: Downlink })),
  end_device_ids: z.looseObject({ dev_eui: z.string() }),
  received_at: lenient(z.string()),
  uplink_message: z.optional(UplinkMessage),
  uplink_normalized: z.optional(UplinkMessage),
  join_accept: z.optional(z.looseObject({ received_at: lenient(z.string()) })),
  location_solved: z.optional(z.looseObject({ location: z.optional(Location), ...Location.shape })),
})

/** Messages caused by a message of the tracker, and those about a downlink or a service. */
const HEARD = ['uplink_message', 'uplink_normalized', 'join_accept', 'location_solved', 'downlink_ack', 'downlink_nack']
const UNHEARD = ['downlink_sent', 'downlink_failed', 'downlink_queued', 'downlink_queue_invalidated', 'service_data']

/** Reads the messages of The Things Stack 3. Each has its content under a name of its kind. */
export const readTts: ReadUplink = (body, { now, headers }) => {
  const sent = parseBody(Up, body)
  const kind = [...HEARD, ...UNHEARD].find((name) => sent[name] !== undefined)
  if (kind === undefined) throw invalidField('body', `Must have one of ${[...HEARD, ...UNHEARD].join(', ')}`)
  const uplink = sent.uplink_message ?? sent.uplink_normalized
  const time = uplink?.received_at ?? sent.join_accept?.received_at ?? sent.received_at
  const at = pickReceiptTime([time, sent.received_at], now)
  const solved = sent.location_solved && (sent.location_solved.location ?? sent.location_solved)
  const percent = readNumber(uplink?.last_battery_percentage?.value)
  return {
    numbers: [parseDevEui(sent.end_device_ids.dev_eui, 'end_device_ids.dev_eui')],
    id: uplink ? `up ${uplink.session_key_id ?? ''} ${uplink.f_cnt ?? 0} ${uplink.received_at ?? time}` : time ? `${kind} ${time}` : null,
    at,
    isHeard: HEARD.includes(kind),
    ...(uplink && { decoded: uplink.decoded_payload ?? firstOf(uplink.normalized_payload), payload: toHex(uplink.frm_payload) }),
    ...(percent !== undefined && percent > 0 && { battery: { percent: Math.min(Math.round(percent), 100) } }),
    route: findRoute(headers),
    delivery: findDelivery(sent),
    located: locate(solved ? [solved] : Object.values(uplink?.locations ?? {}), at),
  }
}

/**
 * A webhook with a downlink API key sends the address for downlinks with each message. Replacing removes an older message from the queue.
 */
function findRoute(headers: ReadOptions['headers']): DownlinkRoute | undefined {
  const [url, token] = [headers['x-downlink-replace'] ?? headers['x-downlink-push'], headers['x-downlink-apikey']]
  return typeof url === 'string' && typeof token === 'string' ? { network: 'tts', url, token } : undefined
}

function findDelivery(sent: z.output<typeof Up>): Delivery | undefined {
  const [delivered, failed] = [sent.downlink_ack ?? sent.downlink_sent, sent.downlink_nack ?? sent.downlink_failed?.downlink]
  const downlink = delivered ?? failed
  return downlink && { ids: [...(downlink.correlation_ids ?? []), ...(sent.correlation_ids ?? [])], isDelivered: delivered !== undefined }
}

const firstOf = (normalized: object | object[] | undefined) => (Array.isArray(normalized) ? normalized[0] : normalized)

/** The most precise of several locations; one without an accuracy comes from a payload that the server decoded. */
function locate(locations: z.output<typeof Location>[], at: string): Fix | undefined {
  const fixes = locations.flatMap(({ latitude = 0, longitude = 0, accuracy }) => {
    const point = findCoordinates(latitude, longitude)
    return point ? [{ ...point, precision: fixPrecision(accuracy), datetime: at }] : []
  })
  return fixes.sort((a, b) => a.precision - b.precision)[0]
}
