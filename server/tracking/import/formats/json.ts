import { readE7 } from '#contracts/rules/reading/coordinate.ts'
import { readNumber } from '#contracts/rules/reading/number.ts'
import { lacksFix } from '#contracts/rules/reading/validity.ts'
import type { FileFix, Sink } from './fixes.ts'
import { type Reader, refuseFile } from './fixes.ts'
import { createJsonReader, type JsonObject } from './json-records.ts'
import { createRowReader, toPlace, toTime } from './names.ts'

type Format = 'geojson' | 'timeline'
type AddFix = (fix: FileFix, line: number) => void

/** Starts and ends of visits and activities that are held back until the file contains measured positions, which replace them. */
const MAX_CONCLUSIONS = 50_000
/** Lists in which Google stores records; a file may have none of them. */
const GOOGLE_LISTS = ['locations', 'semanticSegments', 'rawSignals', 'timelineObjects', 'timelineEdits']
/** Keys of Takeout files without positions. */
const OTHER_TAKEOUT = ['deviceSettings', 'userLocationProfile', 'tombstones', 'placeAliases', 'frequentPlaces']

/** Reads GeoJSON or a Google Timeline, as determined by the first object that is one of their records. */
export function createJsonPositionsReader(sink: Sink, onFormat: (format: Format) => void): Reader {
  const conclusions: { fix: FileFix; line: number }[] = []
  let isMeasured = false
  let isKnown = false
  let isOther = false
  /** Points of paths since the last possible record, and objects that are no records. */
  let [points, others] = [0, 0]
  const found = (format: Format) => {
    isKnown = true
    onFormat(format)
    return true
  }
  const add: AddFix = (fix, line) => {
    isMeasured = true
    sink.add(fix, line)
  }
  const conclude: AddFix = (fix, line) => {
    if (conclusions.length < MAX_CONCLUSIONS) conclusions.push({ fix, line })
  }
  const addFeature = createFeatures(sink)
  const reader = createJsonReader((object, line, isCut) => {
    if (object.type === 'Feature') {
      if (!isCut || isLine(object)) addFeature(object, line, isCut)
      return found('geojson')
    }
    // The features were handled as they ended. Without any, only the collection itself shows the format.
    if (object.type === 'FeatureCollection' && Array.isArray(object.features)) return found('geojson')
    if (GOOGLE_LISTS.some((list) => Array.isArray(object[list]) && (isKnown || others === 0 || list !== 'locations')))
      return found('timeline')
    if ('startTime' in object && 'endTime' in object && isSegment(object, isCut)) {
      addSegment(object, line, { add, conclude })
      return found('timeline')
    }
    if (isCut) return false
    if (isObject(object.activitySegment) || isObject(object.placeVisit)) {
      if (points === 0) addTimelineObject(object, line, add)
      points = 0
      return found('timeline')
    }
    const record = readRecord(object)
    if (record) {
      add(record, line)
      points++
      return found('timeline')
    }
    others++
    isOther ||= OTHER_TAKEOUT.some((key) => key in object)
    return false
  }, sink.damage)
  return {
    write: reader.write,
    async end() {
      await reader.end()
      if (!isMeasured) for (const { fix, line } of conclusions) sink.add(fix, line)
      else if (conclusions.length > 0) sink.pass(['visit', 'activity'])
      if (!isKnown && isOther) throw refuseFile('other_takeout')
    },
  }
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

// --- GeoJSON ------------------------------------------------------------------------------------------------------

const LINES = ['LineString', 'MultiLineString', 'MultiPoint']
const isLine = ({ geometry }: JsonObject) => isObject(geometry) && LINES.includes(String(geometry.type ?? 'LineString'))

/**
 * A point takes its time from its properties; lines and multipoints take theirs from a list next to the coordinates, as most programs write
 * it.
 */
function createFeatures(sink: Sink) {
  const readRow = createRowReader()
  const readProperties = (facts: JsonObject) => {
    // Overland writes metres per second and a share of the battery.
    const isOverland = 'horizontal_accuracy' in facts
    const manner = isOverland ? { speedUnit: 'm/s' as const, isBatteryShare: 'battery_level' in facts } : {}
    const { fix, unused } = readRow(Object.keys(facts), Object.values(facts), manner)
    sink.pass(unused)
    return fix
  }
  const addLine = (geometry: JsonObject, facts: JsonObject, line: number, isCut: boolean) => {
    const isNestedLine = geometry.type === 'MultiLineString'
    const inner = objectOf(facts.coordinateProperties)
    const times = listOf(facts.coordTimes ?? facts.times ?? inner.times ?? facts.timestamps ?? facts.coordinateTimes)
    const isNested = isNestedLine && Array.isArray(times[0])
    let offset = 0
    for (const [nth, part] of (isNestedLine ? listOf(geometry.coordinates) : [geometry.coordinates]).entries()) {
      const places = listOf(part)
      const own = isNested ? listOf(times[nth]) : times
      for (const [row, place] of places.entries()) {
        const time = toTime(own[isNested ? row : offset + row])
        if (time !== null || !isCut) sink.add({ ...placeOf(place), time }, line)
      }
      offset += places.length
    }
  }
  const addGeometry = (geometry: JsonObject, facts: JsonObject, line: number, isCut: boolean): void => {
    if (geometry.type === 'GeometryCollection')
      for (const part of listOf(geometry.geometries)) addGeometry(objectOf(part), facts, line, isCut)
    else if (geometry.type === 'Point') {
      const { lat, lng, altitude, ...read } = readProperties(facts)
      const place = placeOf(geometry.coordinates)
      sink.add({ ...read, ...place, altitude: altitude ?? place.altitude }, line)
    } else if (LINES.includes(String(geometry.type ?? 'LineString'))) addLine(geometry, facts, line, isCut)
    else sink.skip(line, 'no_time')
  }
  return ({ geometry, properties }: JsonObject, line: number, isCut: boolean) => {
    if (isObject(geometry)) return addGeometry(geometry, objectOf(properties), line, isCut)
    if (!isCut) sink.skip(line, 'bad_coordinates')
  }
}

function placeOf(coordinates: unknown): Pick<FileFix, 'lat' | 'lng' | 'altitude'> {
  const [lng, lat, altitude] = listOf(coordinates)
  return { ...toPlace(lat, lng), altitude: readNumber(altitude) }
}

// --- Google Timeline ----------------------------------------------------------------------------------------------

/** A measured position in any of Google's files, speed in m/s; unknown values are negative. */
function readRecord(object: JsonObject): FileFix | null {
  const time = object.timestamp ?? object.timestampMs
  if ('latitudeE7' in object && time !== undefined) return fixOf(object, pointE7(object.latitudeE7, object.longitudeE7), time)
  // A point of a path, with or without `E7`.
  if ('latE7' in object && time !== undefined) return fixOf(object, pointE7(object.latE7, object.lngE7), time)
  const position = objectOf(object.position)
  if ('LatLng' in position || 'latLng' in position)
    return fixOf(position, parseLatLng(position.LatLng ?? position.latLng), position.timestamp)
  const { point } = position
  return isObject(point) && 'latE7' in point ? fixOf(position, pointE7(point.latE7, point.lngE7), position.timestamp) : null
}

function fixOf(record: JsonObject, place: { lat: number; lng: number }, time: unknown): FileFix {
  const speed = readNumber(record.velocity ?? record.speedMetersPerSecond)
  const millimetres = readNumber(record.accuracyMm)
  return {
    ...place,
    time: toTime(time),
    precision: readNumber(record.accuracy ?? record.accuracyMeters) ?? (millimetres === undefined ? undefined : millimetres / 1000),
    speed: speed === undefined ? undefined : speed * 3.6,
    course: readNumber(record.heading),
    altitude: readNumber(record.altitude ?? record.altitudeMeters),
    lacksFix: lacksFix(record),
  }
}

const pointE7 = (lat: unknown, lng: unknown) => ({ lat: readE7(lat, 'lat') ?? Number.NaN, lng: readE7(lng, 'lng') ?? Number.NaN })

/** Collectors of Timeline records: `conclude` receives inferred positions, which count only in a file without measured ones. */
type Takers = { add: AddFix; conclude: AddFix }

const isSegment = ({ timelinePath, visit, activity }: JsonObject, isCut: boolean) =>
  Array.isArray(timelinePath) || (!isCut && (isObject(visit) || isObject(activity)))

/** A path has a time per point, or minutes since the start of its segment. Visits and activities have a start and an end. */
function addSegment({ startTime, endTime, timelinePath, visit, activity }: JsonObject, line: number, { add, conclude }: Takers) {
  const [start, end] = [toTime(startTime), toTime(endTime)]
  for (const point of listOf(timelinePath)) {
    if (!isObject(point)) continue
    const minutes = readNumber(point.durationMinutesOffsetFromStartTime)
    const time = point.time === undefined && minutes !== undefined && start !== null ? start + minutes * 60_000 : toTime(point.time)
    add({ ...parseLatLng(point.point), time }, line)
  }
  if (isObject(visit)) {
    const place = parseLatLng(objectOf(visit.topCandidate).placeLocation)
    conclude({ ...place, time: start }, line)
    conclude({ ...place, time: end }, line)
  }
  if (isObject(activity)) {
    conclude({ ...parseLatLng(activity.start), time: start }, line)
    conclude({ ...parseLatLng(activity.end), time: end }, line)
  }
}

/** A record of Takeout's monthly files without path points: the place and time of its start and end. */
function addTimelineObject({ activitySegment, placeVisit }: JsonObject, line: number, add: AddFix) {
  const record = objectOf(activitySegment ?? placeVisit)
  const duration = objectOf(record.duration)
  const ends = [
    [record.startLocation ?? record.location, duration.startTimestamp ?? duration.startTimestampMs],
    [record.endLocation ?? record.location, duration.endTimestamp ?? duration.endTimestampMs],
  ] as const
  for (const [place, time] of ends) add({ ...parseLatLng(place), time: toTime(time) }, line)
}

/** `48.1371°, 11.5754°` or `geo:48.1371,11.5754`, alone or in an object. */
function parseLatLng(value: unknown): { lat: number; lng: number } {
  if (isObject(value))
    return 'latLng' in value ? parseLatLng(value.latLng) : pointE7(value.latitudeE7 ?? value.latE7, value.longitudeE7 ?? value.lngE7)
  const text = (textOf(value) ?? '').replace(/^\s*geo:|;.*/g, '')
  const [lat, lng] = text.split(/,\s/.test(text) ? /,\s+/ : ',')
  return toPlace(lat, lng)
}
