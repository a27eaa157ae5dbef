import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { families } from './families.ts'

const all = Object.values(families).flat()

test('docs/performance.md has a line for every row', () => {
  const text = readFileSync('docs/performance.md', 'utf8')
  const missing = all.map(({ id }) => id.split('/')[0]!).filter((number) => !new RegExp(`\\b${number}\\b`).test(text))
  expect(missing).toEqual([])
})

test('every row has a unique id', () => {
  expect(all.length).toBeGreaterThan(20)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
})
