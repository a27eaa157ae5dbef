import * as z from 'zod/mini'
import { isNullIsland } from '#contracts/rules/reading/coordinate.ts'
import { lacksFix } from '#contracts/rules/reading/validity.ts'
import { parseInput } from '#server/http/serve.ts'
import {
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

const Feature = z.looseObject({ properties: z.optional(z.nullable(z.looseObject({}))) })
const Batch = z.object({ locations: z.array(Feature), current: lenient(Feature) })

const Position = z.object({
  geometry: z.object({ coordinates: z.tuple([Lng, Lat], z.unknown()) }),
  properties: z.object({ timestamp: Timestamp, horizontal_accuracy: Optional, speed: Optional, course: Optional, altitude: Optional }),
})
const Battery = z.object({ battery_level: Optional })
const DeviceId = z.object({ device_id: lenient(z.string()) })

export type OverlandBatch = Report & { device?: string | undefined }

/** Reads a batch of Overland (docs/devices.md): GeoJSON features, speed in m/s, the battery as a share of 1. */
export function readOverland(body: unknown, now: Date): OverlandBatch {
  if (typeof body !== 'object' || body === null || !('locations' in body)) throw unknownFormat('Expected {"locations": […]} of Overland')
  const { locations, current } = parseInput(Batch, body, 'validation_error')
  // With a backlog the app adds its latest location, which none of the next batches contains yet.
  const features = current ? [...locations, current] : locations
  const last = features.filter(isPosition).at(-1)?.properties ?? {}
  return {
    ...readBatch(features, {
      read: (feature) => (isPosition(feature) ? readPosition(feature) : null),
      listFields: ({ properties }) => (properties ? [properties] : []),
      findTime: ({ properties }) => properties?.timestamp,
      now,
    }),
    battery: batteryShare(parseInput(Battery, last, 'validation_error').battery_level),
    device: parseInput(DeviceId, last, 'validation_error').device_id,
  }
}

/** Trips, and notes about the app's actions, repeat an older location with another time. */
const isPosition = ({ properties }: z.output<typeof Feature>) => !(properties?.action || properties?.type === 'trip')

function readPosition(feature: z.output<typeof Feature>): Fix | 'no_fix' {
  const { geometry, properties } = parseInput(Position, feature, 'validation_error')
  const [lng, lat] = geometry.coordinates
  const { timestamp, horizontal_accuracy: accuracy, speed, course, altitude } = properties
  // iOS marks invalid coordinates with a negative accuracy.
  if (isNullIsland({ lat, lng }) || (accuracy !== undefined && accuracy < 0) || lacksFix(feature.properties ?? {})) return 'no_fix'
  return {
    lat,
    lng,
    datetime: timestamp,
    ...readMeasures(
      { accuracy, speed: speed === undefined ? undefined : speed * KMH.perMetreASecond, course, altitude },
      feature.properties ? [feature.properties] : [],
    ),
  }
}
