import { expect, test } from 'vitest'
import { readProjectFiles } from '#scripts/check/files.ts'
import { findCode, PLANTED_BUGS } from './planted-bugs.ts'

test('the code of each planted mistake exists once', () => {
  const files = readProjectFiles()
  const places = PLANTED_BUGS.map(([code]) => {
    const found = findCode(code, files)
    return [code, found.length, found[0]?.[1].split(code).length]
  })
  expect(places).toEqual(PLANTED_BUGS.map(([code]) => [code, 1, 2]))
})
