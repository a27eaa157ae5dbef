import * as z from 'zod/mini'
import type { Message } from '#contracts/positions.ts'
import { isHalfEmpty, readPoint } from '#contracts/rules/reading/coordinate.ts'
import { type NumberKind, normalizeNetworkNumber } from '#contracts/rules/reading/network-number.ts'
import { readTime } from '#contracts/rules/reading/time.ts'
import { DAY_MS, formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import { parseInput } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'

export type Fix = Message['positions'][number]

/** A number that the sender gave; trackers are also known by their identifier and serial. */
export type SenderNumber = { kind: NumberKind | 'identifier' | 'serial'; value: string }

/** In percent, in millivolts, or not reported. */
export type Battery = { percent?: number; millivolts?: number }

/** One message of a network, in the terms that all networks share. */
export type Uplink = {
  /** Any of these is the tracker's. */
  numbers: SenderNumber[]
  /** Repeated by the network when it sends the same uplink again; null if it does not say. */
  id: string | null
  /** When the network received it. */
  at: string
  /** False for a message of the network itself, such as a log entry: the tracker was not heard. */
  isHeard: boolean
  /** What the network's decoder made of the payload. */
  decoded?: object | undefined
  /** The payload as the tracker sent it, as hexadecimal digits. */
  payload?: string | undefined
  /** Where the network located the tracker, or where a server that decodes by itself says it is. */
  located?: Fix | undefined
  battery?: Battery | undefined
  /** When the tracker's button was pressed, if the network says so itself. */
  pressedAt?: string | undefined
  /** Whether the server left out a position because it is no fix. */
  isWithoutFix?: boolean | undefined
  /** How to send something to the tracker. */
  route?: DownlinkRoute | undefined
  /** What became of something that was sent. */
  delivery?: Delivery | undefined
}

/** The Things Stack sends address and key with each message; a ChirpStack server is one of the account. */
export type DownlinkRoute = { network: 'tts'; url: string; token: string } | { network: 'chirpstack' | 'chirpstack3'; devEui: string }

/** `ids`: what the network repeats of the message that it has sent, or could not send. */
export type Delivery = { ids: readonly string[]; isDelivered: boolean }

/** What a stored uplink needs to be read again. */
export type StoredUplink = Pick<Uplink, 'at' | 'decoded' | 'payload' | 'located' | 'battery'>

/** Reads the body of one network. `event` is the query parameter of that name. Throws `validation_error` for a body it does not know. */
export type ReadUplink = (body: unknown, options: ReadOptions) => Uplink
export type ReadOptions = { event: string | undefined; now: Date; headers: Record<string, string | string[] | undefined> }

/** A network hands an uplink over at once, or within days when the portal could not be reached. */
const DELIVERY = { ahead: 10 * MINUTE_MS, age: 30 * DAY_MS } as const

/**
 * When the network received an uplink: the first of the times that can be right, in the order in which their clocks are trusted; else now. A
 * gateway without a clock sends 1970 or 2045.
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

/** Both coordinates; undefined unless both are readable, and for an exact 0, which decoders fill in without a fix. */
export function findCoordinates(latitude: unknown, longitude: unknown) {
  const point = readPoint(latitude, longitude)
  return point && !isHalfEmpty(point) ? point : undefined
}

/** Percent from the battery level of LoRaWAN: 1 to 254; 0 is external power, 255 unknown. */
export function readLorawanBattery(level: number | undefined): Battery | undefined {
  return level === undefined || level < 1 || level > 254 ? undefined : { percent: Math.round((level / 254) * 100) }
}
