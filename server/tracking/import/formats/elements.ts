import { FILE_SHAPE } from '#contracts/limits/upload-limits.ts'
import { readNumber } from '#contracts/rules/reading/number.ts'
import { type FileFix, refuseFile, type Sink } from './fixes.ts'
import { createRowReader, readFix, readNames, toPlace, toTime } from './names.ts'
import type { Elements } from './xml.ts'

/** Waypoints and points of routes that are held back until the file contains a track, which replaces them. */
const MAX_WAYPOINTS = 20_000

const EVERYTHING = { has: () => true }
const NOTHING = { has: () => false }
/** A point's own statements as text, and numbers that no position has. */
const WORDS = new Set([
  'name',
  'cmt',
  'desc',
  'src',
  'url',
  'urlname',
  'text',
  'link',
  'sym',
  'type',
  'number',
  'extensions',
  'TrackPointExtension',
])

/** Track points of GPX 1.0 and 1.1, with extensions of any kind; speed in m/s. Waypoints with a time are positions where there is no track. */
export function createGpxElements(sink: Sink): Elements {
  const readRow = createRowReader()
  const waypoints: { fix: FileFix; line: number }[] = []
  let point: { name: string; lat: string | undefined; lng: string | undefined; line: number } | null = null
  /** The first value of a name counts. */
  let values: Record<string, string> = {}
  let hasTrack = false
  let lastOpened = ''
  return {
    get texts() {
      return point ? EVERYTHING : NOTHING
    },
    open(name, attributes, line) {
      lastOpened = name
      if (name !== 'trkpt' && name !== 'wpt' && name !== 'rtept') return
      hasTrack ||= name === 'trkpt'
      if (hasTrack) waypoints.length = 0
      point = hasTrack && name !== 'trkpt' ? null : { name, lat: attributes.lat, lng: attributes.lon ?? attributes.lng, line }
      values = {}
    },
    close(name, text) {
      if (!point) return
      if (name !== point.name) {
        if (name === lastOpened && text !== '' && !WORDS.has(name) && name !== '__proto__') values[name] ??= text
        return
      }
      const { lat, lng } = point
      const { fix, unused } = readRow(['lat', 'lon', ...Object.keys(values)], [lat, lng, ...Object.values(values)], { speedUnit: 'm/s' })
      if (name === 'trkpt') sink.add(fix, point.line)
      else if (waypoints.length < MAX_WAYPOINTS) waypoints.push({ fix, line: point.line })
      sink.pass(unused)
      point = null
    },
    end() {
      for (const { fix, line } of waypoints) sink.add(fix, line)
    },
  }
}

const TCX_NAMES: Record<string, string> = {
  Time: 'time',
  LatitudeDegrees: 'lat',
  LongitudeDegrees: 'lon',
  AltitudeMeters: 'altitude',
  Speed: 'speed',
}

/** Track points of Garmin's Training Center; speed in m/s. Watches write points without a position while they search for satellites. */
export function createTcxElements(sink: Sink): Elements {
  let point: { line: number; values: Record<string, string> } | null = null
  const unused = new Set(['Cadence', 'Watts', 'RunCadence', 'Value'])
  return {
    get texts() {
      return point ? EVERYTHING : NOTHING
    },
    open(name, _, line) {
      if (name === 'Trackpoint') point = { line, values: {} }
    },
    close(name, text) {
      if (!point) return
      const known = TCX_NAMES[name]
      if (known) point.values[known] ??= text
      else if (unused.delete(name)) sink.pass([name === 'Value' ? 'HeartRateBpm' : name])
      if (name !== 'Trackpoint') return
      const { line, values } = point
      point = null
      if (!values.lat && !values.lon) return sink.skip(line, toTime(values.time) === null ? 'no_time' : 'no_fix')
      sink.add(
        readFix(
          TCX,
          Object.values(TCX_NAMES).map((each) => values[each]),
          { speedUnit: 'm/s' },
        ),
        line,
      )
    },
  }
}

const TCX = readNames(Object.values(TCX_NAMES))

// --- KML -----------------------------------------------------------------------------------------------------------

/** Lists of parallel values: as numbers if possible, which take less memory than their texts. */
type Track = {
  line: number
  times: (number | null)[]
  /** Latitude, longitude and altitude of each point in turn. */
  places: number[]
  columns: Map<string, (number | string | undefined)[]>
  column: string
}

