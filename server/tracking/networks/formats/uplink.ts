import * as z from 'zod/mini'
import type { Message } from '#contracts/positions.ts'
import { isHalfEmpty, readPoint } from '#contracts/rules/reading/coordinate.ts'
import { type NumberKind, normalizeNetworkNumber } from '#contracts/rules/reading/network-number.ts'
import { readTime } from '#contracts/rules/reading/time.ts'
import { DAY_MS, formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import { parseInput } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'

export type Fix = Message['positions'][number]

/** A number assigned by the sender; trackers are also known by their identifier and serial. */
export type SenderNumber = { kind: NumberKind | 'identifier' | 'serial'; value: string }

/** Battery level in percent, in millivolts, or not reported. */
export type Battery = { percent?: number; millivolts?: number }

/** One message of a network, in the terms that all networks share. */
export type Uplink = {
  /** Alternative numbers of the tracker. */
  numbers: SenderNumber[]
  /** An id that the network repeats when it sends the same uplink again; null if it sends none. */
  id: string | null
  /** Time at which the network received the message. */
  at: string
  /** False for a message of the network itself, such as a log entry, which the tracker did not cause. */
  isHeard: boolean
  /** The payload as decoded by the network. */
  decoded?: object | undefined
  /** The payload as the tracker sent it, as hexadecimal digits. */
  payload?: string | undefined
  /** Where the network located the tracker, or its position according to a server that decodes payloads itself. */
  located?: Fix | undefined
  battery?: Battery | undefined
  /** When the tracker's button was pressed, if the network says so itself. */
  pressedAt?: string | undefined
  /** Whether the server omitted a position because it is no fix. */
  isWithoutFix?: boolean | undefined
  /** Route by which a message can be sent to the tracker. */
  route?: DownlinkRoute | undefined
  /** The result of a message that was sent. */
  delivery?: Delivery | undefined
}

/** The Things Stack sends address and key with each message; a ChirpStack server belongs to the account. */
export type DownlinkRoute = { network: 'tts'; url: string; token: string } | { network: 'chirpstack' | 'chirpstack3'; devEui: string }

/** `ids`: the network's ids of the message that it has sent, or could not send. */
export type Delivery = { ids: readonly string[]; isDelivered: boolean }

/** The parts of a stored uplink that are needed to read it again. */
export type StoredUplink = Pick<Uplink, 'at' | 'decoded' | 'payload' | 'located' | 'battery'>

/** Reads the body of one network. `event` is the query parameter of that name. Throws `validation_error` for an unknown body. */
export type ReadUplink = (body: unknown, options: ReadOptions) => Uplink
export type ReadOptions = { event: string | undefined; now: Date; headers: Record<string, string | string[] | undefined> }

/** A network forwards an uplink at once, or within days when the portal was unreachable. */
const DELIVERY = { ahead: 10 * MINUTE_MS, age: 30 * DAY_MS } as const

/**
 * When the network received an uplink: the first plausible time, in the order in which their clocks are trusted; else now. A gateway
 * without a clock sends 1970 or 2045.
 */
export function pickReceiptTime(times: readonly unknown[], now: Date): string {
  const instants = times.map((time) => readTime(time))
  const found = instants.find((at) => at <= now.getTime() + DELIVERY.ahead && at >= now.getTime() - DELIVERY.age)
  return formatInstant(found === undefined ? now : new Date(found))
}

/** A DevEUI in hexadecimal digits, or in base64 as ChirpStack 3 may send it. */
export function parseDevEui(text: string, field: string): SenderNumber {
  const value = normalizeNetworkNumber('dev_eui', text) ?? normalizeNetworkNumber('dev_eui', toHex(text) ?? '')
  if (value === null) throw invalidField(field, 'Must be 16 hexadecimal digits')
  return { kind: 'dev_eui', value }
}

/** Base64 as hexadecimal digits; undefined for other text. */
export const toHex = (base64: string | null | undefined) =>
  base64 && /^[\w+/-]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64').toString('hex') : undefined

export const Json = z.record(z.string(), z.unknown())

export function parseBody<T extends z.ZodMiniType>(schema: T, body: unknown) {
  return parseInput(schema, body, 'validation_error')
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Both coordinates; undefined unless both are readable, and for an exact 0, which decoders use without a fix. */
export function findCoordinates(latitude: unknown, longitude: unknown) {
  const point = readPoint(latitude, longitude)
  return point && !isHalfEmpty(point) ? point : undefined
}

/** Percent from LoRaWAN's battery level: 1 to 254; 0 is external power, 255 unknown. */
export function readLorawanBattery(level: number | undefined): Battery | undefined {
  return level === undefined || level < 1 || level > 254 ? undefined : { percent: Math.round((level / 254) * 100) }
}
