import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENGINE_INDEPENDENT, VERSION_INDEPENDENT } from './engine-independent.ts'
import { sortTests } from './pure-tests.ts'

test('each test that is left out on PostgreSQL exists and opens a database', () => {
  const { pure } = sortTests()
  const leftOut = [...ENGINE_INDEPENDENT, ...VERSION_INDEPENDENT]
  expect(leftOut.filter((file) => !existsSync(file) || pure.includes(file))).toEqual([])
})
