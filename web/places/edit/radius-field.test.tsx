import { expect, test } from 'vitest'
import { PLACE_RADIUS } from '#contracts/rules/geo/place.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { nearestStep, parseRadius, RADIUS_STEPS, roundRadius } from './radius-field.tsx'

test('R-3.31 the slider covers the smallest to the largest radius and includes the default', () => {
  expect([RADIUS_STEPS[0], RADIUS_STEPS.at(-1)]).toEqual([PLACE_RADIUS.min, PLACE_RADIUS.max])
  expect(RADIUS_STEPS).toContain(PLACE_RADIUS.default)
  for (const [index, stop] of RADIUS_STEPS.entries()) expect(nearestStep(stop)).toBe(index)
})

test('a radius is shown at the nearest stop', () => {
  expect([0, 210, 1_000_000].map((radius) => RADIUS_STEPS[nearestStep(radius)])).toEqual([50, 200, 10_000])
})

test('a distance dragged on the map is rounded and clamped to a valid radius', () => {
  expect([3, 214.9, 3377, 25_000].map(roundRadius)).toEqual([50, 210, 3400, 10_000])
})

const INPUTS: [string, number | null][] = [
  ['50', 50],
  ['10000', 10_000],
  ['49', null],
  ['10001', null],
  ['99.5', null],
  ['', null],
  ['far', null],
]

test('R-3.31 only whole numbers from 50 to 10,000 are read as a radius', async () => {
  const failures = await collectFailures(
    INPUTS,
    ([text]) => JSON.stringify(text),
    ([text, radius]) => expect(parseRadius(text)).toBe(radius),
  )
  expect(failures).toEqual([])
})
