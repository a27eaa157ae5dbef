import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { parseInput } from '#server/http/serve.ts'
import { batteryShare, type Fix, fixPrecision, isNoFix, KMH, lenient, measured, type Report, readBatch, Timestamp } from './report.ts'

const Optional = lenient(z.number())
const Alarm = lenient(z.string())

const Location = z.object({
  timestamp: Timestamp,
  coords: z.object({
    latitude: Latitude,
    longitude: Longitude,
    accuracy: Optional,
    speed: Optional,
    heading: Optional,
    altitude: Optional,
  }),
  alarm: Alarm,
  extras: lenient(z.object({ alarm: Alarm })),
})
const Battery = z.object({ battery: lenient(z.object({ level: z.number() })) })
const AnyLocation = z.looseObject({ coords: z.optional(z.unknown()) })
const Body = z.object({ location: z.optional(z.union([AnyLocation, z.array(AnyLocation)])) })

/** Tells the body of Traccar Client 9 from OsmAnd parameters sent as JSON. */
export const isTraccarBody = (json: object): boolean => 'device_id' in json || ('location' in json && typeof json.location === 'object')

/** Reads the JSON of Traccar Client 9 (docs/devices.md). Its speed is in m/s, its battery level a share of 1. */
export function readTraccarJson(body: object): Report {
  const { location = [] } = parseInput(Body, body, 'validation_error')
  const locations = Array.isArray(location) ? location : [location]
  const { battery } = parseInput(Battery, locations.at(-1) ?? {}, 'validation_error')
  return { ...readBatch(locations, readLocation), battery: batteryShare(battery?.level) }
}

/** Null for a heartbeat, which has no coordinates. */
function readLocation(location: z.output<typeof AnyLocation>): Fix | null {
  if (location.coords === undefined || location.coords === null) return null
  const { timestamp, coords, alarm, extras } = parseInput(Location, location, 'validation_error')
  if (isNoFix(coords.latitude, coords.longitude)) return null
  return {
    lat: coords.latitude,
    lng: coords.longitude,
    precision: fixPrecision(coords.accuracy),
    datetime: timestamp,
    ...measured({
      speed: coords.speed === undefined ? undefined : coords.speed * KMH.perMetreASecond,
      course: coords.heading,
      altitude: coords.altitude,
    }),
    ...((alarm ?? extras?.alarm) === 'sos' && { event: 'button' as const }),
  }
}
