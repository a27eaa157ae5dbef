import { gzipSync, strToU8, zipSync } from 'fflate'
import { FitBaseType, FitEncoder } from 'fit-file-parser/encoder'
import { expect, test } from 'vitest'
import { WITH_FIX, WITHOUT_FIX } from '#contracts/rules/reading/test-values.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { readFile } from '#server/tracking/import/formats/read-file.ts'
import { startImport } from './test-import.ts'

const NOW = new Date('2026-03-02T09:00:00Z')

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The content of a file, read in pieces of any size; the reason if it is refused. */
async function read(file: string | Uint8Array, size = 1 << 16) {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  const failure = (error: unknown) => (error as { extras?: { errors?: { file: string[] } } }).extras?.errors?.file[0] ?? String(error)
  try {
    const { fixes, format } = await readFile(inPieces(bytes, size), NOW)
    const { times, values } = fixes.columns()
    const points = Array.from({ length: fixes.count }, (_, row) => [times[row]!, values[0]![row]! / 1e7, values[1]![row]! / 1e7])
    const column = (index: number) => Array.from({ length: fixes.count }, (_, row) => values[index]![row])
    return {
      format,
      points,
      count: fixes.count,
      reasons: fixes.errors.map(({ reason }) => reason),
      damage: fixes.damage?.is ?? null,
      unused: fixes.unused,
      precision: column(2),
      battery: column(4),
      speed: column(5),
      course: column(6),
      altitude: column(7),
    }
  } catch (error) {
    return { refusal: failure(error) }
  }
}

type Row = [name: string, file: string | Uint8Array, expected: object]
const expectAll = async (rows: Row[]) =>
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      async ([, file, expected]) => {
        for (const size of [1 << 16, 7]) expect(await read(file, size)).toMatchObject(expected)
      },
    ),
  ).toEqual([])

const START = Date.parse('2026-02-01T10:00:00Z') / 1000
const P = (nth: number, lat = 10.5, lng = 20.5) => [START + nth, lat, lng]
const iso = (nth: number) => new Date((START + nth) * 1000).toISOString().replace('.000Z', 'Z')
const trkpt = (nth: number, inner = '') => `<trkpt lat="10.5" lon="20.5"><time>${iso(nth)}</time>${inner}</trkpt>\n`
const gpx = (points: string, start = '') =>
  `${start}<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>x</name><trkseg>\n${points}</trkseg></trk></gpx>`
const THREE = gpx(trkpt(0) + trkpt(10) + trkpt(20), '<?xml version="1.0" encoding="UTF-8"?>\n')
const CSV = `time,lat,lon\n${iso(0)},10.5,20.5\n${iso(10)},10.5,20.5\n`
const feature = (nth: number, properties = {}) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [20.5, 10.5] },
  properties: { time: iso(nth), ...properties },
})
const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features }, null, 1)
const kml = (inner: string) => `<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inner}</Document></kml>`
const placemark = (inner: string, when = `<TimeStamp><when>${iso(0)}</when></TimeStamp>`) =>
  `<Placemark>${when}${inner}<Point><coordinates>20.5,10.5</coordinates></Point></Placemark>`

const littleEndian = (text: string) => Buffer.from(text, 'utf16le')
const bigEndian = (text: string) => littleEndian(text).swap16()

test('text in UTF-16 of either byte order is read, with and without a mark', async () => {
  const rows = [THREE.replaceAll('UTF-8', 'UTF-16'), CSV, CSV.replaceAll(',', '\t'), collection(feature(0), feature(10))].flatMap(
    (text): Row[] => [
      ['little-endian', littleEndian(text), {}],
      ['little-endian with mark', littleEndian(`\ufeff${text}`), {}],
      ['big-endian', bigEndian(text), {}],
      ['big-endian with mark', bigEndian(`\ufeff${text}`), {}],
      ['UTF-8 with mark', `\ufeff${text}`, {}],
    ],
  )
  await expectAll(rows.map(([name, file], nth) => [`${name} ${nth}`, file, { count: nth < 5 ? 3 : 2, reasons: [], damage: null }]))
})

test('Windows-1252 is read', async () => {
  await expectAll([
    ['csv', Buffer.from('Größe;time;lat;lon\n5;2026-02-01T10:00:00Z;10,5°;20,5°\n', 'latin1'), { points: [P(0)], unused: ['Größe'] }],
    ['GPX', Buffer.from(gpx(`<!-- Größe --><desc>Äpfel</desc>${trkpt(0)}`), 'latin1'), { points: [P(0)] }],
  ])
})

