import { SaxesParser } from 'saxes'
import { type ImportProblem, PRECISION } from '#contracts/lib/constants.ts'
import { FILE_SHAPE } from '#contracts/lib/upload-limits.ts'
import type { FileFix, Sink } from '#server/tracking/import/fixes.ts'
import { createTextDecoder, type Reader, refuseFile, toKmh, toNumber, toTime } from '#server/tracking/import/reader.ts'

/** Handles elements by their names without prefix; `text` is what stands directly in an element of `texts`, empty in others. */
type Elements = {
  texts: ReadonlySet<string>
  open(name: string, attributes: Record<string, string>, line: number): void
  close(name: string, text: string, line: number): void
}

/** Everything from the name of an element to its end, in characters. */
const MAX_TAG = 1 << 16

/**
 * Reads XML strictly, one element at a time. A document type is refused, because it can define entities that grow without bound or name
 * other files. Whatever the parser would gather before it reports it is limited.
 */
function createXmlReader(elements: Elements): Reader {
  const parser = new SaxesParser()
  const decode = createTextDecoder()
  /** The text of each open element; null where it is not needed. */
  const texts: (string | null)[] = []
  let attributes = 0
  let reportedAt = 0
  let longest: number = FILE_SHAPE.text
  const refuse = (problem: ImportProblem) => refuseFile(problem, parser.line)
  /** The parser has handed over what it had gathered; it may gather `most` characters until the next time. */
  const report = (most: number = FILE_SHAPE.text) => {
    reportedAt = parser.position
    longest = most
  }
  parser.on('error', () => {
    throw refuse('broken')
  })
  parser.on('doctype', () => {
    throw refuse('forbidden')
  })
  parser.on('comment', () => report())
  parser.on('processinginstruction', () => report())
  parser.on('opentagstart', ({ name }) => {
    if (name.length > FILE_SHAPE.name) throw refuse('too_complex')
    attributes = 0
    report(MAX_TAG)
  })
  parser.on('attribute', ({ name }) => {
    if (++attributes > FILE_SHAPE.attributes || name.length > FILE_SHAPE.name) throw refuse('too_complex')
  })
  parser.on('opentag', ({ name, attributes }) => {
    report()
    const element = withoutPrefix(name)
    if (texts.push(elements.texts.has(element) ? '' : null) > FILE_SHAPE.depth) throw refuse('too_deep')
    elements.open(element, attributes as Record<string, string>, parser.line)
  })
  const addText = (text: string) => {
    report()
    const before = texts.at(-1)
    if (before === undefined || before === null) return
    if (before.length + text.length > FILE_SHAPE.text) throw refuse('too_complex')
    texts[texts.length - 1] = before + text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ name }) => {
    report()
    elements.close(withoutPrefix(name), (texts.pop() ?? '').trim(), parser.line)
  })
  return {
    write(bytes) {
      parser.write(decode(bytes))
      if (parser.position - reportedAt > longest) throw refuse('too_complex')
    },
    end() {
      parser.write(decode())
      parser.close()
    },
  }
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

/** Track points of GPX 1.0 and 1.1, with the extensions of Garmin and of our export. */
function createGpxElements(sink: Sink): Elements {
  const texts = new Set(['time', 'ele', 'hdop', 'precision', 'accuracy', 'speed', 'course', 'battery', 'event'])
  let point: { lat: string | undefined; lng: string | undefined; line: number; values: Record<string, string> } | null = null
  return {
    texts,
    open(name, { lat, lon }, line) {
      if (name === 'trkpt') point = { lat, lng: lon, line, values: {} }
    },
    close(name, text) {
      if (point && texts.has(name)) point.values[name] ??= text
      if (!point || name !== 'trkpt') return
      const { lat, lng, line, values } = point
      sink.add({ ...gpxFix(values), lat: toNumber(lat) ?? Number.NaN, lng: toNumber(lng) ?? Number.NaN }, line)
      point = null
    },
  }
}

/** `hdop` is a dilution, `precision` and `accuracy` are metres; `speed` is in m/s. */
function gpxFix({
  time,
  ele,
  hdop,
  precision,
  accuracy,
  speed,
  course,
  battery,
  event,
}: Record<string, string>): Omit<FileFix, 'lat' | 'lng'> {
  const dilution = toNumber(hdop)
  return {
    time: toTime(time),
    altitude: toNumber(ele),
    precision: toNumber(precision) ?? toNumber(accuracy) ?? (dilution === undefined ? undefined : dilution * PRECISION.perHdop),
    speed: toKmh(toNumber(speed)),
    course: toNumber(course),
    battery: toNumber(battery),
    event,
  }
}

