import * as z from 'zod/mini'
import type { Point } from '#contracts/rules/reading/coordinate.ts'
import { NUMBER_KINDS, normalizeNetworkNumber } from '#contracts/rules/reading/network-number.ts'
import { readNumber } from '#contracts/rules/reading/number.ts'
import { isPress } from '#contracts/rules/reading/press.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { lacksFix } from '#contracts/rules/reading/validity.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { invalidField } from '#server/lib/errors.ts'
import { findInstant, KMH, Lat, Lng, lenient, Numeric, readMeasures } from '#server/tracking/protocols/report.ts'
import { type Battery, type Fix, findCoordinates, Json, parseBody, type ReadUplink, type SenderNumber } from './uplink.ts'

const Time = lenient(z.union([z.string(), z.number()]))

const Position = z.looseObject({
  id: lenient(z.number()),
  fixTime: Time,
  deviceTime: Time,
  serverTime: Time,
  latitude: Lat,
  longitude: Lng,
  altitude: lenient(Numeric),
  speed: lenient(Numeric),
  course: lenient(Numeric),
  accuracy: lenient(Numeric),
  attributes: lenient(Json),
})
type Position = z.output<typeof Position>

const Forward = z.looseObject({
  device: z.looseObject({ uniqueId: z.string() }),
  position: z.optional(z.nullable(Position)),
  event: z.optional(z.looseObject({ type: z.string(), eventTime: Time, attributes: lenient(Json) })),
})

/** Reads what a Traccar server forwards as JSON: its positions, and its events with the position they belong to. */
export const readTraccar: ReadUplink = (body, { now }) => {
  const { device, position, event } = parseBody(Forward, body)
  if (!position && !event) throw invalidField('position', 'Required, unless an event is forwarded')
  const at = findFirst(position?.fixTime, position?.deviceTime, position?.serverTime) ?? formatInstant(now)
  const isPressed = [position?.attributes, event?.attributes, event].some((fields) => fields && isPress(fields))
  const point = position && findCoordinates(position.latitude, position.longitude)
  const isWithoutFix = position ? !point || lacksFix(position) || lacksFix(position.attributes ?? {}) : false
  const located = position && point && !isWithoutFix ? completeFix(point, position, at, isPressed) : undefined
  return {
    numbers: listNumbers(device.uniqueId),
    id: null,
    at,
    // Events without a position, such as `deviceOffline`, come from the server.
    isHeard: position !== null && position !== undefined,
    located,
    battery: readBattery(position?.attributes),
    pressedAt: isPressed ? (findFirst(position?.deviceTime, event?.eventTime) ?? at) : undefined,
    isWithoutFix,
  }
}

const findFirst = (...times: unknown[]) => times.map(findInstant).find((at) => at !== undefined)

/** Traccar identifies hardware by its IMEI, and anything else by the number that its owner entered. */
function listNumbers(uniqueId: string): SenderNumber[] {
  const known = NUMBER_KINDS.map((kind) => ({ kind, value: normalizeNetworkNumber(kind, uniqueId) }))
  const printed = [
    { kind: 'identifier' as const, value: normalizeIdentifier(uniqueId) },
    { kind: 'serial' as const, value: normalizeSerial(uniqueId) },
  ]
  return [...known, ...printed].flatMap(({ kind, value }) => (value === null ? [] : [{ kind, value }]))
}

function completeFix(point: Point, position: Position, at: string, isPressed: boolean): Fix {
  const { accuracy, altitude, course, attributes = {} } = position
  const speed = position.speed === undefined ? undefined : position.speed * KMH.perKnot
  return {
    ...point,
    datetime: at,
    ...readMeasures({ accuracy, hdop: readNumber(attributes.hdop), speed, course, altitude }, [position, attributes]),
    ...(isPressed && { event: 'button' as const }),
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