test('XML with blank lines, stray characters, other namespaces and names is read', async () => {
  const track = trkpt(0)
  await expectAll([
    ['a blank first line', `\n${THREE}`, { count: 3, damage: null }],
    ['blanks, a mark and line breaks first', `  \r\n\r\n\ufeff\n${THREE}`, { count: 3, damage: null }],
    ['a comment before the declaration', `<!-- logger -->\n${THREE}`, { count: 3, damage: null }],
    ['a stray ampersand', THREE.replace('<name>x', '<name>Tom & Jerry &copy; A&B'), { count: 3, damage: null }],
    [
      'a stray ampersand within a point',
      gpx(trkpt(0, '<name>Tom & Jerry</name>') + trkpt(10, '<desc>a &nbsp; b &#0; &</desc>')),
      { count: 2, damage: null },
    ],
    ['a stray ampersand in an attribute', THREE.replace('version="1.1"', 'version="1.1" creator="A & B"'), { count: 3, damage: null }],
    ['a stray less-than sign', THREE.replace('<name>x', '<name>I <3 you, 5 < 6'), { count: 3, damage: null }],
    ['control characters', THREE.replace('<name>x', '<name>x\u0001\u000b'), { count: 3, damage: null }],
    ['no namespace', THREE.replace(/ xmlns="[^"]*"/, ''), { count: 3 }],
    ['a foreign namespace', THREE.replace(/xmlns="[^"]*"/, 'xmlns="urn:other"'), { count: 3 }],
    ['a prefix', THREE.replaceAll(/<(\/?)(?=gpx|trk|time)/g, '<$1g:'), { count: 3 }],
    ['an undeclared prefix', gpx(trkpt(0, '<extensions><ns9:battery>50</ns9:battery></extensions>')), { battery: [50], damage: null }],
    ['two documents in one file', THREE + gpx(trkpt(30)), { count: 4 }],
    ['zeros at the end', `${THREE}${'\0'.repeat(2000)}`, { count: 3 }],
    ['zeros at the end of a cut file', `${gpx(trkpt(0)).slice(0, -20)}${'\0'.repeat(2000)}`, { count: 1, damage: 'ends_early' }],
    ['zeros at the end of a csv', `${CSV}${'\0'.repeat(2000)}`, { count: 2, reasons: [], damage: 'ends_early' }],
    ['KML without its root', `<Document><Folder>${placemark('')}</Folder></Document>`, { points: [P(0)], format: 'kml' }],
    ['KML with a prefix', kml(placemark('')).replaceAll(/<(\/?)(?=[kDPTwc])/g, '<$1k:'), { points: [P(0)], format: 'kml' }],
    ['wrong nesting', `<gpx><trk>${track}</gpx></trk>`, { points: [P(0)], damage: 'damaged' }],
  ])
})

test('of a truncated file the complete part is read, up to a truncated word', async () => {
  const line = JSON.stringify({
    type: 'Feature',
    properties: { coordTimes: [iso(0), iso(10), iso(20)] },
    geometry: {
      type: 'LineString',
      coordinates: [
        [20.5, 10.5],
        [20.5, 10.5],
        [20.5, 10.5],
      ],
    },
  })
  const records = (more: string) =>
    `{"locations": [{"latitudeE7": 105000000, "longitudeE7": 205000000, "timestamp": "${iso(0)}"}, {"latitudeE7": 1050${more}`
  const path = `[{"startTime": "${iso(0)}", "endTime": "${iso(600)}", "timelinePath": [{"point": "geo:10.5,20.5", "durationMinutesOffsetFromStartTime": "0"}, {"point": "geo:10.5,20`
  const early = { points: [P(0)], reasons: [], damage: 'ends_early' }
  await expectAll([
    ['GPX within a time', gpx(trkpt(0) + trkpt(10)).split(':10Z')[0]!, early],
    ['GPX within an attribute', gpx(`${trkpt(0)}<trkpt lat="10.`).split('</trkseg>')[0]!, early],
    ['GPX without its closing tags', gpx(trkpt(0)).split('</trkseg>')[0]!, early],
    ['GPX within a closing tag', gpx(trkpt(0)).slice(0, -3), early],
    ['GPX within an entity', gpx(`${trkpt(0)}<trkpt lat="1" lon="2"><name>a &am`).split('</trkseg>')[0]!, early],
    ['KML within a placemark', kml(placemark('') + placemark('')).split('</Placemark></Doc')[0]!, early],
    [
      'KML within a track',
      `<kml><gx:Track><when>${iso(0)}</when><when>${iso(10)}</when><gx:coord>20.5 10.5 0</gx:coord><gx:coord>20.5 1`,
      early,
    ],
    [
      'TCX',
      tcx(tcxPoint(0) + tcxPoint(10))
        .split('</LongitudeDegrees>')
        .slice(0, 2)
        .join('</LongitudeDegrees>'),
      early,
    ],
    ['GeoJSON within a feature', collection(feature(0), feature(10)).slice(0, -60), early],
    ['GeoJSON after a feature', collection(feature(0)).slice(0, -4), early],
    ['GeoJSON within a number', `${collection(feature(0), feature(10)).split('10.5').slice(0, 2).join('10.5')}10`, early],
    ['a line of GeoJSON', `${line.split('[20.5,10.5]').slice(0, 2).join('[20.5,10.5]')}[20.5,1`, early],
    ['a line in a collection', collection(JSON.parse(line)).replace(/(?<=20\.5,\s+10\.5\s+\],)[\s\S]*/, ' [20'), early],
    ['Records.json', records(''), early],
    ['Records.json within a key', records('00000, "lon'), early],
    ['Timeline.json', path, early],
    ['csv within a row', `${CSV.split('\n').slice(0, 2).join('\n')}\n2026-02-01T10:00:1`, early],
    ['csv within a row of coordinates', `${CSV.split('\n').slice(0, 2).join('\n')}\n2026-02-01T10:00:10Z,10.`, early],
    ['csv within quotes', `${CSV.split('\n').slice(0, 2).join('\n')}\n"2026-02-01T10:0`, early],
    ['rec', `${rec(0)}\n${rec(10).slice(0, 70)}`, early],
    [
      'gzip',
      gzipSync(
        strToU8(gpx(Array.from({ length: 3000 }, (_, nth) => trkpt(nth % 7919, `<ele>${(nth * 7919) % 1013}</ele>`)).join(''))),
      ).subarray(0, 8000),
      { damage: 'ends_early', reasons: [] },
    ],
    ['zip', zipSync({ 'a.gpx': strToU8(gpx(trkpt(0))) }).subarray(0, -30), early],
    ['FIT', encodeFit([0, 10]).subarray(0, -8), early],
  ])
})

test('a file without positions is refused with the name of its format', async () => {
  const other = (refusal: string) => ({ refusal })
  await expectAll([
    ['a web page', '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><p>Hi<br></body></html>', other('web_page')],
    ['a web page without a type', '\n\n<html lang="en"><body>', other('web_page')],
    [
      'a page of XHTML',
      '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://x"><html/>',
      other('web_page'),
    ],
    ['a page with a comment first', '<!-- saved -->\n<HTML><HEAD>', other('web_page')],
    ['a web page in UTF-16', littleEndian('\ufeff<!doctype html><html></html>'), other('web_page')],
    ['rar', Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), other('archive')],
    ['7z', Buffer.from("7z\xbc\xaf'\x1c\x00\x04", 'latin1'), other('archive')],
    ['a tar in gzip', gzipSync(Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\0'), Buffer.alloc(249)])), other('archive')],
    ['an old spreadsheet', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), other('spreadsheet')],
    [
      'a spreadsheet',
      zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'xl/workbook.xml': strToU8('<workbook/>') }),
      other('spreadsheet'),
    ],
    ['a zip of a picture', zipSync({ 'a.png': Buffer.from('89504e47', 'hex') }), other('unknown_format')],
    ['a zip of a web page', zipSync({ 'a.gpx': strToU8('<html/>') }), other('web_page')],
    [
      'settings of Google',
      '{"createdTime": "2020-01-01T00:00:00Z", "deviceSettings": [{"deviceTag": 1, "reportingEnabled": true}]}',
      other('other_takeout'),
    ],
    ['a Takeout without locations', '{"locations": []}', other('empty')],
    ['JSON of another kind', '{"locations": [{"lat": 1, "lon": 2, "tst": 3}]}', other('unknown_format')],
  ])
})

