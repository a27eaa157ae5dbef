import { expect, test } from 'vitest'
import { isChunkFailure } from './chunk.ts'

test.each([
  ['Chromium', 'Failed to fetch dynamically imported module: https://portal.test/assets/home-1.js'],
  ['Firefox', 'error loading dynamically imported module: https://portal.test/assets/home-1.js'],
  ['Safari', 'Importing a module script failed.'],
  ['Vite, for styles', 'Unable to preload CSS for /assets/home-1.css'],
])('D-07: %s says that a chunk did not load', (_, message) => {
  expect(isChunkFailure(new TypeError(message))).toBe(true)
})

test.each([new TypeError('Failed to fetch'), new Error('x is undefined'), 'Importing a module script failed.', null])(
  '%s is another failure',
  (error) => {
    expect(isChunkFailure(error)).toBe(false)
  },
)
