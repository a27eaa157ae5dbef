import { expect, test } from 'vitest'
import { typedIdentifier } from './typed-identifier.ts'

test.each([
  ['1234', '1234'],
  ['12345678', '12345678'],
  ['123456789', '12345678-9'],
  ['12345678-', '12345678'],
  ['1234567890', '12345678-90'],
  [' 12345678 90 ', '12345678-90'],
  ['12345678-90', '12345678-90'],
  ['12345678901', '12345678-901'],
  ['12-34567890', '12-34567890'],
  ['１２３４５６７８９０', '１２３４５６７８９０'],
  ['FACTORY00001', 'FACTORY00001'],
])('%j is shown as %j while it is typed', (typed, shown) => {
  expect(typedIdentifier(typed)).toBe(shown)
})
