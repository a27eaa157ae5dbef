import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import { session } from '#web/lib/session.ts'
import { toPath } from '#web/map/shapes/path.ts'
import { SAMPLE_AT, sampleDevice } from '#web/trackers/sample-device.ts'
import { createPins, updateHeading } from './home-map.tsx'

const HERE = { lat: -34.9, lng: -56.16 }
const north = (meters: number) => ({ ...HERE, lat: HERE.lat + meters / 111_195 })

test("R-2.58 a tracker's heading is the direction of its last real step, ignoring drift", () => {
  expect(updateHeading(1, HERE)).toBeUndefined()
  expect(updateHeading(1, north(5))).toBeUndefined()
  expect(updateHeading(1, north(40))).toBeCloseTo(0)
  expect(updateHeading(1, north(38))).toBeCloseTo(0)
  expect(updateHeading(1, HERE)).toBeCloseTo(180)
})

test('R-2.58 before the first step, the heading comes from the track', () => {
  expect(updateHeading(2, HERE, toPath([{ lat: HERE.lat, lng: HERE.lng - 0.01 }, north(2), HERE]))).toBeCloseTo(90, 1)
})

test('headings are cleared for the next user', () => {
  updateHeading(3, HERE)
  session.end()
  expect(updateHeading(3, north(40))).toBeUndefined()
})

test('a live event creates a new pin for its tracker and leaves the others', () => {
  const t = ((key: string) => key) as unknown as TFunction
  const [rex, misty] = [sampleDevice({ id: 11 }), sampleDevice({ id: 12, name: 'Misty' })]
  const before = createPins([rex, misty], SAMPLE_AT, t)
  const moved = { ...misty, tracker_status: { ...misty.tracker_status, last_position: { ...north(90), precision: 5, datetime: '' } } }
  const after = createPins([rex, moved], SAMPLE_AT, t)
  expect(after[0]).toBe(before[0])
  expect(after[1]).toMatchObject({ name: 'Misty', lat: north(90).lat })
})

test('a course measured by the device is the heading of its pin', () => {
  const t = ((key: string) => key) as unknown as TFunction
  const sample = sampleDevice({ id: 14 })
  const { tracker_status } = sample
  const rex = { ...sample, tracker_status: { ...tracker_status, last_position: { ...tracker_status.last_position!, course: 137 } } }
  expect(createPins([rex], SAMPLE_AT, t)[0]?.heading).toBe(137)
})

test("pins show the state at their time, and the chosen tracker's heading comes from its track", () => {
  const t = ((key: string) => key) as unknown as TFunction
  const rex = sampleDevice({ id: 13 })
  const way = toPath([{ lat: -34.9, lng: -56.17 }, HERE])
  expect(createPins([rex], SAMPLE_AT, t)[0]).toMatchObject({ isMoving: true, heading: undefined })
  expect(createPins([rex], SAMPLE_AT, t, 13, way)[0]?.heading).toBeCloseTo(90, 1)
  expect(createPins([rex], SAMPLE_AT, t)[0]?.heading).toBeCloseTo(90, 1)
  expect(createPins([rex], new Date(SAMPLE_AT.getTime() + 7 * 86_400_000), t)[0]).toMatchObject({ group: 'silent' })
})
