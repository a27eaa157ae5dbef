import * as z from 'zod/mini'
import { isNullIsland } from '#contracts/rules/reading/coordinate.ts'
import { isInMilliseconds } from '#contracts/rules/reading/time.ts'
import { lacksFix } from '#contracts/rules/reading/validity.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { parseInput } from '#server/http/serve.ts'
import {
  batteryPercentOrShare,
  batteryShare,
  type Fix,
  KMH,
  Lat,
  Lng,
  lenient,
  Numeric,
  type Report,
  readBatch,
  readMeasures,
  Timestamp,
  unknownFormat,
} from './report.ts'

const Optional = lenient(Numeric)

const PositionFields = z.object({
  lat: Lat,
  lon: Lng,
  timestamp: z.optional(Timestamp),
  accuracy: Optional,
  hdop: Optional,
  speed: Optional,
  spd: Optional,
  course: Optional,
  altitude: Optional,
})
const BatteryField = z.object({ batt: Optional })

/** Parameters of a query, a form or a flat JSON object; blank ones count as missing, because apps send empty values. */
export type Parameters = Record<string, string>

/** Names of which a body must contain one, so that another program's body is not taken for a report without a position. */
const NAMES = [
  'id',
  'deviceid',
  'device_id',
  'lat',
  'lon',
  'latitude',
  'longitude',
  'location',
  'timestamp',
  'batt',
  'alarm',
  'valid',
  'cell',
  'wifi',
]

/** Throws unless a body has a parameter of the protocol. */
export function assertOsmandNames(parameters: Parameters) {
  if (!NAMES.some((name) => name in parameters)) throw unknownFormat(`Expected the parameters of the OsmAnd protocol: ${NAMES.join(', ')}`)
}

/** Reads parameters of the OsmAnd protocol (docs/devices.md), one set for each position. */
export function readOsmandForms(forms: readonly Parameters[], now: Date): Report {
  const given = forms.map(withoutBlanks)
  const batch = readBatch(given, {
    read: (parameters) => readOsmandFix(parameters, now),
    listFields: (parameters) => [parameters],
    findTime: ({ timestamp }) => timestamp,
    now,
  })
  const { batt } = parseInput(BatteryField, given.at(-1) ?? {}, 'validation_error')
  return { ...batch, battery: batteryPercentOrShare(batt) }
}

function withoutBlanks(parameters: Parameters): Parameters {
  if (!Object.values(parameters).some(isBlank)) return parameters
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => !isBlank(value)))
}

const isBlank = (value: string) => value.trim() === ''

/** Null without coordinates. */
function readOsmandFix(given: Parameters, now: Date): Fix | 'no_fix' | null {
  const [lat, lon] = given.location?.split(',') ?? [given.lat ?? given.latitude, given.lon ?? given.lng ?? given.longitude]
  if (lat === undefined && lon === undefined) return null
  const isOsmand = isSentByOsmand(given)
  if (isNaNText(lat) || isNaNText(lon) || lacksFix(given, { isDilution: !isOsmand })) return 'no_fix'
  const place = parseInput(PositionFields, pickFields(given, lat, lon), 'validation_error')
  if (isNullIsland({ lat: place.lat, lng: place.lon })) return 'no_fix'
  return {
    lat: place.lat,
    lng: place.lon,
    datetime: place.timestamp ?? formatInstant(now),
    ...readMeasures(
      {
        ...(isOsmand ? { accuracy: place.hdop } : { accuracy: place.accuracy, hdop: place.hdop }),
        speed: inKmh(place.spd, KMH.perMetreASecond) ?? inKmh(place.speed, isOsmand ? KMH.perMetreASecond : KMH.perKnot),
        course: place.course,
        altitude: place.altitude,
      },
      [given],
    ),
  }
}

const isNaNText = (text: string | undefined) => text?.trim().toLowerCase() === 'nan'

/** Some have alternative names: GPSLogger's `%ALL` shortens them, and the protocol itself has three for the course. */
function pickFields(given: Parameters, lat: string | undefined, lon: string | undefined) {
  const { timestamp, accuracy, acc, hdop, speed, spd, bearing, heading, course, dir, altitude, alt } = given
  return {
    lat,
    lon,
    timestamp,
    hdop,
    speed,
    spd,
    accuracy: accuracy ?? acc,
    course: bearing ?? heading ?? course ?? dir,
    altitude: altitude ?? alt,
  }
}

/**
 * OsmAnd sends the accuracy in metres in the URL's `hdop`, and the speed in m/s. It does not identify itself; but only OsmAnd sends
 * milliseconds and neither an accuracy nor a battery. Traccar Client always has an accuracy, GPSLogger sends seconds or a date.
 */
const isSentByOsmand = ({ hdop, accuracy, acc, batt, timestamp = '' }: Parameters) =>
  hdop !== undefined && accuracy === undefined && acc === undefined && batt === undefined && isInMilliseconds(timestamp.trim())

const inKmh = (speed: number | undefined, factor: number) => (speed === undefined ? undefined : speed * factor)

const OptionalNumber = lenient(Numeric)

const Location = z.object({
  timestamp: Timestamp,
  coords: z.object({
    latitude: Lat,
    longitude: Lng,
    accuracy: OptionalNumber,
    speed: OptionalNumber,
    heading: OptionalNumber,
    altitude: OptionalNumber,
  }),
})
const Battery = z.object({ battery: lenient(z.object({ level: Numeric })) })
const AnyLocation = z.looseObject({ coords: z.optional(z.unknown()) })
const Body = z.object({ location: z.optional(z.union([AnyLocation, z.array(AnyLocation)])) })

/** Distinguishes the body of Traccar Client 9 from OsmAnd parameters sent as JSON. */
export const isTraccarBody = (json: object): boolean => 'device_id' in json || ('location' in json && typeof json.location === 'object')

/** Reads the JSON of Traccar Client 9 (docs/devices.md). Its speed is in m/s, its battery level a share of 1. */
export function readTraccarJson(body: object, now: Date): Report {
  const { location = [] } = parseInput(Body, body, 'validation_error')
  const locations = Array.isArray(location) ? location : [location]
  const { battery } = parseInput(Battery, locations.at(-1) ?? {}, 'validation_error')
  const batch = readBatch(locations, { read: readLocation, listFields: listGroups, findTime: ({ timestamp }) => timestamp, now })
  return { ...batch, battery: batteryShare(battery?.level) }
}

const hasCoordinates = ({ coords }: z.output<typeof AnyLocation>) => coords !== undefined && coords !== null

/** A location, and its fields besides the coordinates. */
const listGroups = (location: z.output<typeof AnyLocation>): object[] =>
  [location, location.coords, location.extras].filter((group): group is object => typeof group === 'object' && group !== null)

/** Null for a heartbeat, which has no coordinates. */
function readLocation(location: z.output<typeof AnyLocation>): Fix | 'no_fix' | null {
  if (!hasCoordinates(location)) return null
  const { timestamp, coords } = parseInput(Location, location, 'validation_error')
  if (isNullIsland({ lat: coords.latitude, lng: coords.longitude })) return 'no_fix'
  if (listGroups(location).some((group) => lacksFix(group as Record<string, unknown>))) return 'no_fix'
  return {
    lat: coords.latitude,
    lng: coords.longitude,
    datetime: timestamp,
    ...readMeasures(
      { accuracy: coords.accuracy, speed: inKmh(coords.speed, KMH.perMetreASecond), course: coords.heading, altitude: coords.altitude },
      listGroups(location),
    ),
  }
}
