import { expect, test } from 'vitest'
import { labelRise } from './label-rise.ts'

const circle = (radius: number) => ({ lat: 0, lng: 0, radius })

test('a label sits on its circle, above the pin of a small one and near the middle of one that fills the map', () => {
  expect(labelRise(circle(50), 13)).toBe(24)
  expect(labelRise(circle(200), 15)).toBe(42)
  expect(labelRise(circle(10_000), 13)).toBe(24)
})

test('the same circle is drawn larger at a higher latitude', () => {
  expect(labelRise({ ...circle(200), lat: 60 }, 15)).toBe(84)
})
