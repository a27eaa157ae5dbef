import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { wire } from '#contracts/rules/time.ts'
import { parse } from '#server/http/serve.ts'
import { Numeric, spare, Timestamp } from './readable.ts'
import { batteryOf, precisionOf, type Report } from './report.ts'

const Place = z.object({
  lat: z.pipe(Numeric, Latitude),
  lon: z.pipe(Numeric, Longitude),
  timestamp: z.optional(Timestamp),
  accuracy: spare(Numeric),
  hdop: spare(Numeric),
  alarm: z.optional(z.string()),
})
const Extras = z.object({ batt: spare(Numeric) })

/** Parameters of a query or form; blank ones count as missing, because apps send empty values. */
export type Parameters = Record<string, string>

/** Reads parameters of the OsmAnd protocol (docs/devices.md). There is no position without coordinates, at 0,0 or when marked invalid. */
export function readForm(parameters: Parameters, now: Date): Report {
  const said = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value.trim() !== ''))
  const battery = batteryOf(parse(Extras, said, 'validation_error').batt)
  const [lat, lon] = said.location?.split(',') ?? [said.lat, said.lon]
  if ((lat === undefined && lon === undefined) || said.valid === 'false' || said.valid === '0') return { positions: [], battery }
  const place = parse(Place, { ...said, lat, lon }, 'validation_error')
  if (place.lat === 0 && place.lon === 0) return { positions: [], battery }
  const fix = {
    lat: place.lat,
    lng: place.lon,
    precision: precisionOf(place.accuracy, place.hdop),
    datetime: place.timestamp ?? wire(now),
    ...(place.alarm === 'sos' && { event: 'button' as const }),
  }
  return { positions: [fix], battery }
}
