import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isChunkFailure } from './chunk.ts'

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
