import { afterEach, expect, test, vi } from 'vitest'
import { session } from '#web/lib/session.ts'
import { pollEvery, queryClient } from './query.ts'
import { forgetFailures } from './retry.ts'

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('C-35: nothing is tried twice', async () => {
  const queryFn = vi.fn(() => Promise.reject(new Error('no')))
  await expect(queryClient.fetchQuery({ queryKey: ['x'], queryFn })).rejects.toThrow('no')
  expect(queryFn).toHaveBeenCalledOnce()
})

test('R-4.29: what one person has read is forgotten when the session ends', () => {
  queryClient.setQueryData(['devices'], ['Rex'])
  session.end()
  expect(queryClient.getQueryData(['devices'])).toBeUndefined()
})

test('a failure is forgotten before a screen is tried again, what was read stays', async () => {
  queryClient.setQueryData(['devices'], ['Rex'])
  await queryClient.prefetchQuery({ queryKey: ['me'], queryFn: () => Promise.reject(new Error('no')) })
  forgetFailures()
  expect(queryClient.getQueryState(['me'])).toBeUndefined()
  expect(queryClient.getQueryData(['devices'])).toEqual(['Rex'])
})

test('C-35: polling waits while the browser is offline', () => {
  vi.stubGlobal('navigator', { onLine: false })
  expect(pollEvery(30_000)()).toBe(false)
  vi.stubGlobal('navigator', { onLine: true })
  expect(pollEvery(30_000)()).toBe(30_000)
})
