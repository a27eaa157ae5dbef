import { expect, test } from 'vitest'
import { describeDependence } from './module-cache.ts'

test('a module that lists files with import.meta.glob is transformed again in each run, with or without a type argument', () => {
  expect(describeDependence({ sourceCode: "const files = import.meta.glob('../*.ts')" })).toBe(false)
  expect(describeDependence({ sourceCode: "const files = import.meta.glob<{ default: string }>('../*.ts')" })).toBe(false)
})

test('any other module is taken from the cache for as long as package.json and tsconfig.json stay the same', () => {
  expect(describeDependence({ sourceCode: 'export const one = 1' })).toMatch(/^[0-9a-f]{40}$/)
})
