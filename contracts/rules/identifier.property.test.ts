import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIdentifier, normalizeIdentifier, normalizeSerial } from './identifier.ts'

const digits = fc.stringMatching(/^\d{10}$/)
const serials = fc.stringMatching(/^[A-Za-z0-9]{12}$/)
const blanks = fc.stringMatching(/^[ \t\n]{0,3}$/)

test('ten digits in any accepted notation are the same identifier', () => {
  fc.assert(
    fc.property(digits, fc.constantFrom('', '-', ' '), blanks, blanks, (number, between, before, after) => {
      expect(normalizeIdentifier(`${before}${number.slice(0, 8)}${between}${number.slice(8)}${after}`)).toBe(number)
      expect(normalizeIdentifier(formatIdentifier(number))).toBe(number)
    }),
  )
})

test('whatever is accepted as an identifier has exactly its ten digits', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d -]{8,13}$/)), (text) => {
      const number = normalizeIdentifier(text)
      expect(number === null || /^[0-9]{10}$/.test(number)).toBe(true)
      if (number !== null) expect(text.replace(/[^0-9]/g, '')).toBe(number)
    }),
  )
})

test('blanks, dashes and case do not matter in an S/N', () => {
  fc.assert(
    fc.property(serials, fc.array(fc.tuple(fc.nat(12), fc.constantFrom(' ', '-', '\t')), { maxLength: 4 }), (serial, strewn) => {
      const typed = strewn.reduce((text, [at, between]) => text.slice(0, at) + between + text.slice(at), serial)
      expect(normalizeSerial(typed)).toBe(serial.toUpperCase())
      expect(normalizeSerial(typed.toLowerCase())).toBe(serial.toUpperCase())
    }),
  )
})

test('normalizing an accepted S/N again changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(serials, fc.string({ maxLength: 16 })), (text) => {
      const serial = normalizeSerial(text)
      if (serial !== null) expect([serial.length, normalizeSerial(serial)]).toEqual([12, serial])
    }),
  )
})
