import type { FileFix, Sink } from '#server/tracking/import/fixes.ts'
import { type Reader, toKmh, toNumber, toTime } from '#server/tracking/import/reader.ts'
import { createJsonReader, type JsonObject } from './json-records.ts'

type Format = 'geojson' | 'timeline'

/** GeoJSON or a Google Timeline, as the first object that is one of their records says. */
export function createJsonPositionsReader(sink: Sink, onFormat: (format: Format) => void): Reader {
  const take = (format: Format, add: () => void) => {
    onFormat(format)
    add()
    return true
  }
  return createJsonReader((object, line) => {
    if (object.type === 'Feature') return take('geojson', () => addFeature(sink, object, line))
    // Its features were taken as they ended. Without any, only the collection itself shows the format.
    if (object.type === 'FeatureCollection' && Array.isArray(object.features)) return take('geojson', () => undefined)
    if ('latitudeE7' in object && 'timestamp' in object) return take('timeline', () => sink.add(recordFix(object), line))
    if ('latitudeE7' in object && 'timestampMs' in object) return take('timeline', () => sink.add(recordFix(object), line))
    if (isObject(object.position) && 'LatLng' in object.position)
      return take('timeline', () => sink.add(signalFix(object.position as JsonObject), line))
    if ('startTime' in object && 'endTime' in object && isSegment(object)) return take('timeline', () => addSegment(sink, object, line))
    return false
  })
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

// --- GeoJSON ------------------------------------------------------------------------------------------------------

/** A point takes its time from its properties; lines and sets of points from a list beside the coordinates, as most programs write it. */
function addFeature(sink: Sink, { geometry, properties }: JsonObject, line: number) {
  if (!isObject(geometry)) return sink.skip(line, 'bad_coordinates')
  const facts = isObject(properties) ? properties : {}
  if (geometry.type === 'Point') {
    const time = toTime(facts.time ?? facts.timestamp ?? facts.datetime ?? facts.when)
    return sink.add({ ...placeOf(geometry.coordinates), time, ...measuredBy(facts) }, line)
  }
  const lines = geometry.type === 'MultiLineString' ? listOf(geometry.coordinates) : [geometry.coordinates]
  if (!['LineString', 'MultiLineString', 'MultiPoint'].includes(String(geometry.type))) return sink.skip(line, 'no_time')
  const inner = isObject(facts.coordinateProperties) ? facts.coordinateProperties : {}
  const times = listOf(facts.coordTimes ?? facts.times ?? inner.times)
  const isNested = geometry.type === 'MultiLineString' && Array.isArray(times[0])
  let offset = 0
  for (const [nth, part] of lines.entries()) {
    const places = listOf(part)
    const own = isNested ? listOf(times[nth]) : times
    for (const [row, place] of places.entries()) sink.add({ ...placeOf(place), time: toTime(own[isNested ? row : offset + row]) }, line)
    offset += places.length
  }
}

function placeOf(coordinates: unknown): Pick<FileFix, 'lat' | 'lng' | 'altitude'> {
  const [lng, lat, altitude] = listOf(coordinates)
  return { lat: toNumber(lat) ?? Number.NaN, lng: toNumber(lng) ?? Number.NaN, altitude: toNumber(altitude) }
}

/** `speed` is in km/h, but in m/s where `horizontal_accuracy` shows that Overland wrote it. */
function measuredBy(facts: JsonObject) {
  const speed = toNumber(facts.speed)
  const altitude = toNumber(facts.altitude)
  return {
    precision: toNumber(facts.precision ?? facts.accuracy ?? facts.horizontal_accuracy),
    speed: 'horizontal_accuracy' in facts ? toKmh(speed) : speed,
    course: toNumber(facts.course ?? facts.heading ?? facts.bearing),
    battery: toNumber(facts.battery),
    event: textOf(facts.event),
    mark: textOf(facts.mark),
    ...(altitude !== undefined && { altitude }),
  }
}

// --- Google Timeline ----------------------------------------------------------------------------------------------

/** A location of `Records.json` of Takeout, speed in m/s; unknown values are negative. */
const recordFix = (record: JsonObject): FileFix => ({
  lat: degreesE7(record.latitudeE7),
  lng: degreesE7(record.longitudeE7),
  time: toTime(record.timestamp ?? record.timestampMs),
  precision: toNumber(record.accuracy),
  speed: toKmh(toNumber(record.velocity)),
  course: toNumber(record.heading),
  altitude: toNumber(record.altitude),
})

/** Old files have overflowed numbers, 2^32 too large. */
function degreesE7(value: unknown) {
  const scaled = toNumber(value) ?? Number.NaN
  return (scaled > 1_800_000_000 ? scaled - 2 ** 32 : scaled) / 1e7
}

/** A raw signal of `Timeline.json` of a phone. */
const signalFix = (position: JsonObject): FileFix => ({
  ...parseLatLng(position.LatLng),
  time: toTime(position.timestamp),
  precision: toNumber(position.accuracyMeters),
  speed: toKmh(toNumber(position.speedMetersPerSecond)),
  altitude: toNumber(position.altitudeMeters),
})

const isSegment = ({ timelinePath, visit, activity }: JsonObject) => Array.isArray(timelinePath) || isObject(visit) || isObject(activity)

/** A path has a time per point, or minutes since the start of its segment. Visits and activities are conclusions, not positions. */
function addSegment(sink: Sink, { startTime, timelinePath }: JsonObject, line: number) {
  const start = toTime(startTime)
  for (const point of listOf(timelinePath)) {
    if (!isObject(point)) continue
    const minutes = toNumber(point.durationMinutesOffsetFromStartTime)
    const time = point.time === undefined && minutes !== undefined && start !== null ? start + minutes * 60_000 : toTime(point.time)
    sink.add({ ...parseLatLng(point.point), time }, line)
  }
}

/** `48.1371°, 11.5754°` or `geo:48.1371,11.5754`. */
function parseLatLng(value: unknown) {
  const match = /^(?:geo:)?\s*(-?[\d.]+)°?\s*,\s*(-?[\d.]+)°?\s*$/.exec(textOf(value) ?? '')
  return { lat: toNumber(match?.[1]) ?? Number.NaN, lng: toNumber(match?.[2]) ?? Number.NaN }
}
