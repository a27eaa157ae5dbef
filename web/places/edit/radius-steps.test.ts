import { expect, test } from 'vitest'
import { PLACE_RADIUS } from '#contracts/lib/constants.ts'
import { RADIUS_STEPS, radiusFrom, radiusOf, stepOf } from './radius-steps.ts'

test('R-3.31 the slider covers the smallest to the largest radius and includes the default', () => {
  expect([RADIUS_STEPS[0], RADIUS_STEPS.at(-1)]).toEqual([PLACE_RADIUS.min, PLACE_RADIUS.max])
  expect(RADIUS_STEPS).toContain(PLACE_RADIUS.default)
  for (const [index, stop] of RADIUS_STEPS.entries()) expect(stepOf(stop)).toBe(index)
})

test.each([
  [0, 50],
  [210, 200],
  [1_000_000, 10_000],
])('a radius of %d is shown at the stop %d', (radius, stop) => expect(RADIUS_STEPS[stepOf(radius)]).toBe(stop))

test.each([
  [3, 50],
  [214.9, 210],
  [3377, 3400],
  [25_000, 10_000],
])('%d m dragged on the map become a radius of %d m', (meters, radius) => expect(radiusFrom(meters)).toBe(radius))

test.each([
  ['50', 50],
  ['10000', 10_000],
  ['49', null],
  ['10001', null],
  ['99.5', null],
  ['', null],
  ['far', null],
])('R-3.31 the input %j is read as %s', (text, radius) => expect(radiusOf(text)).toBe(radius))
