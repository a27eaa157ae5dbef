import { createElement, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isChunkFailure, lazy, loadChunk, preload } from './chunk.ts'

test('the errors of all browsers for a chunk that failed to load are recognized', async () => {
  expect(
    await collectFailures(
      [
        ['Chromium', 'Failed to fetch dynamically imported module: https://portal.test/assets/home-1.js'],
        ['Firefox', 'error loading dynamically imported module: https://portal.test/assets/home-1.js'],
        ['Safari', 'Importing a module script failed.'],
        ['Vite, for styles', 'Unable to preload CSS for /assets/home-1.css'],
      ] as const,
      JSON.stringify,
      ([, message]) => {
        expect(isChunkFailure(new TypeError(message))).toBe(true)
      },
    ),
  ).toEqual([])
})

test('other errors are not taken for a chunk that failed to load', async () => {
  expect(
    await collectFailures(
      [new TypeError('Failed to fetch'), new Error('x is undefined'), 'Importing a module script failed.', null],
      String,
      (error) => {
        expect(isChunkFailure(error)).toBe(false)
      },
    ),
  ).toEqual([])
})

const LOST = new TypeError('Failed to fetch dynamically imported module: https://portal.test/assets/home-1.js')
afterEach(() => vi.unstubAllGlobals())

test('a chunk that gets lost on the way is loaded again', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(LOST).mockRejectedValueOnce(LOST).mockResolvedValue('module')
  expect(await loadChunk(load)).toBe('module')
  expect(load).toHaveBeenCalledTimes(3)
})

test('a chunk that the server no longer has fails at once', async () => {
  const asked = vi.fn(async (_url: string) => new Response('', { status: 404 }))
  vi.stubGlobal('fetch', asked)
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(LOST)
  await expect(loadChunk(load)).rejects.toBe(LOST)
  expect(load).toHaveBeenCalledOnce()
  expect(asked.mock.calls[0]?.[0]).toBe('https://portal.test/assets/home-1.js')
})

test('a component that was loaded before is rendered without the fallback', async () => {
  const load = vi.fn(async () => ({ default: () => 'loaded' }))
  await preload(load)
  expect(renderToString(createElement(Suspense, { fallback: 'fallback' }, createElement(lazy(load))))).toContain('loaded')
  expect(load).toHaveBeenCalledOnce()
})
