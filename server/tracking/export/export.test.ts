import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { EXPORT_FORMATS } from '#contracts/data.ts'
import { api } from '#contracts/index.ts'
import { findBreaches } from '#contracts/lib/breaches.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import type { NewPosition } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const { rex, newTracker } = SEED.devices
const NOON = Date.parse('2026-03-01T12:00:00Z') / 1000
const JUMP = POSITION_MARKS.indexOf('jump')
const KEPT = POSITION_MARKS.indexOf('kept')

const row = (minutes: number, more: Partial<NewPosition> = {}): NewPosition => ({
  time: NOON + minutes * 60,
  lat: -349_057_000 + minutes,
  lng: 10,
  precision: 8,
  event: 1,
  battery: 90,
  speed: 123,
  course: 270,
  altitude: -3,
  ...more,
})

/** Two positions, one that looks wrong, one marked as right, and another after a gap of seven hours. */
const ROWS = [
  row(0),
  row(1),
  row(2, { mark: JUMP }),
  row(3, { mark: KEPT }),
  row(423, { speed: null, course: null, altitude: null, event: null }),
]

async function openExport(rows = ROWS) {
  const portal = await startPortal()
  await portal.world.db.write('everything', (tx) => portal.world.positions.add(tx, newTracker, rows))
  const period = 'not_before=2026-03-01T00:00:00Z&not_after=2026-03-02T00:00:00Z'
  const get = (format: string, as = ALICE, id: number = newTracker) =>
    portal.call(as, 'GET', `/devices/${id}/tracker_data/export/?format=${format}&${period}`)
  return { portal, get, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

/** Parses a document strictly; returns its elements as `parent/child` in document order. */
function parseXml(text: string) {
  const names: string[] = []
  const open: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    names.push(`${open.at(-1) ?? ''}/${name}`)
    open.push(name)
  })
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return names
}

const count = (names: string[], name: string) => names.filter((one) => one === name).length

test.each(EXPORT_FORMATS)('an export as %s has one of the content types of the contract', async (format) => {
  await using page = await openExport()
  const { status, headers, body } = await page.get(format)
  const contentType = String(headers['content-type'])
  const query = { format, not_before: '2026-03-01T00:00:00Z', not_after: '2026-03-02T00:00:00Z' }
  expect(findBreaches(api.data.export, { method: 'GET', query, body: undefined, status, contentType, answer: body })).toEqual([])
})

test('a GPX export has a track with a new segment after each gap, and no position that looks wrong', async () => {
  await using page = await openExport()
  const { status, headers, raw } = await page.get('gpx')
  const text = raw.toString()
  expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
    200,
    'application/gpx+xml',
    expect.stringContaining('_2026-03-01_2026-03-02.gpx'),
  ])
  const names = parseXml(text)
  expect(['gpx/trk', 'trk/trkseg', 'trkseg/trkpt'].map((name) => count(names, name))).toEqual([1, 2, 4])
  expect(text).toContain(
    '<trkpt lat="-34.9057000" lon="0.0000010"><ele>-3</ele><time>2026-03-01T12:00:00Z</time><extensions>' +
      '<tpx:TrackPointExtension><tpx:speed>3.4167</tpx:speed><tpx:course>270</tpx:course></tpx:TrackPointExtension>' +
      '<wa:precision>8</wa:precision><wa:event>moving</wa:event><wa:battery>90</wa:battery></extensions></trkpt>',
  )
  expect(text).not.toContain('12:02:00Z')
})

test('a KML export has a new track after each gap, with as many times, coordinates and values as positions', async () => {
  await using page = await openExport()
  const { headers, raw } = await page.get('kml')
  const names = parseXml(raw.toString())
  expect(headers['content-type']).toBe('application/vnd.google-earth.kml+xml')
  expect(
    ['Document/Placemark', 'gx:Track/when', 'gx:Track/gx:coord', 'gx:SimpleArrayData/gx:value'].map((name) => count(names, name)),
  ).toEqual([2, 4, 4, 20])
  const inFirst = names.slice(names.indexOf('gx:MultiTrack/gx:Track')).filter((name) => name.startsWith('gx:Track/'))
  expect(inFirst.slice(0, 7).map((name) => name.slice(9))).toEqual([
    'when',
    'when',
    'when',
    'gx:coord',
    'gx:coord',
    'gx:coord',
    'ExtendedData',
  ])
})

test('a GeoJSON export has a point for each position, and the mark of one that looks wrong', async () => {
  await using page = await openExport()
  const { headers, raw } = await page.get('geojson')
  const { type, features } = JSON.parse(raw.toString())
  expect([headers['content-type'], type, features.length]).toEqual(['application/geo+json', 'FeatureCollection', 5])
  expect(features[2]).toEqual({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [0.000001, -34.9056998, -3] },
    properties: { time: '2026-03-01T12:02:00Z', precision: 8, event: 'moving', battery: 90, speed: 12.3, course: 270, mark: 'jump' },
  })
  expect(features[4].geometry.coordinates).toHaveLength(2)
})

test("a csv export adds the measurements, and the mark, to the columns of a history's csv", async () => {
  await using page = await openExport()
  const { headers, raw } = await page.get('csv')
  const lines = raw.toString().split('\r\n')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(lines[0]).toBe('\uFEFFdatetime,latitude,longitude,precision,address,event,battery,speed,course,altitude,mark')
  expect(lines[3]).toMatch(/^2026-03-01T12:02:00Z,.*,moving,90,12\.3,270,-3,jump$/)
  expect(lines[5]).toMatch(/,,90,,,,$/)
})