/** Columns of a track that become part of positions. */
const TRACK_NUMBERS = ['precision', 'accuracy', 'battery', 'speed', 'course'] as const

/** Lists of what lies side by side: as numbers where they are such, which take less room than their texts. */
type KmlTrack = {
  line: number
  times: (number | null)[]
  /** Latitude, longitude and altitude of each place in turn. */
  places: number[]
  columns: Map<string, (number | string | undefined)[]>
  column: string
}

/** Tracks of KML (`gx:Track`), and points with a time stamp. A line has no times, so it is reported as one skipped position. */
function createKmlElements(sink: Sink): Elements {
  let track: KmlTrack | null = null
  let mark: { when?: string; coordinates?: string; isPoint: boolean; line: number } | null = null
  let values = 0
  const count = (line: number) => {
    if (++values > FILE_SHAPE.values * 8) throw refuseFile('too_complex', line)
  }
  return {
    texts: new Set(['when', 'coord', 'value', 'coordinates']),
    open(name, attributes, line) {
      if (name === 'Track') track = { line, times: [], places: [], columns: new Map(), column: '' }
      else if (name === 'Placemark') mark = { isPoint: false, line }
      else if (name === 'SimpleArrayData' && track) {
        track.column = attributes.name ?? ''
        if (isKnownColumn(track.column)) track.columns.set(track.column, [])
      } else if (name === 'Point' && mark) mark.isPoint = true
      else if (name === 'LineString') sink.skip(line, 'no_time')
    },
    close(name, text, line) {
      if (track) {
        if (name === 'when') track.times.push(toTime(text))
        else if (name === 'coord') track.places.push(...listPlace(text))
        else if (name === 'value') track.columns.get(track.column)?.push(track.column === 'event' ? text : toNumber(text))
        else if (name === 'Track') {
          addTrack(sink, track)
          track = null
        } else return
        return count(line)
      }
      if (!mark) return
      if (name === 'when') mark.when ??= text
      else if (name === 'coordinates') mark.coordinates ??= text
      else if (name === 'Placemark') {
        if (mark.isPoint) sink.add({ ...parseCoordinates(mark.coordinates ?? '', ','), time: toTime(mark.when) }, mark.line)
        mark = null
      }
    },
  }
}

const isKnownColumn = (name: string) => name === 'event' || (TRACK_NUMBERS as readonly string[]).includes(name)

const listPlace = (text: string) => {
  const { lat, lng, altitude } = parseCoordinates(text, ' ')
  return [lat, lng, altitude ?? Number.NaN]
}

function addTrack(sink: Sink, { line, times, places, columns }: KmlTrack) {
  for (let row = 0; 3 * row < places.length; row++) {
    const [lat = Number.NaN, lng = Number.NaN, altitude] = places.slice(3 * row, 3 * row + 3)
    const number = (name: (typeof TRACK_NUMBERS)[number]) => toNumber(columns.get(name)?.[row])
    const event = columns.get('event')?.[row]
    sink.add(
      {
        lat,
        lng,
        altitude: toNumber(altitude),
        time: times[row] ?? null,
        precision: number('precision') ?? number('accuracy'),
        event: typeof event === 'string' ? event : undefined,
        battery: number('battery'),
        speed: number('speed'),
        course: number('course'),
      },
      line,
    )
  }
}

function parseCoordinates(text: string, separator: string) {
  const [lng, lat, altitude] = text.split(separator)
  return { lng: toNumber(lng) ?? Number.NaN, lat: toNumber(lat) ?? Number.NaN, altitude: toNumber(altitude) }
}

const NO_TEXTS: ReadonlySet<string> = new Set()

/** GPX or KML, as the first element says; `onFormat` gets to know which. */
export function createXmlPositionsReader(sink: Sink, onFormat: (format: 'gpx' | 'kml') => void): Reader {
  let elements: Elements | null = null
  return createXmlReader({
    get texts() {
      return elements?.texts ?? NO_TEXTS
    },
    open(name, attributes, line) {
      if (!elements) {
        if (name !== 'gpx' && name !== 'kml') throw refuseFile('unknown_format', line)
        onFormat(name)
        elements = name === 'gpx' ? createGpxElements(sink) : createKmlElements(sink)
      }
      elements.open(name, attributes, line)
    },
    close: (name, text, line) => elements?.close(name, text, line),
  })
}
