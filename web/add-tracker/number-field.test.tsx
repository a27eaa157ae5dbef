import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { formatTypedIdentifier } from './number-field.tsx'

const INPUTS: [string, string][] = [
  ['1234', '1234'],
  ['12345678', '12345678'],
  ['123456789', '12345678-9'],
  ['12345678-', '12345678'],
  ['1234567890', '12345678-90'],
  [' 12345678 90 ', '12345678-90'],
  ['12345678-90', '12345678-90'],
  ['12345678901', '12345678-901'],
  ['12-34567890', '12345678-90'],
  ['１２３４５６７８９０', '12345678-90'],
  ['1234 5678 90', '12345678-90'],
  ['12345678–9', '12345678-9'],
  ['1234567\u20118', '12345678'],
  ['ID 1234567890', 'ID 1234567890'],
  ['FACTORY00001', 'FACTORY00001'],
]

test('the dash of an identifier is inserted while typing, and other text stays unchanged', async () => {
  const failures = await collectFailures(
    INPUTS,
    ([typed]) => JSON.stringify(typed),
    ([typed, shown]) => expect(formatTypedIdentifier(typed)).toBe(shown),
  )
  expect(failures).toEqual([])
})
