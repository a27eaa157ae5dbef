import { expect, test } from 'vitest'
import { labelRise } from './label-rise.ts'

const circle = (radius: number) => ({ lat: 0, lng: 0, radius })

test('a label stands on its circle, clear of a pin in a small one, near the middle of one that fills the map', () => {
  expect(labelRise(circle(50), 13)).toBe(24)
  expect(labelRise(circle(200), 15)).toBe(42)
  expect(labelRise(circle(10_000), 13)).toBe(24)
})

test('a degree is shorter up north, so the same circle is larger there', () => {
  expect(labelRise({ ...circle(200), lat: 60 }, 15)).toBe(84)
})
