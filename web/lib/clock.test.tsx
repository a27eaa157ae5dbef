import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { clock, useNow } from './clock.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') })
})
afterEach(() => {
  clock.follow(new Date().toUTCString())
  vi.useRealTimers()
})

const Watch = () => <time>{useNow(30_000).toISOString().slice(11, 19)}</time>

test('an age on the screen is updated as time passes', () => {
  render(<Watch />)
  expect(screen.getByText('09:00:00')).toBeVisible()
  act(() => vi.advanceTimersByTime(29_000))
  expect(screen.getByText('09:00:00')).toBeVisible()
  act(() => vi.advanceTimersByTime(31_000))
  expect(screen.getByText('09:01:00')).toBeVisible()
})

test('ages are no longer updated after their component unmounts', () => {
  const { unmount } = render(<Watch />)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})

test("on a device with a wrong clock, the portal uses the server's time", () => {
  clock.follow('Mon, 02 Mar 2026 12:00:00 GMT')
  expect(clock.now().toISOString()).toBe('2026-03-02T12:00:00.000Z')
  vi.advanceTimersByTime(5000)
  expect(clock.now().toISOString()).toBe('2026-03-02T12:00:05.000Z')
})

test('a response with a missing or unreadable Date header does not change the clock', async () => {
  expect(
    await collectFailures([null, '', 'yesterday'], String, (date) => {
      clock.follow('Mon, 02 Mar 2026 12:00:00 GMT')
      clock.follow(date)
      expect(clock.now().toISOString()).toBe('2026-03-02T12:00:00.000Z')
    }),
  ).toEqual([])
})

test('a difference of a second is ignored', () => {
  clock.follow('Mon, 02 Mar 2026 08:59:59 GMT')
  expect(clock.now().toISOString()).toBe('2026-03-02T09:00:00.000Z')
})
