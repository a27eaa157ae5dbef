import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { formatIdentifier, normalizeIdentifier, normalizeSerial } from './identifier.ts'

test('R-5.8 R-9.5 an identifier may be typed with a dash, a blank or neither', async () => {
  expect(
    await collectFailures(['12345678-90', ' 1234567890 ', '12345678 90', '1234567890'] as const, JSON.stringify, (text) => {
      expect(normalizeIdentifier(text)).toBe('1234567890')
    }),
  ).toEqual([])
})

test('R-8.6 R-5.8 anything but 8+2 digits is an invalid ID', async () => {
  expect(
    await collectFailures(
      [
        '123456789',
        '12345678901',
        '1234567A90',
        '12-34567890',
        '12345678--90',
        '12345678_90',
        '',
        '１２３４５６７８９０',
        '1234567890\n1',
      ] as const,
      JSON.stringify,
      (text) => {
        expect(normalizeIdentifier(text)).toBeNull()
      },
    ),
  ).toEqual([])
})

test('R-9.5 an identifier is printed as 8+2 digits', () => {
  expect(formatIdentifier('1234567890')).toBe('12345678-90')
})

test('R-5.8 normalizing an identifier again, or its printed form, changes nothing', () => {
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

test('R-8.7 R-5.8 an S/N has 12 characters, ignoring case, blanks and dashes', async () => {
  expect(
    await collectFailures(
      [
        ['ALICE0000001', 'ALICE0000001'],
        ['alice-0000 001', 'ALICE0000001'],
        [' FACT-ORY0-0001 ', 'FACTORY00001'],
        ['ALICE000001', null],
        ['ALICE00000012', null],
        ['ALICE000000!', null],
        ['ßALICE00001', null],
        ['ÄLICE0000001', null],
        ['', null],
      ] as const,
      JSON.stringify,
      ([text, serial]) => {
        expect(normalizeSerial(text)).toBe(serial)
      },
    ),
  ).toEqual([])
})

test('R-5.8 normalizing an S/N again changes nothing', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const once = normalizeSerial(text)
      return once === null || normalizeSerial(once) === once
    }),
  )
})