const rec = (nth: number) => `${iso(nth)}\t*                 \t{"_type":"location","lat":10.5,"lon":20.5,"tst":${START + nth},"acc":9}`

test('lines of OwnTracks are read with blanks in the place of tabs', async () => {
  await expectAll([
    ['blanks', `${rec(0).replaceAll('\t', '  ')}\n${rec(10).replaceAll('\t', ' ')}\n`, { format: 'rec', points: [P(0), P(10)] }],
    ['one blank', `${rec(0).replaceAll(/\s+/g, ' ')}\n`, { format: 'rec', points: [P(0)], precision: [9] }],
    [
      'another kind first',
      `2026-02-01T09:00:00Z lwt {"_type":"lwt","tst":1}\n${rec(0).replaceAll('\t', '    ')}\n`,
      { format: 'rec', points: [P(0)] },
    ],
    ['Windows line ends', `${rec(0).replaceAll('\t', ' ')}\r\n${rec(10)}\r\n`, { format: 'rec', count: 2 }],
  ])
})

test('columns that change the meaning of others are respected', async () => {
  const at = (header: string, row: string) => `${header}\n${row}\n`
  const bad = { count: 0, reasons: ['bad_coordinates'] }
  await expectAll([
    ['N/S and E/W', at('time,LATITUDE,N/S,LONGITUDE,E/W', `${iso(0)},10.5,S,20.5,W`), { points: [P(0, -10.5, -20.5)] }],
    ['hemispheres', at('time;lat;lat_hemisphere;lon;lon_hemisphere', `${iso(0)};10,5;north;20,5;west`), { points: [P(0, 10.5, -20.5)] }],
    ['letters after the number', at('time,Latitude N/S,Longitude E/W', `${iso(0)},10.5S,20.5W`), { points: [P(0, -10.5, -20.5)] }],
    [
      'references as in pictures',
      at('time,GPSLatitude,GPSLatitudeRef,GPSLongitude,GPSLongitudeRef', `${iso(0)},10.5,S,20.5,E`),
      { points: [P(0, -10.5)] },
    ],
    ['a hemisphere that is missing', at('time,lat,N/S,lon,E/W', `${iso(0)},10.5,,20.5,W`), bad],
    ['a hemisphere that is none', at('time,lat,N/S,lon,E/W', `${iso(0)},10.5,Q,20.5,W`), bad],
    ['an offset', at('time,timezone,lat,lon', '2026-02-01 12:00:00,+02:00,10.5,20.5'), { points: [P(0)] }],
    ['hours of an offset', at('time,utc_offset,lat,lon', '2026-02-01 12:00:00,2,10.5,20.5'), { points: [P(0)] }],
    ['a named zone', at('Date,Time,TimeZone,lat,lon', '2026-02-01,11:00:00,Europe/Berlin,10.5,20.5'), { points: [P(0)] }],
    ['a zone beside a time with its own', at('time,tz,lat,lon', `${iso(0)},Europe/Berlin,10.5,20.5`), { points: [P(0)] }],
    ['a zone that is none', at('time,tz,lat,lon', '2026-02-01 12:00:00,Mars/Olympus,10.5,20.5'), { count: 0, reasons: ['bad_time'] }],
    [
      'units',
      at('time,lat,lon,speed (mph),altitude_ft,Accuracy [ft]', `${iso(0)},10.5,20.5,10,100,100`),
      { speed: [161], altitude: [30], precision: [30] },
    ],
    ['knots', at('time,lat,lon,speed_knots', `${iso(0)},10.5,20.5,10`), { speed: [185] }],
    ['degrees times ten million', at('time,latitudeE7,longitudeE7', `${iso(0)},105000000,205000000`), { points: [P(0)] }],
  ])
})