/** Points of a placemark share its time and its data. */
type Mark = { when?: string; begin?: string; end?: string; points: string[]; names: string[]; values: string[]; name: string; line: number }

const TEXTS = new Set(['when', 'coord', 'value', 'coordinates', 'begin', 'end', 'SimpleData'])
/** Columns of arrays, and data of a placemark. */
const MAX_NAMES = 64
const MAX_POINTS = 10_000

/** Tracks of KML (`gx:Track`), and points with a time stamp or time span. A line has no times, so it is reported as one skipped position. */
export function createKmlElements(sink: Sink): Elements {
  let track: Track | null = null
  let mark: Mark | null = null
  let inPoint = false
  let values = 0
  const count = (line: number) => {
    if (++values > FILE_SHAPE.values * 8) throw refuseFile('too_complex', line)
  }
  return {
    texts: TEXTS,
    open(name, attributes, line) {
      if (name === 'Track') track = { line, times: [], places: [], columns: new Map(), column: '' }
      else if (name === 'Placemark') mark = { points: [], names: [], values: [], name: '', line }
      else if (name === 'SimpleArrayData' && track) {
        track.column = attributes.name ?? ''
        const { unused } = readNames([track.column])
        sink.pass(unused)
        if (unused.length === 0 && track.columns.size < MAX_NAMES) track.columns.set(track.column, [])
      } else if ((name === 'Data' || name === 'SimpleData') && mark) mark.name = attributes.name ?? ''
      else if (name === 'Point') inPoint = true
      else if (name === 'LineString') sink.skip(line, 'no_time')
    },
    close(name, text, line) {
      if (track) {
        if (name === 'when') track.times.push(toTime(text))
        else if (name === 'coord') track.places.push(...listPlace(text))
        else if (name === 'value') track.columns.get(track.column)?.push(readNumber(text) ?? text)
        else if (name === 'Track') {
          addTrack(sink, track)
          track = null
        } else return
        return count(line)
      }
      if (name === 'Point') inPoint = false
      if (!mark) return
      if (name === 'when' || name === 'begin' || name === 'end') mark[name] ??= text
      else if (name === 'coordinates' && inPoint) {
        if (mark.points.push(text) > MAX_POINTS) throw refuseFile('too_complex', line)
      } else if ((name === 'value' || name === 'SimpleData') && mark.names.length < MAX_NAMES) {
        mark.names.push(mark.name)
        mark.values.push(text)
      } else if (name === 'Placemark') {
        addMark(sink, mark)
        mark = null
      }
    },
    /** Adds the open track of a truncated file, with the points read so far. */
    end() {
      if (track) addTrack(sink, track)
    },
  }
}

const listPlace = (text: string) => {
  const { lat, lng, altitude } = parseCoordinates(text.trim().split(/\s+/))
  return [lat, lng, altitude ?? Number.NaN]
}

function addTrack(sink: Sink, { line, times, places, columns }: Track) {
  const layout = readNames([...columns.keys()])
  const lists = [...columns.values()]
  for (let row = 0; 3 * row < places.length; row++) {
    const [lat = Number.NaN, lng = Number.NaN, altitude = Number.NaN] = places.slice(3 * row, 3 * row + 3)
    const values = lists.map((list) => list[row])
    const own = Number.isNaN(altitude) ? {} : { altitude }
    sink.add({ ...readFix(layout, values), lat, lng, time: times[row] ?? null, ...own }, line)
  }
}

function addMark(sink: Sink, { when, begin, end, points, names, values, line }: Mark) {
  if (points.length === 0) return
  const layout = readNames(names)
  sink.pass(layout.unused)
  const facts = readFix(layout, values)
  const time = toTime(when) ?? toTime(begin) ?? toTime(end) ?? facts.time
  for (const text of points) {
    const { lat, lng, altitude } = parseCoordinates(text.split(','))
    sink.add({ ...facts, lat, lng, time, altitude: altitude ?? facts.altitude }, line)
  }
}

/** Longitude, latitude, altitude. */
function parseCoordinates([lng, lat, altitude]: readonly string[]) {
  return { ...toPlace(lat, lng), altitude: readNumber(altitude?.trim().split(/\s/)[0]) }
}
