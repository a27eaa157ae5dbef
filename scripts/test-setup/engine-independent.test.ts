import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENGINE_INDEPENDENT, ONLY_ON, VERSION_INDEPENDENT } from './engine-independent.ts'
import { sortTests } from './pure-tests.ts'

test('each test that is left out on one engine exists and opens a database', () => {
  const { pure } = sortTests()
  const leftOut = [...ENGINE_INDEPENDENT, ...VERSION_INDEPENDENT, ...ONLY_ON.sqlite, ...ONLY_ON.postgres]
  expect(leftOut.filter((file) => !existsSync(file) || pure.includes(file))).toEqual([])
})

test('no test skips itself by the engine that it runs on', () => {
  const { others } = sortTests()
  const skipping = /\.(skipIf|runIf)\([^)]*(readEngine|hasOneWriter)/
  expect(others.filter((file) => skipping.test(readFileSync(file, 'utf8')))).toEqual([])
})
