import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { motionOf } from './motion.ts'

const now = new Date('2026-03-01T12:00:00Z')
const since = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test('R-4.6 under 8 stationary minutes, or a future time, counts as moving', async () => {
  expect(
    await collectFailures(
      [
        ['R-4.6', 0],
        ['R-4.6', 7],
        ['R-4.6', 7.99],
        ['R-4.6', -30],
      ] as const,
      String,
      ([, minutes]) => {
        expect(motionOf(since(minutes), now)).toEqual({ state: 'moving' })
      },
    ),
  ).toEqual([])
})

test('R-4.6 R-3.9 a tracker without a stationary time is moving', () => {
  expect(motionOf(null, now)).toEqual({ state: 'moving' })
})

test('R-4.7 R-4.8 stationary time is shown in minutes up to 100, then in rounded hours', async () => {
  expect(
    await collectFailures(
      [
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
      ] as const,
      String,
      ([, minutes, unit, n]) => {
        expect(motionOf(since(minutes), now)).toEqual({ state: 'stationary', unit, n })
        expect(motionOf(since(minutes).toISOString(), now)).toEqual({ state: 'stationary', unit, n })
      },
    ),
  ).toEqual([])
})
