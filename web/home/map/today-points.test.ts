import { expect, test } from 'vitest'
import { startOfDay } from './today-points.ts'

test("a day begins at midnight in the user's time zone", () => {
  expect(startOfDay(new Date(2026, 2, 2, 15, 30))).toEqual(new Date(2026, 2, 2))
})
