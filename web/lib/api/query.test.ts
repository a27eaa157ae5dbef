import { afterEach, expect, test, vi } from 'vitest'
import { session } from '#web/lib/session.ts'
import { clearFailures } from './connection.ts'
import { pollEvery, queryClient } from './query.ts'

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

test('a retry forgets failures and keeps all data, also of queries whose last refresh failed', async () => {
  const fail = (queryKey: string[]) => queryClient.prefetchQuery({ queryKey, queryFn: () => Promise.reject(new Error('no')), staleTime: 0 })
  for (const key of ['devices', 'tags']) queryClient.setQueryData([key], ['Rex'], { updatedAt: 1 })
  for (const key of ['me', 'tags']) await fail([key])
  expect(queryClient.getQueryState(['me'])?.status).toBe('error')
  clearFailures()
  expect(queryClient.getQueryState(['me'])?.status).toBe('pending')
  expect([queryClient.getQueryData(['devices']), queryClient.getQueryData(['tags'])]).toEqual([['Rex'], ['Rex']])
})

test('polling pauses while the browser is offline', () => {
  vi.stubGlobal('navigator', { onLine: false })
  expect(pollEvery(30_000)()).toBe(false)
  vi.stubGlobal('navigator', { onLine: true })
  expect(pollEvery(30_000)()).toBe(30_000)
})
