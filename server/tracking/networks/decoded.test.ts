import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { decodeCayenne, listNumbers, readUplink } from './decoded.ts'

const AT = '2026-03-02T09:00:30Z'
const point = { latitude: 47.5, longitude: 19.05 }
const fix = { lat: 47.5, lng: 19.05, precision: 25, datetime: AT }
const read = (decoded: object, mapping?: Parameters<typeof readUplink>[1]) => readUplink({ at: AT, decoded }, mapping)

describe('decoded payloads', () => {
  test('a position is found under the common names', async () => {
    const rows: [object, object | undefined][] = [
      [point, fix],
      [{ lat: 47.5, lng: 19.05 }, fix],
      [{ lat: '47.5', lon: '19.05' }, fix],
      [{ Latitude: 47.5, Longitude: 19.05, Alarm_status: false }, fix],
      [{ gps_0: { ...point, altitude: 112 } }, { ...fix, altitude: 112 }],
      [{ gps: { lat: 47.5, long: 19.05 } }, fix],
      [{ position: { ...point, accuracy: 7.5 } }, { ...fix, precision: 8 }],
      [{ data: { location: point } }, fix],
      [
        { ...point, hdop: 2 },
        { ...fix, precision: 10 },
      ],
      [
        { ...point, time: '2026-03-02T08:59:00.000Z' },
        { ...fix, datetime: '2026-03-02T08:59:00Z' },
      ],
      [{ ...point, time: 61_200 }, fix],
      [{ ...point, time: '2026-03-03T08:59:00Z' }, fix],
      [
        { ...point, heading: 90, altitude: '120' },
        { ...fix, course: 90, altitude: 120 },
      ],
      [{ ...point, heading: 400, altitude: 1e9 }, fix],
      [{ latitude: 0, longitude: 0 }, undefined],
      [{ latitude: 475_000_000, longitude: 190_500_000 }, undefined],
      [{ latitude: 47.5 }, undefined],
      [{ latitude: null, longitude: 'east' }, undefined],
      [{ gateway: point }, undefined],
      [{}, undefined],
    ]
    expect(
      await collectFailures(rows, JSON.stringify, ([decoded, found]) => {
        expect(read(decoded).positions).toEqual(found ? [found] : [])
      }),
    ).toEqual([])
  })

  test('a battery is found in percent, volts or millivolts', async () => {
    const rows: [object, object | undefined][] = [
      [{ battery: 87 }, { percent: 87 }],
      [{ battery: 3.6 }, { millivolts: 3600 }],
      [{ battery: 3612 }, { millivolts: 3612 }],
      [{ battery: 86.6 }, { percent: 87 }],
      [{ batteryLevel: 12 }, { percent: 12 }],
      [{ battery_percentage: '45' }, { percent: 45 }],
      [{ BatV: 3.302, Bat_status: 2 }, { millivolts: 3302 }],
      [{ battery_mv: 3302 }, { millivolts: 3302 }],
      [{ data: { bat: 99 } }, { percent: 99 }],
      [{ battery: -1 }, undefined],
      [{ battery: 'low' }, undefined],
      [{ voltage: 230 }, undefined],
    ]
    expect(
      await collectFailures(rows, JSON.stringify, ([decoded, battery]) => {
        expect(read(decoded).battery).toEqual(battery)
      }),
    ).toEqual([])
  })

  test('a mapping locates values anywhere, and returns nothing where there are none', () => {
    const messages = [
      [
        { type: 'Longitude', value: '19.05' },
        { type: 'Latitude', value: '47.5' },
      ],
      { level: 41 },
    ]
    const mapping = { latitude: 'messages.0.1.value', longitude: 'messages.0.0.value', battery: 'messages.1.level' }
    expect(read({ messages }, mapping)).toEqual({ positions: [fix], battery: { percent: 41 } })
    expect(read({ ...point }, mapping).positions).toEqual([])
    expect(read({ messages }, { ...mapping, latitude: '__proto__.0', longitude: 'constructor.name' }).positions).toEqual([])
  })

  test('the numbers of a payload are listed by path', () => {
    expect(listNumbers({ a: 1, b: { c: ['2', { d: 3.5 }], e: true }, f: 'text', g: null })).toEqual({ a: 1, 'b.c.0': 2, 'b.c.1.d': 3.5 })
  })

  test('a deep or wide payload is read quickly', () => {
    let deep: object = point
    for (let depth = 0; depth < 5000; depth++) deep = { data: deep }
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`data_${n}`, { data: { x: n } }]))
    for (const decoded of [deep, wide])
      expect([read(decoded).positions, Object.keys(listNumbers(decoded)).length <= 60]).toEqual([[], true])
  })
})

describe('Cayenne Low Power Payload', () => {
  test.each([
    ['0188 06765f f2960a 0003e8', { latitude: 42.3519, longitude: -87.9094, altitude: 10 }],
    [
      '0085 6903 21cd 0088 05b5cb ed5f18 001162 0000 0b00 0200 5a00 8400 6300 8200 007b b500 6701 2d00 7327 9100 6879',
      { latitude: 37.4219, longitude: -122.084, altitude: 44.5, time: 1761812941 },
    ],
    ['0367 0110 0567 00ff', undefined],
    ['0188 06765f f2960a 0003', undefined],
    ['0188 06765f f2960a 0003e8 01', undefined],
    ['0188 06765f f2960a 0003e8 01ff', undefined],
    ['10297eb01e621122070000be', undefined],
    ['', undefined],
  ])('the payload %s is read as %o', (hex, decoded) => expect(decodeCayenne(hex.replaceAll(' ', ''))).toEqual(decoded))
})
