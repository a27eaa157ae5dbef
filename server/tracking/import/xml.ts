import { SaxesParser } from 'saxes'
import { IMPORTS, PRECISION } from '#contracts/lib/constants.ts'
import type { FileFix, Sink } from './fixes.ts'
import { createTextDecoder, type Reader, refuseFile, toKmh, toNumber, toTime } from './reader.ts'

/** Handles elements by their names without prefix; `text` is what stands directly in the element. */
type Elements = {
  open(name: string, attributes: Record<string, string>, line: number): void
  close(name: string, text: string, line: number): void
}

/**
 * Reads XML strictly, one element at a time. A document type is refused, because it can define entities that grow without bound or name
 * other files.
 */
function createXmlReader(elements: Elements): Reader {
  const parser = new SaxesParser()
  const decode = createTextDecoder()
  const texts: string[] = []
  parser.on('error', () => {
    throw refuseFile('broken', parser.line)
  })
  parser.on('doctype', () => {
    throw refuseFile('forbidden', parser.line)
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (texts.push('') > IMPORTS.depth) throw refuseFile('too_deep', parser.line)
    elements.open(withoutPrefix(name), attributes as Record<string, string>, parser.line)
  })
  const addText = (text: string) => {
    if (texts.length > 0) texts[texts.length - 1] += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ name }) => elements.close(withoutPrefix(name), (texts.pop() ?? '').trim(), parser.line))
  return {
    write: (bytes) => void parser.write(decode(bytes)),
    end() {
      parser.write(decode())
      parser.close()
    },
  }
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

/** Track points of GPX 1.0 and 1.1, with the extensions of Garmin and of our export. */
function createGpxElements(sink: Sink): Elements {
  let point: { lat: string | undefined; lng: string | undefined; line: number; values: Record<string, string> } | null = null
  return {
    open(name, { lat, lon }, line) {
      if (name === 'trkpt') point = { lat, lng: lon, line, values: {} }
    },
    close(name, text) {
      if (point && name !== 'trkpt') point.values[name] ??= text
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

type KmlTrack = { line: number; when: string[]; coord: string[]; values: Map<string, string[]>; name: string }

/** Tracks of KML (`gx:Track`), and points with a time stamp. A line has no times, so it is reported as one skipped position. */
function createKmlElements(sink: Sink): Elements {
  let track: KmlTrack | null = null
  let mark: { when?: string; coordinates?: string; isPoint: boolean; line: number } | null = null
  let values = 0
  const count = (line: number) => {
    if (++values > IMPORTS.values * 8) throw refuseFile('too_complex', line)
  }
  return {
    open(name, attributes, line) {
      if (name === 'Track') track = { line, when: [], coord: [], values: new Map(), name: '' }
      else if (name === 'Placemark') mark = { isPoint: false, line }
      else if (name === 'SimpleArrayData' && track) {
        track.name = attributes.name ?? ''
        track.values.set(track.name, [])
      } else if (name === 'Point' && mark) mark.isPoint = true
      else if (name === 'LineString') sink.skip(line, 'no_time')
    },
    close(name, text, line) {
      if (track) {
        if (name === 'when' || name === 'coord') track[name].push(text)
        else if (name === 'value') track.values.get(track.name)?.push(text)
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

function addTrack(sink: Sink, { line, when, coord, values }: KmlTrack) {
  for (const [row, place] of coord.entries()) {
    const value = (name: string) => values.get(name)?.[row] || undefined
    sink.add(
      {
        ...parseCoordinates(place, ' '),
        time: toTime(when[row]),
        precision: toNumber(value('precision')) ?? toNumber(value('accuracy')),
        event: value('event'),
        battery: toNumber(value('battery')),
        speed: toNumber(value('speed')),
        course: toNumber(value('course')),
      },
      line,
    )
  }
}

function parseCoordinates(text: string, separator: string) {
  const [lng, lat, altitude] = text.split(separator)
  return { lng: toNumber(lng) ?? Number.NaN, lat: toNumber(lat) ?? Number.NaN, altitude: toNumber(altitude) }
}

/** GPX or KML, as the first element says; `onFormat` gets to know which. */
export function createXmlPositionsReader(sink: Sink, onFormat: (format: 'gpx' | 'kml') => void): Reader {
  let elements: Elements | null = null
  return createXmlReader({
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
