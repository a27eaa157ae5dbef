import { expect, test } from 'vitest'
import { isChunkFailure } from './chunk.ts'

test.each([
  ['Chromium', 'Failed to fetch dynamically imported module: https://portal.test/assets/home-1.js'],
  ['Firefox', 'error loading dynamically imported module: https://portal.test/assets/home-1.js'],
  ['Safari', 'Importing a module script failed.'],
  ['Vite, for styles', 'Unable to preload CSS for /assets/home-1.css'],
])('%s is recognized as a chunk that failed to load', (_, message) => {
  expect(isChunkFailure(new TypeError(message))).toBe(true)
})

test.each([new TypeError('Failed to fetch'), new Error('x is undefined'), 'Importing a module script failed.', null])(
  '%s is not taken for a chunk that failed to load',
  (error) => {
    expect(isChunkFailure(error)).toBe(false)
  },
)
