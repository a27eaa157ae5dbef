import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type Parameters, readOsmandForms, readTraccarJson } from './osmand.ts'
import { readOwnTracks } from './owntracks.ts'

const readOsmandForm = (parameters: Parameters, now: Date) => readOsmandForms([parameters], now)
const NOW = new Date('2026-03-02T09:00:00Z')
const at = { lat: '60.5', lon: '30.25', timestamp: '1377177267' }
const fix = { lat: 60.5, lng: 30.25, precision: 25, datetime: '2013-08-22T13:14:27Z' }
const failing = (code: string, ...fields: string[]) =>
  expect.objectContaining({
    code,
    extras: expect.objectContaining({ errors: Object.fromEntries(fields.map((field) => [field, expect.any(Array)])) }),
  })

describe('OsmAnd parameters', () => {
  test('OsmAnd parameters are read', async () => {
    const rows = [
      ['coordinates and a time', at, { positions: [fix], battery: undefined }],
      ['both coordinates in one', { location: '60.5,30.25', timestamp: at.timestamp }, { positions: [fix] }],
      ['no time, which means now', { lat: '60.5', lon: '30.25' }, { positions: [{ ...fix, datetime: '2026-03-02T09:00:00Z' }] }],
      ['accuracy in metres', { ...at, accuracy: '7.2', hdop: '9' }, { positions: [{ ...fix, precision: 8 }] }],
      ['dilution instead of accuracy', { ...at, accuracy: '0', hdop: '1.5' }, { positions: [{ ...fix, precision: 8 }] }],
      [
        'the short names of GPSLogger',
        { ...at, acc: '7', spd: '2', dir: '90', alt: '12.5' },
        { positions: [{ ...fix, precision: 7, speed: 7.2, course: 90, altitude: 12.5 }] },
      ],
      [
        'speed in knots, bearing, altitude',
        { ...at, speed: '10', bearing: '45', altitude: '-3' },
        { positions: [{ ...fix, speed: 18.52, course: 45, altitude: -3 }] },
      ],
      ['an unknown speed, course, altitude', { ...at, speed: '-1', bearing: '-1', altitude: 'x' }, { positions: [fix] }],
      [
        'OsmAnd: hdop in metres, m/s, milliseconds',
        { ...at, timestamp: '1377177267862', hdop: '9.6', speed: '5.0', altitude: '224.0' },
        { positions: [{ ...fix, precision: 10, speed: 18, altitude: 224 }] },
      ],
      [
        'milliseconds with a battery, which OsmAnd cannot send',
        { ...at, timestamp: '1377177267862', hdop: '1.5', batt: '50' },
        { positions: [{ ...fix, precision: 8 }], battery: 50 },
      ],
      ['coordinates that are no numbers', { ...at, lat: 'NaN', lon: 'NaN', batt: '50' }, { positions: [], battery: 50 }],
      ['battery as a share', { ...at, batt: '0.57' }, { positions: [fix], battery: 57 }],
      ['an empty battery', { ...at, batt: '0' }, { positions: [fix], battery: 0 }],
      ['a battery of 1, which is percent or a share', { ...at, batt: '1.0' }, { positions: [fix], battery: undefined }],
      ['an absurd accuracy', { ...at, accuracy: '1e9' }, { positions: [{ ...fix, precision: 100_000 }] }],
      ['unreadable optional values', { ...at, accuracy: 'NaN', hdop: '-', batt: '?' }, { positions: [fix], battery: undefined }],
      ['battery in percent', { ...at, batt: '86.6', charge: 'true', speed: '40', rpm: '933' }, { positions: [fix], battery: 87 }],
      ['an unknown battery', { ...at, batt: '-1' }, { positions: [fix], battery: undefined }],
      ['an sos alarm', { ...at, alarm: 'sos' }, { positions: [{ ...fix, event: 'button' }] }],
      ['another alarm', { ...at, alarm: 'vibration' }, { positions: [fix] }],
      ['blank parameters', { ...at, accuracy: ' ', batt: '', alarm: '' }, { positions: [fix] }],
      ['no position', { batt: '50', cell: '257,02,16,2224' }, { positions: [], battery: 50 }],
      ['a position marked invalid', { ...at, valid: 'false', batt: '50' }, { positions: [], battery: 50 }],
      ['coordinates 0,0, sent without a satellite fix', { ...at, lat: '0.0', lon: '0' }, { positions: [] }],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([, parameters, report]) => {
          expect(readOsmandForm(parameters, NOW)).toMatchObject(report)
        },
      ),
    ).toEqual([])
  })

  test('invalid OsmAnd parameters are refused', async () => {
    const rows = [
      [{ ...at, lat: '90.1' }, ['lat']],
      [{ ...at, lon: '-181' }, ['lon']],
      [{ lat: '60' }, ['lon']],
      [{ location: '60' }, ['lon']],
      [{ location: 'here' }, ['lat', 'lon']],
      [{ ...at, lat: '0x10' }, ['lat']],
      [{ ...at, timestamp: 'yesterday' }, ['timestamp']],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, ([parameters, fields]) => {
        expect(() => readOsmandForm(parameters, NOW)).toThrow(failing('validation_error', ...fields))
      }),
    ).toEqual([])
  })
})

