import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIdentifier, normalizeIdentifier, normalizeSerial } from './identifier.ts'

test.each(['12345678-90', ' 1234567890 ', '12345678 90', '1234567890'])('R-5.8 R-9.5 %j is the identifier 1234567890 (W-9)', (text) => {
  expect(normalizeIdentifier(text)).toBe('1234567890')
})

test.each([
  '123456789',
  '12345678901',
  '1234567A90',
  '12-34567890',
  '12345678--90',
  '12345678_90',
  '',
  '１２３４５６７８９０',
  '1234567890\n1',
])('R-8.6 R-5.8 %j is an Invalid ID (W-9)', (text) => {
  expect(normalizeIdentifier(text)).toBeNull()
})

test('R-9.5 an identifier is printed as 8+2 digits', () => {
  expect(formatIdentifier('1234567890')).toBe('12345678-90')
})

test('R-5.8 normalizing twice, or what is printed, changes nothing', () => {
  const digits = fc.stringMatching(/^\d{8}[- ]?\d{2}$/)
  fc.assert(
    fc.property(digits, (text) => {
      const once = normalizeIdentifier(text)
      expect(once).toMatch(/^\d{10}$/)
      expect(normalizeIdentifier(once ?? '')).toBe(once)
      expect(normalizeIdentifier(formatIdentifier(once ?? ''))).toBe(once)
    }),
  )
})

test.each([
  ['ALICE0000001', 'ALICE0000001'],
  ['alice-0000 001', 'ALICE0000001'],
  [' FACT-ORY0-0001 ', 'FACTORY00001'],
  ['ALICE000001', null],
  ['ALICE00000012', null],
  ['ALICE000000!', null],
  ['ßALICE00001', null],
  ['ÄLICE0000001', null],
  ['', null],
])('R-8.7 R-5.8 S/N %j is %j (D-22)', (text, serial) => {
  expect(normalizeSerial(text)).toBe(serial)
})

test('R-5.8 an S/N normalized once stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const once = normalizeSerial(text)
      return once === null || normalizeSerial(once) === once
    }),
  )
})
