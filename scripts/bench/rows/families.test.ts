import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { families } from './families.ts'

const ids = Object.values(families)
  .flat()
  .map(({ id }) => id)

test('docs/performance.md has a table row for every measured row, and for no other', () => {
  const text = readFileSync('docs/performance.md', 'utf8')
  const documented = [...text.matchAll(/^\| ([A-Z]\d(?:\/[\w-]+)?) \|/gm)].map(([, id]) => id)
  expect(documented.sort()).toEqual([...ids].sort())
})

test('every row has a unique id', () => {
  expect(new Set(ids).size).toBe(ids.length)
})
