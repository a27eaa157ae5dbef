import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useNow } from './clock.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const Watch = () => <time>{useNow(30_000).toISOString().slice(11, 19)}</time>

test('an age on the screen grows older by itself', () => {
  render(<Watch />)
  expect(screen.getByText('09:00:00')).toBeVisible()
  act(() => vi.advanceTimersByTime(29_000))
  expect(screen.getByText('09:00:00')).toBeVisible()
  act(() => vi.advanceTimersByTime(31_000))
  expect(screen.getByText('09:01:00')).toBeVisible()
})

test('it stops when nobody looks', () => {
  const { unmount } = render(<Watch />)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
