import { expect, test } from 'vitest'
import { sparkline } from './activity.tsx'

test("a morning's values fill only the left part of the day", () => {
  const { line, area } = sparkline([0, 40], { width: 240, height: 42, top: 40, places: 24 })
  expect(line).toBe('M0 40 L5 40 L15 2')
  expect(area).toBe('M0 40 L5 40 L15 2 L15 40 L15 42 L0 42 Z')
})

test('a value above the top raises the scale', () => {
  expect(sparkline([80], { width: 24, height: 42, top: 40, places: 24 }).line).toContain(' 2')
})
