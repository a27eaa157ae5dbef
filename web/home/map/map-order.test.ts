import { expect, test } from 'vitest'
import { SAMPLE_AT, sampleDevice } from '#web/trackers/sample-device.ts'
import { orderForMap } from './map-order.ts'

const old = { lat: 0, lng: 0, precision: 5, datetime: '2026-02-20T09:00:00Z' }
const resting = { stationary_since: '2026-03-01T09:00:00Z' }
const devices = [
  sampleDevice({ id: 1, status: { sub_state: 'not_activated' } }),
  sampleDevice({ id: 2, status: { ...resting, last_position: old } }),
  sampleDevice({ id: 3, status: resting }),
  sampleDevice({ id: 4 }),
  sampleDevice({ id: 5, status: resting, config: { mode: 27 } }),
  sampleDevice({ id: 6, status: resting }),
  sampleDevice({ id: 7, config: { network_state: 'deactivated' } }),
]
const ids = ({ used, unused }: ReturnType<typeof orderForMap>) => [used, unused].map((part) => part.map(({ id }) => id))

test('lost trackers come first, then moving ones, recently heard ones and the rest; unused ones are separate', () => {
  expect(ids(orderForMap(devices, SAMPLE_AT))).toEqual([
    [5, 4, 3, 6, 2],
    [1, 7],
  ])
})

test('a short list has no separate group', () => {
  expect(ids(orderForMap(devices.slice(0, 3), SAMPLE_AT))).toEqual([[3, 2, 1], []])
})

test('unused trackers are not separate if no other is in use', () => {
  const waiting = Array.from({ length: 8 }, (_, id) => sampleDevice({ id, status: { sub_state: 'not_activated' } }))
  expect(ids(orderForMap(waiting, SAMPLE_AT))[1]).toEqual([])
})
