import { createElement, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { importWithFiles, isChunkFailure, lazy, loadChunk, preload } from './chunk.ts'

test('the errors of all browsers for a chunk that failed to load are recognized', async () => {
  expect(
    await collectFailures(
      [
        ['Chromium', 'Failed to fetch dynamically imported module: https://portal.test/assets/home-1.js'],
        ['Firefox', 'error loading dynamically imported module: https://portal.test/assets/home-1.js'],
        ['Safari', 'Importing a module script failed.'],
        ['ours, for files', 'Unable to load the file /assets/home-1.css'],
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

test('a lost chunk is loaded again', async () => {
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

/** A response whose body breaks off. */
const cutAnswer = () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) }))

test('a lost script, even a partial one, is fetched again until it is complete, and only then its chunk is imported', async () => {
  const answers = [() => Promise.reject(new TypeError('Failed to fetch')), async () => cutAnswer(), async () => cutAnswer()]
  const fetchFile = vi.fn(async (_file: string) => (answers.shift() ?? (async () => new Response('export {}')))())
  vi.stubGlobal('fetch', fetchFile)
  const load = vi.fn(async () => answers.length)
  expect(await importWithFiles(load, ['assets/lost-1.js'])).toBe(0)
  expect(load).toHaveBeenCalledOnce()
  expect(new Set(fetchFile.mock.calls.flat())).toEqual(new Set(['/assets/lost-1.js']))
})

test('a script that the server no longer has fails without an import, and the portal looks for a newer build', async () => {
  const target = new EventTarget()
  const lost = vi.fn()
  target.addEventListener('chunklost', lost)
  vi.stubGlobal('window', target)
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }))
  const load = vi.fn(async () => 'module')
  await expect(importWithFiles(load, ['assets/gone-1.js'])).rejects.toThrow('Unable to load the file /assets/gone-1.js')
  expect([load, lost].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
})

test('a component that was loaded before is rendered without the fallback', async () => {
  const load = vi.fn(async () => ({ default: () => 'loaded' }))
  await preload(load)
  expect(renderToString(createElement(Suspense, { fallback: 'fallback' }, createElement(lazy(load))))).toContain('loaded')
  expect(load).toHaveBeenCalledOnce()
})