describe('Traccar Client JSON', () => {
  const location = {
    timestamp: '2013-08-22T13:14:27.862Z',
    coords: { latitude: 60.5, longitude: 30.25, accuracy: 3.8, speed: 18.67, heading: -1, altitude: 5 },
    battery: { level: 0.79, is_charging: false },
    extras: {},
  }
  test('Traccar Client JSON is read', async () => {
    const rows = [
      ['a location', { location }, { positions: [{ ...fix, precision: 4 }], battery: 79 }],
      ['an unknown battery', { location: { ...location, battery: { level: -1 } } }, { battery: undefined }],
      ['speed in m/s and altitude', { location }, { positions: [{ speed: 18.67 * 3.6, altitude: 5 }] }],
      ['a full battery', { location: { ...location, battery: { level: 1 } } }, { battery: 100 }],
      ['a heartbeat without coordinates', { location: { timestamp: 1377177300, battery: { level: 0.5 } } }, { positions: [], battery: 50 }],
      ['coordinates 0,0', { location: { ...location, coords: { latitude: 0, longitude: 0 } } }, { positions: [] }],
      ['no battery', { location: { ...location, battery: null } }, { battery: undefined }],
      ['an sos alarm', { location: { ...location, extras: { alarm: 'sos' } } }, { positions: [{ event: 'button' }] }],
      ['an sos alarm beside the coordinates', { location: { ...location, alarm: 'sos' } }, { positions: [{ event: 'button' }] }],
      [
        'one unreadable location among others',
        { location: [{ ...location, coords: { latitude: 95, longitude: 30 } }, location] },
        { positions: [{ ...fix, precision: 4 }], leftOut: 'coordinates' },
      ],
      [
        'several locations',
        { location: [location, { ...location, timestamp: 1377177300 }] },
        { positions: [{}, { datetime: '2013-08-22T13:15:00Z' }] },
      ],
      ['only a device id', { device_id: '1' }, { positions: [], battery: undefined }],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([, body, report]) => {
          expect(readTraccarJson(body, NOW)).toMatchObject(report)
        },
      ),
    ).toEqual([])
  })

  test('invalid Traccar Client JSON is refused', async () => {
    const rows = [
      { location: 'here' },
      { location: { ...location, coords: {} } },
      { location: { ...location, coords: { latitude: 'sixty', longitude: 30 } } },
      { location: { ...location, coords: { latitude: 95, longitude: 30 } } },
      { location: { ...location, timestamp: 'soon' } },
    ]
    expect(
      await collectFailures(rows, JSON.stringify, (body) => {
        expect(() => readTraccarJson(body, NOW)).toThrow(expect.objectContaining({ code: 'validation_error' }))
      }),
    ).toEqual([])
  })
})

describe('OwnTracks messages', () => {
  const location = { _type: 'location', lat: 60.5, lon: 30.25, tst: 1377177267, acc: 12, batt: 86, tid: 'ic', vel: 7, t: 'u' }
  test('OwnTracks messages are read', async () => {
    const rows = [
      ['a location', location, { positions: [{ ...fix, precision: 12 }], battery: 86 }],
      ['speed, course and altitude', { ...location, vel: 7, cog: 270, alt: 35 }, { positions: [{ speed: 7, course: 270, altitude: 35 }] }],
      ['coordinates 0,0', { ...location, lat: 0, lon: 0 }, { positions: [], battery: 86 }],
      ['one unreadable message among others', [{ ...location, tst: 'x' }, location], { positions: [{}], leftOut: 'time' }],
      ['a location without accuracy', { ...location, acc: undefined }, { positions: [{ precision: 25 }] }],
      [
        'a transition',
        { ...location, _type: 'transition', event: 'enter', desc: 'Home', wtst: 1 },
        { positions: [{ ...fix, precision: 12 }] },
      ],
      ['a transition at a beacon', { _type: 'transition', event: 'leave', tst: 1377177267 }, { positions: [] }],
      [
        'several messages',
        [location, { _type: 'lwt', tst: 1 }, { ...location, tst: 1377177300, batt: 85 }],
        { positions: [{}, {}], battery: 85 },
      ],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([, body, report]) => {
          expect(readOwnTracks(body, NOW)).toMatchObject(report)
        },
      ),
    ).toEqual([])
  })

  test('OwnTracks messages without a position are ignored', async () => {
    const rows = ['waypoint', 'waypoints', 'lwt', 'card', 'status', 'cmd', 'steps', 'beacon', 'configuration', 'dump', 'of tomorrow']
    expect(
      await collectFailures(rows, String, (_type) => {
        expect(readOwnTracks({ _type, lat: 1, lon: 2 }, NOW)).toBeNull()
      }),
    ).toEqual([])
  })

  test('an encrypted OwnTracks message is refused', () => {
    expect(() => readOwnTracks([location, { _type: 'encrypted', data: 'AAAA' }], NOW)).toThrow(failing('validation_error', '_type'))
  })

  test('invalid OwnTracks messages are refused', async () => {
    const rows = [
      [[{ ...location, lat: 91 }], ['lat']],
      [{ ...location, tst: undefined }, ['tst']],
      [{ ...location, lon: 'thirty' }, ['lon']],
      [{ lat: 1, lon: 2 }, ['0._type']],
      ['location', ['0']],
      [null, ['0']],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, ([body, fields]) => {
        expect(() => readOwnTracks(body, NOW)).toThrow(failing('validation_error', ...fields))
      }),
    ).toEqual([])
  })

  test('an empty OwnTracks array is ignored', () => expect(readOwnTracks([], NOW)).toBeNull())
})
