import { expect, test } from 'vitest'
import { createWordIndex } from './word-index.ts'

const matches = createWordIndex([['avenida', 'rivera'], ['riverside'], ['rio', 'rivera', 'riveras'], []])

test.each([
  ['rivera', { 0: 'is', 2: 'is' }],
  ['river', { 0: 'begins', 1: 'begins', 2: 'begins' }],
  ['rivers', { 1: 'begins' }],
  ['riveras', { 2: 'is' }],
  ['a', { 0: 'begins' }],
  ['z', {}],
  ['riverae', {}],
])('%s stands in these names', (word, expected) => {
  expect(Object.fromEntries(matches(word))).toEqual(expected)
})