test('every format skips positions without a fix and lists why', async () => {
  const files = (facts: Record<string, unknown>): [string, string][] => {
    const [[name, value] = ['', '']] = Object.entries(facts)
    const fields = Object.entries(facts)
    const data = fields.map(([name, value]) => `<Data name="${name}"><value>${value}</value></Data>`).join('')
    const elements = fields.map(([name, value]) => `<${name.replaceAll('-', '_')}>${value}</${name.replaceAll('-', '_')}>`).join('')
    return [
      [
        `csv ${name}`,
        `time,${fields.map(([name]) => name)};x,lat,lon\n`.replace(';x', '') +
          `${iso(0)},${fields.map(([, value]) => `"${value}"`)},10.5,20.5\n`,
      ],
      [`GeoJSON ${name}=${value}`, collection(feature(0, facts))],
      [`KML ${name}=${value}`, kml(placemark(`<ExtendedData>${data}</ExtendedData>`))],
      [`GPX ${name}=${value}`, gpx(trkpt(0, elements))],
    ]
  }
  await expectAll(WITHOUT_FIX.flatMap((facts) => files(facts).map(([name, file]): Row => [name, file, { count: 0, reasons: ['no_fix'] }])))
  await expectAll(WITH_FIX.flatMap((facts) => files(facts).map(([name, file]): Row => [name, file, { count: 1, reasons: [] }])))
})

