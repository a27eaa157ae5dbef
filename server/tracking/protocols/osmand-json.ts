import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { parseInput } from '#server/http/serve.ts'
import { lenient, Timestamp } from './readable.ts'
import { batteryPercent, type Fix, fixPrecision, type Report } from './report.ts'

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
