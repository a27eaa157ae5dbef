import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { parseInput } from '#server/http/serve.ts'
import { batteryPercent, type Fix, fixPrecision, lenient, Numeric, type Report, Timestamp } from './report.ts'

const PositionFields = z.object({
  lat: z.pipe(Numeric, Latitude),
  lon: z.pipe(Numeric, Longitude),
  timestamp: z.optional(Timestamp),
  accuracy: lenient(Numeric),
  hdop: lenient(Numeric),
  alarm: z.optional(z.string()),
})
const BatteryField = z.object({ batt: lenient(Numeric) })

/** Parameters of a query or form; blank ones count as missing, because apps send empty values. */
export type Parameters = Record<string, string>

/** Reads parameters of the OsmAnd protocol (docs/devices.md). There is no position without coordinates, at 0,0 or when marked invalid. */
export function readOsmandForm(parameters: Parameters, now: Date): Report {
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value.trim() !== ''))
  const battery = batteryPercent(parseInput(BatteryField, given, 'validation_error').batt)
  const [lat, lon] = given.location?.split(',') ?? [given.lat, given.lon]
  if ((lat === undefined && lon === undefined) || given.valid === 'false' || given.valid === '0') return { positions: [], battery }
  const place = parseInput(PositionFields, { ...given, lat, lon }, 'validation_error')
  if (place.lat === 0 && place.lon === 0) return { positions: [], battery }
  const fix = {
    lat: place.lat,
    lng: place.lon,
    precision: fixPrecision(place.accuracy, place.hdop),
    datetime: place.timestamp ?? formatInstant(now),
    ...(place.alarm === 'sos' && { event: 'button' as const }),
  }
  return { positions: [fix], battery }
}

const Location = z.object({
  timestamp: Timestamp,
  coords: z.object({ latitude: Latitude, longitude: Longitude, accuracy: lenient(z.number()) }),
  battery: lenient(z.object({ level: z.number() })),
  extras: lenient(z.object({ alarm: z.optional(z.string()) })),
})

const Body = z.object({
  location: z.optional(
    z.union([
      z.pipe(
        Location,
        z.transform((one) => [one]),
      ),
      z.array(Location).check(z.maxLength(1000)),
    ]),
  ),
})

/** Reads the JSON of Traccar Client 9 (docs/devices.md). Its battery level is a fraction of 1. */
export function readTraccarJson(body: object): Report {
  const { location: locations = [] } = parseInput(Body, body, 'validation_error')
  const level = locations.at(-1)?.battery?.level
  return { positions: locations.map(fixOf), battery: batteryPercent(level === undefined ? undefined : level * 100) }
}

const fixOf = ({ timestamp, coords, extras }: z.output<typeof Location>): Fix => ({
  lat: coords.latitude,
  lng: coords.longitude,
  precision: fixPrecision(coords.accuracy),
  datetime: timestamp,
  ...(extras?.alarm === 'sos' && { event: 'button' as const }),
})
