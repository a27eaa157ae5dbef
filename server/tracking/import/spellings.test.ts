import { expect, test } from 'vitest'
import { MEASURE_SPELLINGS, NO_TIMES, PLACE_SPELLINGS, TIME_SPELLINGS } from '#contracts/rules/reading/test-values.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { readValue } from '#server/tracking/import/formats/fixes.ts'
import { readFile } from '#server/tracking/import/formats/read-file.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const AT = new Date('2026-02-01T10:00:00Z')

type Said = { lat: unknown; lng: unknown; time: unknown; more?: Record<string, string | number> }

const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`
const xml = (value: unknown) => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const table =
  (separator: string) =>
  ({ lat, lng, time, more = {} }: Said) =>
    [
      ['time', 'lat', 'lon', ...Object.keys(more)],
      [time, lat, lng, ...Object.values(more)],
    ]
      .map((row) => row.map(cell).join(separator))
      .join('\n')
const data = (more: Record<string, string | number> = {}) =>
  Object.entries(more)
    .map(([name, value]) => `<Data name="${xml(name)}"><value>${xml(value)}</value></Data>`)
    .join('')

/** The same content in each format. */
const FORMATS: Record<string, (said: Said) => string> = {
  csv: table(','),
  'csv with semicolons': table(';'),
  'csv with tabs': table('\t'),
  GPX: ({ lat, lng, time }) =>
    `<gpx><trk><trkseg><trkpt lat="${xml(lat)}" lon="${xml(lng)}"><time>${xml(time)}</time></trkpt></trkseg></trk></gpx>`,
  'GeoJSON with coordinates of its own': ({ lat, lng, time, more }) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [lng, lat] }, properties: { time, ...more } }],
    }),
  KML: ({ lat, lng, time, more }) =>
    `<kml><Document><Placemark><TimeStamp><when>${xml(time)}</when></TimeStamp><ExtendedData>${data(more)}</ExtendedData>` +
    `<Point><coordinates>${lng},${lat}</coordinates></Point></Placemark></Document></kml>`,
  'lines of OwnTracks': ({ lat, lng, time, more }) =>
    `2026-02-01T10:00:00Z\t*                 \t${JSON.stringify({ _type: 'location', lat, lon: lng, tst: time, ...more })}\n`,
}

async function* inOnePiece(text: string) {
  yield Buffer.from(text)
}

async function read(text: string) {
  const { fixes } = await readFile(inOnePiece(text), NOW)
  const columns = fixes.columns()
  const value = (field: Parameters<typeof readValue>[1], factor = 1) => {
    const stored = fixes.count > 0 ? readValue(columns, field, 0) : null
    return stored === null ? null : stored / factor
  }
  return {
    reasons: fixes.errors.map(({ reason }) => reason),
    time: value('time'),
    lat: value('lat', 1e7),
    lng: value('lng', 1e7),
    precision: value('precision'),
    speed: value('speed', 10),
    course: value('course'),
    altitude: value('altitude'),
  }
}

const each = Object.entries(FORMATS)

test('every format accepts a time in every notation', async () => {
  const rows = each.flatMap(([format, write]) => Object.entries(TIME_SPELLINGS).map(([name, spell]) => ({ format, write, name, spell })))
  expect(
    await collectFailures(
      rows,
      ({ format, name }) => `${format}: ${name}`,
      async ({ write, spell }) => {
        expect(await read(write({ lat: 10.5, lng: 20.5, time: spell(AT) }))).toMatchObject({ time: AT.getTime() / 1000, lat: 10.5 })
      },
    ),
  ).toEqual([])
})

test('no format accepts a time that does not exist', async () => {
  const rows = each.flatMap(([format, write]) => NO_TIMES.map((time) => ({ format, write, time })))
  expect(
    await collectFailures(
      rows,
      ({ format, time }) => `${format}: ${time}`,
      async ({ write, time }) => {
        expect(await read(write({ lat: 10.5, lng: 20.5, time }))).toMatchObject({ time: null, reasons: ['bad_time'] })
      },
    ),
  ).toEqual([])
})

test('every format accepts coordinates in every notation that it supports', async () => {
  // In KML a comma separates longitude and latitude.
  const canHold = (format: string, place: readonly unknown[]) => format !== 'KML' || !/[, ]/.test(place.join(''))
  const rows = each.flatMap(([format, write]) =>
    PLACE_SPELLINGS.filter((place) => canHold(format, place)).map(([lat, lng]) => ({ format, write, lat, lng })),
  )
  expect(
    await collectFailures(
      rows,
      ({ format, lat, lng }) => `${format}: ${lat} ${lng}`,
      async ({ write, lat, lng }) => {
        expect(await read(write({ lat, lng, time: AT.toISOString() }))).toMatchObject({ lat: -34.9, lng: -56.15 })
      },
    ),
  ).toEqual([])
})

test("every format reads measurements in the unit in their field's name", async () => {
  const rows = each
    .filter(([format]) => format !== 'GPX')
    .flatMap(([format, write]) => MEASURE_SPELLINGS.map(([more, means]) => ({ format, write, more, means })))
  expect(
    await collectFailures(
      rows,
      ({ format, more }) => `${format}: ${JSON.stringify(more)}`,
      async ({ write, more, means }) => {
        expect(await read(write({ lat: 10.5, lng: 20.5, time: AT.toISOString(), more }))).toMatchObject(means)
      },
    ),
  ).toEqual([])
})
