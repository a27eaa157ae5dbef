import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { readOverland } from './overland.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const fix = { lat: 60.5, lng: 30.25, datetime: '2013-08-22T13:14:27Z' }
const failing = (...fields: string[]) =>
  expect.objectContaining({
    code: 'validation_error',
    extras: expect.objectContaining({ errors: Object.fromEntries(fields.map((field) => [field, expect.any(Array)])) }),
  })

describe('Overland batches', () => {
  const properties = {
    timestamp: '2013-08-22T13:14:27Z',
    altitude: 12,
    speed: 5,
    course: 350,
    horizontal_accuracy: 8,
    battery_level: 0.42,
    device_id: 'iphone',
  }
  const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [30.25, 60.5] }, properties }
  const later = (changes: object) => ({ ...feature, properties: { ...properties, ...changes } })

  test('Overland batches are read', async () => {
    const rows = [
      [
        'a position',
        { locations: [feature] },
        { positions: [{ ...fix, precision: 8, speed: 18, course: 350, altitude: 12 }], battery: 42, device: 'iphone' },
      ],
      [
        'a time with a zone',
        { locations: [later({ timestamp: '2013-08-22T06:14:27-0700' })] },
        { positions: [{ datetime: fix.datetime }] },
      ],
      [
        'an unknown speed and battery',
        { locations: [later({ speed: -1, battery_level: -1 })] },
        { positions: [{ ...fix, precision: 8 }], battery: undefined },
      ],
      ['a full battery', { locations: [later({ battery_level: 1 })] }, { battery: 100 }],
      ['coordinates that iOS marks invalid', { locations: [later({ horizontal_accuracy: -1 })] }, { positions: [], battery: 42 }],
      ['no location', { locations: [] }, { positions: [], battery: undefined }],
      [
        'a backlog with the current location',
        { locations: [feature], current: later({ battery_level: 0.4 }) },
        { positions: [{}, {}], battery: 40 },
      ],
      [
        'a trip and a note on the app',
        { locations: [feature, later({ type: 'trip' }), later({ action: 'visit' })] },
        { positions: [{}], battery: 42 },
      ],
      ['an unreadable location among others', { locations: [later({ timestamp: 'soon' }), feature] }, { positions: [{}], leftOut: 'time' }],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([, body, report]) => {
          expect(readOverland(body, NOW)).toMatchObject(report)
        },
      ),
    ).toEqual([])
  })

  test('other JSON, and batches without a readable position, are refused', async () => {
    const rows = [
      [{ _type: 'location', lat: 1, lon: 2 }, ['body']],
      [[feature], ['body']],
      ['text', ['body']],
      [{ locations: 'none' }, ['locations']],
      [{ locations: [later({ timestamp: undefined })] }, ['properties.timestamp']],
      [{ locations: [{ ...feature, geometry: { type: 'Point', coordinates: [30, 95] } }] }, ['geometry.coordinates.1']],
      [{ locations: [{ ...feature, geometry: null }] }, ['geometry']],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, ([body, fields]) => {
        expect(() => readOverland(body, NOW)).toThrow(failing(...fields))
      }),
    ).toEqual([])
  })
})
