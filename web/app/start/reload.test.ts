import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reloadAfterLoss } from './reload.ts'

const reload = vi.fn()
let stored: Map<string, string>

beforeEach(() => {
  vi.useFakeTimers()
  stored = new Map()
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem: stored.set.bind(stored) })
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  reload.mockClear()
})

test('a page that lost a script is reloaded, after a longer pause each time', () => {
  expect(reloadAfterLoss()).toBe(true)
  vi.advanceTimersByTime(150)
  expect(reload).toHaveBeenCalledTimes(1)
  expect(reloadAfterLoss()).toBe(true)
  vi.advanceTimersByTime(299)
  expect(reload).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(reload).toHaveBeenCalledTimes(2)
})

test('after fifteen reloads in five minutes the page is not reloaded any more, except later', () => {
  const reloads = Array.from({ length: 16 }, reloadAfterLoss)
  expect([reloads.filter(Boolean).length, reloads.at(-1)]).toEqual([15, false])
  vi.advanceTimersByTime(5 * 60_000 + 1)
  expect(reloadAfterLoss()).toBe(true)
})

test('a page is not reloaded offline, nor where the number of reloads cannot be stored', () => {
  vi.stubGlobal('navigator', { onLine: false })
  expect(reloadAfterLoss()).toBe(false)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('sessionStorage', undefined)
  expect(reloadAfterLoss()).toBe(false)
})
