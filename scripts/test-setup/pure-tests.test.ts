import { expect, test } from 'vitest'
import { sortTests } from './pure-tests.ts'

const { pure, others } = sortTests()

test('a test of a rule is pure, and one that starts the server is not', () => {
  expect(pure).toContain('contracts/rules/link.test.ts')
  expect(others).toContain('server/links/links.handlers.test.ts')
})

test('a test whose helper opens the server, a database or the demo city is not pure', () => {
  expect(others).toContain('scripts/contracts/check.test.ts')
  expect(others).toContain('db/positions.test.ts')
  expect(others).toContain('server/mock/city/lookup/search.test.ts')
})

test('each test file is on one of the two lists', () => {
  expect(pure.filter((file) => others.includes(file))).toEqual([])
  expect(pure.length).toBeGreaterThan(150)
  expect(others.length).toBeGreaterThan(250)
})
