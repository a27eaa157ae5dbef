import { expect, test } from 'vitest'
import { session } from '#web/lib/session.ts'
import { toPath } from '#web/map/shapes/path.ts'
import { updateHeading } from './home-map.tsx'

const HERE = { lat: -34.9, lng: -56.16 }
const north = (meters: number) => ({ ...HERE, lat: HERE.lat + meters / 111_195 })

test('R-2.58 a tracker heads in the direction of its last real step, ignoring drift', () => {
  expect(updateHeading(1, HERE)).toBeUndefined()
  expect(updateHeading(1, north(5))).toBeUndefined()
  expect(updateHeading(1, north(40))).toBeCloseTo(0)
  expect(updateHeading(1, north(38))).toBeCloseTo(0)
  expect(updateHeading(1, HERE)).toBeCloseTo(180)
})

test('R-2.58 before the first step seen, the heading comes from the track', () => {
  expect(updateHeading(2, HERE, toPath([{ lat: HERE.lat, lng: HERE.lng - 0.01 }, north(2), HERE]))).toBeCloseTo(90, 1)
})

test('headings are cleared for the next user', () => {
  updateHeading(3, HERE)
  session.end()
  expect(updateHeading(3, north(40))).toBeUndefined()
})