test('all formats share the names known from csv', async () => {
  const facts = { acc: 8, batt: 72, vel: 5, cog: 90, alt: 12 }
  const read = { points: [P(0)], precision: [8], battery: [72], speed: [50], course: [90], altitude: [12], reasons: [] }
  const data = Object.entries(facts)
  await expectAll([
    ['GeoJSON', collection(feature(0, facts)), read],
    ['GeoJSON with recorded_at', collection({ ...feature(0), properties: { recorded_at: iso(0), ...facts } }), read],
    ['GeoJSON with date', collection({ ...feature(0), properties: { date: iso(0), ...facts } }), read],
    ['GeoJSON with date and time', collection({ ...feature(0), properties: { date: '2026-02-01', time: '10:00:00', ...facts } }), read],
    ['GeoJSON with hdop', collection(feature(0, { hdop: 2 })), { precision: [10] }],
    ['GeoJSON with units', collection(feature(0, { speed_ms: 10, altitude_ft: 100 })), { speed: [360], altitude: [30] }],
    ['GeoJSON with other names', collection(feature(0, { acc: 8, colour: 'red' })), { unused: ['colour'] }],
    [
      'KML with Data',
      kml(
        placemark(
          `<ExtendedData>${data.map(([name, value]) => `<Data name="${name}"><value>${value}</value></Data>`).join('')}</ExtendedData>`,
        ),
      ),
      read,
    ],
    [
      'KML with SimpleData',
      kml(
        placemark(
          `<ExtendedData><SchemaData>${data.map(([name, value]) => `<SimpleData name="${name}">${value}</SimpleData>`).join('')}</SchemaData></ExtendedData>`,
        ),
      ),
      read,
    ],
    [
      'KML with a time among its data',
      kml(placemark(`<ExtendedData><Data name="recorded_at"><value>${iso(0)}</value></Data></ExtendedData>`, '')),
      { points: [P(0)] },
    ],
    ['KML with a span', kml(placemark('', `<TimeSpan><begin>${iso(0)}</begin><end>${iso(60)}</end></TimeSpan>`)), { points: [P(0)] }],
    [
      'KML with several points',
      kml(
        placemark('')
          .replace('<Point>', '<MultiGeometry><Point><coordinates>20.5,10.5,5</coordinates></Point><Point>')
          .replace('</Placemark>', '</MultiGeometry></Placemark>'),
      ),
      { count: 2 },
    ],
    [
      'GPX',
      gpx(trkpt(0, '<extensions><acc>8</acc><batt>72</batt><cog>90</cog></extensions>')),
      { precision: [8], battery: [72], course: [90] },
    ],
    [
      'csv',
      `time,lat,lon,${data.map(([name]) => name)},colour\n${iso(0)},10.5,20.5,${data.map(([, value]) => value)},red\n`,
      { ...read, unused: ['colour'] },
    ],
    ['csv with a separator line', `sep=;\ntime;lat;lon\n${iso(0)};10,5;20,5\n`, { points: [P(0)] }],
    ['csv with bars', `time|lat|lon\n${iso(0)}|10.5|20.5\n`, { points: [P(0)] }],
    ['GPX of waypoints', `<gpx><wpt lat="10.5" lon="20.5"><time>${iso(0)}</time><name>x</name></wpt></gpx>`, { points: [P(0)] }],
    [
      'GPX of waypoints and a track',
      gpx(trkpt(0)).replace('<trk>', `<wpt lat="1" lon="1"><time>${iso(9)}</time></wpt><trk>`),
      { points: [P(0)] },
    ],
  ])
})

