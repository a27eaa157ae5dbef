import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createWordIndex } from './word-index.ts'

const matches = createWordIndex([['avenida', 'rivera'], ['riverside'], ['rio', 'rivera', 'riveras'], []])

test('a word matches names that contain it or a word it begins', async () => {
  const rows = [
    ['rivera', { 0: 'is', 2: 'is' }],
    ['river', { 0: 'begins', 1: 'begins', 2: 'begins' }],
    ['rivers', { 1: 'begins' }],
    ['riveras', { 2: 'is' }],
    ['a', { 0: 'begins' }],
    ['z', {}],
    ['riverae', {}],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([word, expected]) => {
        expect(Object.fromEntries(matches(word))).toEqual(expected)
      },
    ),
  ).toEqual([])
})
