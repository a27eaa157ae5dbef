import { afterEach, expect, test, vi } from 'vitest'
import { session } from '#web/lib/session.ts'
import { pollEvery, queryClient } from './query.ts'
import { clearFailures } from './retry.ts'

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('failed queries are not retried', async () => {
  const queryFn = vi.fn(() => Promise.reject(new Error('no')))
  await expect(queryClient.fetchQuery({ queryKey: ['x'], queryFn })).rejects.toThrow('no')
  expect(queryFn).toHaveBeenCalledOnce()
})

test('R-4.29 cached data is cleared when the session ends', () => {
  queryClient.setQueryData(['devices'], ['Rex'])
  session.end()
  expect(queryClient.getQueryData(['devices'])).toBeUndefined()
})

test('a retry clears failed queries and keeps successful ones', async () => {
  queryClient.setQueryData(['devices'], ['Rex'])
  await queryClient.prefetchQuery({ queryKey: ['me'], queryFn: () => Promise.reject(new Error('no')) })
  clearFailures()
  expect(queryClient.getQueryState(['me'])).toBeUndefined()
  expect(queryClient.getQueryData(['devices'])).toEqual(['Rex'])
})

test('polling pauses while the browser is offline', () => {
  vi.stubGlobal('navigator', { onLine: false })
  expect(pollEvery(30_000)()).toBe(false)
  vi.stubGlobal('navigator', { onLine: true })
  expect(pollEvery(30_000)()).toBe(30_000)
})
