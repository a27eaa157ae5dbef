import { describe, expect, test } from 'vitest'
import { readForm } from './osmand-form.ts'
import { readJson } from './osmand-json.ts'
import { readOwnTracks } from './owntracks.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const at = { lat: '60.5', lon: '30.25', timestamp: '1377177267' }
const fix = { lat: 60.5, lng: 30.25, precision: 25, datetime: '2013-08-22T13:14:27Z' }
const failing = (code: string, ...fields: string[]) =>
  expect.objectContaining({ code, extras: { errors: Object.fromEntries(fields.map((field) => [field, expect.any(Array)])) } })

describe('OsmAnd parameters', () => {
  test.each([
    ['the least', at, { positions: [fix], battery: undefined }],
    ['both coordinates in one', { location: '60.5,30.25', timestamp: at.timestamp }, { positions: [fix] }],
    ['no time: it is now', { lat: '60.5', lon: '30.25' }, { positions: [{ ...fix, datetime: '2026-03-02T09:00:00Z' }] }],
    ['accuracy in metres', { ...at, accuracy: '7.2', hdop: '9' }, { positions: [{ ...fix, precision: 8 }] }],
    ['dilution, when it says no accuracy', { ...at, accuracy: '0', hdop: '1.5' }, { positions: [{ ...fix, precision: 8 }] }],
    ['an accuracy beyond all measure', { ...at, accuracy: '1e9' }, { positions: [{ ...fix, precision: 100_000 }] }],
    ['what can not be read but is not needed', { ...at, accuracy: 'NaN', hdop: '-', batt: '?' }, { positions: [fix], battery: undefined }],
    ['battery in percent', { ...at, batt: '86.6', charge: 'true', speed: '40', rpm: '933' }, { positions: [fix], battery: 87 }],
    ['a battery nobody knows', { ...at, batt: '-1' }, { positions: [fix], battery: undefined }],
    ['a cry for help', { ...at, alarm: 'sos' }, { positions: [{ ...fix, event: 'button' }] }],
    ['another alarm', { ...at, alarm: 'vibration' }, { positions: [fix] }],
    ['blank parameters', { ...at, accuracy: ' ', batt: '', alarm: '' }, { positions: [fix] }],
    ['no position', { batt: '50', cell: '257,02,16,2224' }, { positions: [], battery: 50 }],
    ['a position that is not valid', { ...at, valid: 'false', batt: '50' }, { positions: [], battery: 50 }],
    ['the place where no satellite was seen', { ...at, lat: '0.0', lon: '0' }, { positions: [] }],
  ])('%s', (_, parameters, report) => expect(readForm(parameters, NOW)).toMatchObject(report))

  test.each([
    [{ ...at, lat: '90.1' }, ['lat']],
    [{ ...at, lon: '-181' }, ['lon']],
    [{ lat: '60' }, ['lon']],
    [{ location: '60' }, ['lon']],
    [{ location: 'here' }, ['lat', 'lon']],
    [{ ...at, lat: '0x10' }, ['lat']],
    [{ ...at, timestamp: 'yesterday' }, ['timestamp']],
  ])('%j is refused', (parameters, fields) => expect(() => readForm(parameters, NOW)).toThrow(failing('validation_error', ...fields)))
})

describe('the JSON of Traccar Client', () => {
  const location = {
    timestamp: '2013-08-22T13:14:27.862Z',
    coords: { latitude: 60.5, longitude: 30.25, accuracy: 3.8, speed: 18.67, heading: -1, altitude: 5 },
    battery: { level: 0.79, is_charging: false },
    extras: {},
  }
  test.each([
    ['a location', { location }, { positions: [{ ...fix, precision: 4 }], battery: 79 }],
    ['a battery the phone does not know', { location: { ...location, battery: { level: -1 } } }, { battery: undefined }],
    ['no battery', { location: { ...location, battery: null } }, { battery: undefined }],
    ['a cry for help', { location: { ...location, extras: { alarm: 'sos' } } }, { positions: [{ event: 'button' }] }],
    [
      'several locations',
      { location: [location, { ...location, timestamp: 1377177300 }] },
      { positions: [{}, { datetime: '2013-08-22T13:15:00Z' }] },
    ],
    ['nothing but its name', { device_id: '1' }, { positions: [], battery: undefined }],
  ])('%s', (_, body, report) => expect(readJson(body)).toMatchObject(report))

  test.each([
    { location: 'here' },
    { location: {} },
    { location: { ...location, coords: { latitude: '60', longitude: 30 } } },
    { location: { ...location, coords: { latitude: 95, longitude: 30 } } },
    { location: { ...location, timestamp: 'soon' } },
  ])('%j is refused', (body) => expect(() => readJson(body)).toThrow(expect.objectContaining({ code: 'validation_error' })))
})

describe('OwnTracks', () => {
  const location = { _type: 'location', lat: 60.5, lon: 30.25, tst: 1377177267, acc: 12, batt: 86, tid: 'ic', vel: 7, t: 'u' }
  test.each([
    ['a location', location, { positions: [{ ...fix, precision: 12 }], battery: 86 }],
    ['a location that does not say how exact it is', { ...location, acc: undefined }, { positions: [{ precision: 25 }] }],
    [
      'a transition',
      { ...location, _type: 'transition', event: 'enter', desc: 'Home', wtst: 1 },
      { positions: [{ ...fix, precision: 12 }] },
    ],
    ['a transition at a beacon', { _type: 'transition', event: 'leave', tst: 1377177267 }, { positions: [] }],
    [
      'several at once',
      [location, { _type: 'lwt', tst: 1 }, { ...location, tst: 1377177300, batt: 85 }],
      { positions: [{}, {}], battery: 85 },
    ],
  ])('%s', (_, body, report) => expect(readOwnTracks(body)).toMatchObject(report))

  test.each(['waypoint', 'waypoints', 'lwt', 'card', 'status', 'cmd', 'steps', 'beacon', 'configuration', 'dump', 'of tomorrow'])(
    '%s is only acknowledged',
    (_type) => expect(readOwnTracks({ _type, lat: 1, lon: 2 })).toBeNull(),
  )

  test('nothing is encrypted that should be read', () => {
    expect(() => readOwnTracks([location, { _type: 'encrypted', data: 'AAAA' }])).toThrow(failing('validation_error', '_type'))
  })

  test.each([
    [[{ ...location, lat: 91 }], ['lat']],
    [{ ...location, tst: undefined }, ['tst']],
    [{ ...location, lon: '30' }, ['lon']],
    [{ lat: 1, lon: 2 }, ['0._type']],
    ['location', ['0']],
    [null, ['0']],
  ])('%j is refused', (body, fields) => expect(() => readOwnTracks(body)).toThrow(failing('validation_error', ...fields)))

  test('an empty array has nothing to say', () => expect(readOwnTracks([])).toBeNull())
})