test.each(['gpx', 'kml', 'geojson'])('a name with markup and characters that XML forbids leaves a %s export valid', async (format) => {
  await using page = await openExport()
  const name = '</name>&"\u0001犬\ud800'
  await page.portal.world.db.write('everything', (tx) => tx.update(devices).set({ name }))
  const text = (await page.get(format)).raw.toString()
  if (format === 'geojson') expect(JSON.parse(text).features).toHaveLength(5)
  else expect(parseXml(text).length).toBeGreaterThan(10)
  expect(text).toContain('犬')
})

test.each(['gpx', 'kml', 'geojson', 'csv'])('an empty period gives a valid %s file without positions', async (format) => {
  await using page = await openExport([])
  const { status, raw } = await page.get(format)
  expect(status).toBe(200)
  if (format === 'geojson') expect(JSON.parse(raw.toString()).features).toEqual([])
  else if (format === 'csv') expect(raw.toString().split('\r\n')).toHaveLength(2)
  else expect(parseXml(raw.toString()).some((name) => /trkseg|Placemark/.test(name))).toBe(false)
})

test("an export of another account's tracker is not found, and an unknown format is refused", async () => {
  await using page = await openExport()
  expect((await page.get('gpx', 'dario@example.com', rex)).status).toBe(404)
  expect(await page.get('shp')).toMatchObject({ status: 400, body: { code: 'validation_error', errors: { format: expect.any(Array) } } })
})

test('an export of a period that ends before it begins is refused', async () => {
  await using page = await openExport()
  const path = `/devices/${newTracker}/tracker_data/export/?format=gpx&not_before=2026-03-02T00:00:00Z&not_after=2026-03-01T00:00:00Z`
  expect(await page.portal.call(ALICE, 'GET', path)).toMatchObject({ status: 400, body: { code: 'invalid_period' } })
})

const TRACK_POINT = 'ele time magvar geoidheight name cmt desc src link sym type fix sat hdop vdop pdop ageofdgpsdata dgpsid extensions'
/** The children of each element in the order of the schemas: GPX 1.1 with TrackPointExtension 2, KML 2.2 with Google's extension. */
const SEQUENCES: Record<string, string> = {
  gpx: 'metadata wpt rte trk extensions',
  trk: 'name cmt desc src link number type extensions trkseg',
  trkseg: 'trkpt extensions',
  trkpt: TRACK_POINT,
  extensions: 'tpx:TrackPointExtension wa:precision wa:event wa:battery',
  'tpx:TrackPointExtension': 'tpx:atemp tpx:wtemp tpx:depth tpx:hr tpx:cad tpx:speed tpx:course tpx:bearing tpx:Extensions',
  kml: 'NetworkLinkControl Document',
  Document: 'name visibility open address description Style StyleMap Region ExtendedData Schema Placemark',
  Schema: 'SimpleField gx:SimpleArrayField',
  Placemark: 'name visibility open address description Region ExtendedData gx:MultiTrack',
  'gx:MultiTrack': 'altitudeMode gx:altitudeMode gx:interpolate gx:Track',
  'gx:Track': 'altitudeMode gx:altitudeMode when gx:angles gx:coord Model ExtendedData',
  ExtendedData: 'Data SchemaData',
  SchemaData: 'SimpleData gx:SimpleArrayData',
  'gx:SimpleArrayData': 'gx:value',
}
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const VALUES: Record<string, RegExp> = {
  ele: /^-?\d+(\.\d+)?$/,
  time: INSTANT,
  when: INSTANT,
  'tpx:speed': /^\d+(\.\d+)?$/,
  'tpx:course': /^\d+(\.\d+)?$/,
  'gx:coord': /^-?\d+\.\d+ -?\d+\.\d+( -?\d+(\.\d+)?)?$/,
  'gx:interpolate': /^[01]$/,
}

/** The schema violations of a document: children out of order, unknown elements, values of another type. */
function findFaults(text: string) {
  const faults: string[] = []
  const open: { name: string; at: number; text: string }[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ name, attributes }) => {
    const parent = open.at(-1)
    if (parent) {
      const place = (SEQUENCES[parent.name] ?? '').split(' ').indexOf(name)
      if (place < parent.at) faults.push(`${name} in ${parent.name}`)
      parent.at = Math.max(parent.at, place)
    }
    if (name === 'trkpt' && !(Math.abs(Number(attributes.lat?.value)) <= 90 && Math.abs(Number(attributes.lon?.value)) <= 180))
      faults.push('coordinates of trkpt')
    if (name === 'gpx' && !(attributes.version?.value === '1.1' && attributes.creator?.value)) faults.push('attributes of gpx')
    open.push({ name, at: 0, text: '' })
  })
  parser.on('text', (part) => {
    const last = open.at(-1)
    if (last) last.text += part
  })
  parser.on('closetag', () => {
    const { name, text: value } = open.pop()!
    if (VALUES[name] && !VALUES[name].test(value)) faults.push(`${name}: ${value}`)
  })
  parser.on('error', (error) => faults.push(error.message))
  parser.write(text).close()
  return faults
}

test.each(['gpx', 'kml'])('a %s export has the elements, their order and the types of values of its schema', async (format) => {
  await using page = await openExport()
  expect(findFaults((await page.get(format)).raw.toString())).toEqual([])
  expect(findFaults((await page.get(format, ALICE, rex)).raw.toString())).toEqual([])
  await using empty = await openExport([])
  expect(findFaults((await empty.get(format)).raw.toString())).toEqual([])
})