test('files of Google of every kind are read', async () => {
  const duration = { startTimestamp: iso(0), endTimestamp: iso(60) }
  const spot = { latitudeE7: 105_000_000, longitudeE7: 205_000_000 }
  const both = { format: 'timeline', points: [P(0), P(60)], reasons: [] }
  const span = { startTime: iso(0), endTime: iso(60) }
  const json = (value: unknown): string => JSON.stringify(value, null, 1)
  await expectAll([
    [
      'a month: an activity without a path',
      json({
        timelineObjects: [
          { activitySegment: { startLocation: spot, endLocation: spot, duration, waypointPath: { waypoints: [{ latE7: 1, lngE7: 2 }] } } },
        ],
      }),
      both,
    ],
    [
      'a month: a visit',
      json({ timelineObjects: [{ placeVisit: { location: { ...spot, name: 'x' }, duration, otherCandidateLocations: [spot] } }] }),
      both,
    ],
    [
      'a month: milliseconds',
      json({
        timelineObjects: [
          { placeVisit: { location: spot, duration: { startTimestampMs: `${START * 1000}`, endTimestampMs: `${(START + 60) * 1000}` } } },
        ],
      }),
      both,
    ],
    [
      'a month: a path',
      json({
        timelineObjects: [
          {
            activitySegment: {
              startLocation: spot,
              endLocation: spot,
              duration,
              simplifiedRawPath: {
                points: [{ latE7: 105_000_000, lngE7: 205_000_000, accuracyMeters: 12, timestampMs: `${START * 1000}` }],
              },
            },
          },
        ],
      }),
      { points: [P(0)], precision: [12] },
    ],
    [
      'a month: an empty path',
      json({
        timelineObjects: [{ activitySegment: { startLocation: spot, endLocation: spot, duration, simplifiedRawPath: { points: [] } } }],
      }),
      both,
    ],
    [
      'Android: a visit',
      json({ semanticSegments: [{ ...span, visit: { topCandidate: { placeLocation: { latLng: '10.5°, 20.5°' } } } }] }),
      both,
    ],
    [
      'Android: an activity',
      json({ semanticSegments: [{ ...span, activity: { start: { latLng: '10.5°, 20.5°' }, end: { latLng: '10.5°, 20.5°' } } }] }),
      both,
    ],
    ['iPhone: a visit', json([{ ...span, visit: { topCandidate: { placeLocation: 'geo:10.5,20.5' } } }]), both],
    ['iPhone: an activity', json([{ ...span, activity: { start: 'geo:10.5,20.5', end: 'geo:10.5,20.5' } }]), both],
    [
      'visits beside a path',
      json([
        { ...span, visit: { topCandidate: { placeLocation: 'geo:1,2' } } },
        { ...span, timelinePath: [{ point: 'geo:10.5,20.5', durationMinutesOffsetFromStartTime: '0' }] },
      ]),
      { points: [P(0)], unused: ['visit', 'activity'] },
    ],
    [
      'edits',
      json({
        timelineEdits: [
          {
            deviceId: '1',
            rawSignal: {
              signal: { position: { point: { latE7: 105_000_000, lngE7: 205_000_000 }, accuracyMm: 13_000, timestamp: iso(0) } },
            },
          },
          { placeAggregates: {} },
        ],
      }),
      { points: [P(0)], precision: [13] },
    ],
  ])
})

const tcxPoint = (
  nth: number,
  position = '<Position><LatitudeDegrees>10.5</LatitudeDegrees><LongitudeDegrees>20.5</LongitudeDegrees></Position>',
) =>
  `<Trackpoint><Time>${iso(nth)}</Time>${position}<AltitudeMeters>12.4</AltitudeMeters><HeartRateBpm><Value>90</Value></HeartRateBpm><Extensions><ns3:TPX><ns3:Speed>10</ns3:Speed></ns3:TPX></Extensions></Trackpoint>\n`
const tcx = (points: string) =>
  `<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running"><Lap><Track>${points}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`

