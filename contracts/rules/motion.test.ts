import { expect, test } from 'vitest'
import { motionOf } from './motion.ts'

const now = new Date('2026-03-01T12:00:00Z')
const since = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test.each([
  ['R-4.6', 0],
  ['R-4.6', 7],
  ['R-4.6', 7.99],
  ['R-4.6', -30],
])('%s %d minutes is moving (W-13)', (_row, minutes) => {
  expect(motionOf(since(minutes), now)).toEqual({ state: 'moving' })
})

test('R-4.6 R-3.9 no time is moving (W-13)', () => {
  expect(motionOf(null, now)).toEqual({ state: 'moving' })
})

test.each([
  ['R-4.7', 8, 'minutes', 8],
  ['R-4.7', 8.9, 'minutes', 8],
  ['R-4.7', 60, 'minutes', 60],
  ['R-4.7', 100, 'minutes', 100],
  ['R-4.8', 100.5, 'hours', 2],
  ['R-4.8', 101, 'hours', 2],
  ['R-4.8', 149, 'hours', 2],
  ['R-4.8', 150, 'hours', 3],
  ['R-4.8', 240, 'hours', 4],
  ['R-4.8', 1440, 'hours', 24],
  ['R-4.8', 14400, 'hours', 240],
])('%s %d minutes is stationary, in %s: %i (W-13)', (_row, minutes, unit, n) => {
  expect(motionOf(since(minutes), now)).toEqual({ state: 'stationary', unit, n })
  expect(motionOf(since(minutes).toISOString(), now)).toEqual({ state: 'stationary', unit, n })
})
