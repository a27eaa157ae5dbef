import * as z from 'zod/mini'
import { MEASURED } from '#contracts/lib/constants.ts'
import { NUMBER_KINDS, normalizeNetworkNumber } from '#contracts/rules/reading/network-number.ts'
import { readNumber } from '#contracts/rules/reading/number.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { invalidField } from '#server/lib/errors.ts'
import { findInstant, fixPrecision, lenient } from '#server/tracking/protocols/report.ts'
import { type Battery, type Fix, findCoordinates, Json, parseBody, type ReadUplink, type SenderNumber } from './uplink.ts'

const KMH_PER_KNOT = 1.852

const Time = lenient(z.union([z.string(), z.number()]))

const Position = z.looseObject({
  id: lenient(z.number()),
  fixTime: Time,
  deviceTime: Time,
  serverTime: Time,
  valid: lenient(z.boolean()),
  outdated: lenient(z.boolean()),
  latitude: z.number(),
  longitude: z.number(),
  altitude: lenient(z.number()),
  speed: lenient(z.number()),
  course: lenient(z.number()),
  accuracy: lenient(z.number()),
  attributes: lenient(Json),
})
type Position = z.output<typeof Position>

const Forward = z.looseObject({
  device: z.looseObject({ uniqueId: z.string() }),
  position: z.optional(z.nullable(Position)),
  event: z.optional(z.looseObject({ type: z.string(), attributes: lenient(Json) })),
})

/** Reads what a Traccar server forwards as JSON: its positions, and its events with the position they belong to. */
export const readTraccar: ReadUplink = (body, { now }) => {
  const { device, position, event } = parseBody(Forward, body)
  if (!position && !event) throw invalidField('position', 'Required, unless an event is forwarded')
  const at = findInstant(position?.fixTime ?? position?.deviceTime ?? position?.serverTime) ?? findInstant(now.toISOString())!
  const alarm = position?.attributes?.alarm ?? event?.attributes?.alarm
  const located = position ? locate(position, at, alarm) : undefined
  return {
    numbers: listNumbers(device.uniqueId),
    id: null,
    at,
    // Events without a position, such as `deviceOffline`, come from the server.
    isHeard: position !== null && position !== undefined,
    located,
    battery: readBattery(position?.attributes),
    pressedAt: alarm === 'sos' && !located ? at : undefined,
  }
}

/** Traccar knows hardware by its IMEI, and anything else by what its owner entered. */
function listNumbers(uniqueId: string): SenderNumber[] {
  const known = NUMBER_KINDS.map((kind) => ({ kind, value: normalizeNetworkNumber(kind, uniqueId) }))
  const printed = [
    { kind: 'identifier' as const, value: normalizeIdentifier(uniqueId) },
    { kind: 'serial' as const, value: normalizeSerial(uniqueId) },
  ]
  return [...known, ...printed].flatMap(({ kind, value }) => (value === null ? [] : [{ kind, value }]))
}

/** A position that is invalid or outdated is the last known one, which the server sends again. */
function locate(position: Position, at: string, alarm: unknown): Fix | undefined {
  const point = findCoordinates(position.latitude, position.longitude)
  if (!point || position.valid === false || position.outdated === true) return undefined
  const { accuracy, altitude, course, attributes } = position
  const speed = position.speed === undefined ? undefined : position.speed * KMH_PER_KNOT
  return {
    ...point,
    precision: fixPrecision(accuracy, readNumber(attributes?.hdop)),
    datetime: at,
    ...(speed !== undefined && speed >= MEASURED.speed[0] && speed <= MEASURED.speed[1] && { speed }),
    ...(course !== undefined && course >= 0 && course <= 360 && { course }),
    ...(altitude !== undefined && altitude >= MEASURED.altitude[0] && altitude <= MEASURED.altitude[1] && { altitude }),
    ...(alarm === 'sos' && { event: 'button' as const }),
  }
}

/** Traccar has percent in `batteryLevel` and volts in `battery`. */
function readBattery(attributes: Record<string, unknown> | undefined): Battery {
  const [percent, volts] = [readNumber(attributes?.batteryLevel), readNumber(attributes?.battery)]
  return {
    ...(percent !== undefined && percent >= 0 && percent <= 100 && { percent }),
    ...(volts !== undefined && volts > 0 && volts < 10 && { millivolts: Math.round(volts * 1000) }),
  }
}
