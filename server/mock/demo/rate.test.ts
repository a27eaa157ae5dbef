import { expect, test } from 'vitest'
import { virtualClock } from '#server/mock/lib/virtual-clock.ts'
import { createRateLimit } from './rate.ts'

test('a rate limit counts by key in a window that starts with the first request, and returns the seconds to wait', () => {
  const start = new Date('2026-03-02T09:00:00Z')
  const wall = virtualClock({ now: () => start }, { at: start, mode: 'frozen' })
  const wait = createRateLimit({ max: 2, ms: 60_000 }, wall)
  const later = (ms: number) => wall.set({ at: new Date(wall.now().getTime() + ms) })
  expect([wait('a'), wait('a'), wait('b')]).toEqual([0, 0, 0])
  later(15_500)
  expect([wait('a'), wait('b')]).toEqual([45, 0])
  later(44_500)
  expect([wait('a'), wait('a'), wait('a')]).toEqual([0, 0, 60])
})