/** An activity with a record at each second after the start. */
function encodeFit(seconds: readonly number[], place: readonly [number, number] = [10.5, 20.5]) {
  const degrees = (value: number) => Math.round((value * 2 ** 31) / 180)
  const encoder = new FitEncoder()
  for (const nth of seconds)
    encoder.writeMessage(20, [
      { number: 253, size: 4, baseType: FitBaseType.Uint32, value: FitEncoder.toFitTimestamp(new Date((START + nth) * 1000)) },
      { number: 0, size: 4, baseType: FitBaseType.Sint32, value: degrees(place[0]) },
      { number: 1, size: 4, baseType: FitBaseType.Sint32, value: degrees(place[1]) },
      { number: 2, size: 2, baseType: FitBaseType.Uint16, value: (12 + 500) * 5 },
      { number: 6, size: 2, baseType: FitBaseType.Uint16, value: 10_000 },
    ])
  return encoder.close()
}

test('files of sports watches and archives of files are read', async () => {
  const measured = { altitude: [12], speed: [360], reasons: [] }
  const walk = strToU8(gpx(trkpt(0)))
  await expectAll([
    ['TCX', tcx(tcxPoint(0)), { format: 'tcx', points: [P(0)], ...measured, unused: ['HeartRateBpm'] }],
    ['TCX without a fix', tcx(tcxPoint(0) + tcxPoint(5, '')), { count: 1, reasons: ['no_fix'] }],
    ['FIT', encodeFit([0]), { format: 'fit', count: 1, ...measured }],
    ['FIT in the south and west', encodeFit([0], [-10.5, -20.5]), { count: 1, reasons: [] }],
    ['two activities in one FIT', Buffer.concat([encodeFit([0]), encodeFit([60])]), { count: 2, reasons: [] }],
    [
      'KMZ',
      zipSync({ 'doc.kml': strToU8(kml(placemark(''))), 'files/pin.png': Buffer.from('89504e47', 'hex') }),
      { format: 'kml', points: [P(0)], unused: [] },
    ],
    [
      'a zip of several',
      zipSync({ 'a.gpx': walk, 'b/c.csv': strToU8(CSV), '__MACOSX/._a.gpx': strToU8('x'), 'readme.md': strToU8('# hi') }),
      { count: 3, unused: ['readme.md'] },
    ],
    ['a zip without compression', zipSync({ 'a.gpx': walk }, { level: 0 }), { points: [P(0)] }],
    ['a zip with a FIT', zipSync({ 'a.fit': encodeFit([0, 10]) }), { format: 'fit', count: 2 }],
    ['gzip', gzipSync(walk), { format: 'gpx', points: [P(0)] }],
    ['gzip of csv in UTF-16', gzipSync(littleEndian(`\ufeff${CSV}`)), { format: 'csv', count: 2 }],
  ])
})

test('an archive that decompresses to too much is refused before it takes memory', async () => {
  const file = new Uint8Array(50_000_000).fill(0x78)
  const bomb = zipSync({ 'a.gpx': file, 'b.gpx': file, 'c.gpx': file }, { level: 1 })
  expect(bomb.length).toBeLessThan(3_000_000)
  expect(await read(bomb)).toEqual({ refusal: 'too_complex' })
})

test('a preview shows ignored columns, where a file ends early, and the file of an archive with a skipped line', async () => {
  await using page = await startImport()
  const broken = gpx(`${trkpt(0)}<trkpt lat="1" lon="2"></trkpt>\n${trkpt(10)}`).split('</trkseg>')[0]!
  const preview = await page.preview(Buffer.from(zipSync({ 'a.gpx': strToU8(broken), 'b.csv': strToU8(CSV.replace('lon', 'lon,colour')) })))
  expect(preview).toMatchObject({
    count: 2,
    errors: [{ line: 3, reason: 'no_time', file: 'a.gpx' }],
    damage: { is: 'ends_early', line: 5, file: 'a.gpx' },
    unused: ['colour'],
  })
})

test('a file without a readable line is refused with the reason of each line, and is empty only without any time', async () => {
  await using page = await startImport()
  const refused = await page.upload('time,lat,lon\n1. Februar,10.5,20.5\n32.02.2026 10:00,10.5,20.5\n')
  expect(refused).toMatchObject({
    status: 400,
    body: {
      errors: { file: ['all_skipped'] },
      skipped: 2,
      lines: [
        { line: 2, reason: 'bad_time' },
        { line: 3, reason: 'bad_time' },
      ],
    },
  })
  const untimed = await page.upload('time,lat,lon\n,10.5,20.5\n')
  expect(untimed.body).toMatchObject({ errors: { file: ['empty'] }, lines: [{ line: 2, reason: 'no_time' }] })
})
