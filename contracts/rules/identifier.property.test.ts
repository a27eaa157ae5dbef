import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIdentifier, normalizeIdentifier, normalizeSerial } from './identifier.ts'

const digits = fc.stringMatching(/^\d{10}$/)
const serials = fc.stringMatching(/^[A-Za-z0-9]{12}$/)
const blanks = fc.stringMatching(/^[ \t\n]{0,3}$/)

test('D-22 however ten digits are written, they are the same identifier, also as they are printed', () => {
  fc.assert(
    fc.property(digits, fc.constantFrom('', '-', ' '), blanks, blanks, (number, between, before, after) => {
      expect(normalizeIdentifier(`${before}${number.slice(0, 8)}${between}${number.slice(8)}${after}`)).toBe(number)
      expect(normalizeIdentifier(formatIdentifier(number))).toBe(number)
    }),
  )
})

test('D-22 what is taken for an identifier has ten digits; anything else is none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d -]{8,13}$/)), (text) => {
      const number = normalizeIdentifier(text)
      expect(number === null || /^[0-9]{10}$/.test(number)).toBe(true)
      if (number !== null) expect(text.replace(/[^0-9]/g, '')).toBe(number)
    }),
  )
})

test('D-22 blanks, dashes and case are nothing to an S/N', () => {
  fc.assert(
    fc.property(serials, fc.array(fc.tuple(fc.nat(12), fc.constantFrom(' ', '-', '\t')), { maxLength: 4 }), (serial, strewn) => {
      const typed = strewn.reduce((text, [at, between]) => text.slice(0, at) + between + text.slice(at), serial)
      expect(normalizeSerial(typed)).toBe(serial.toUpperCase())
      expect(normalizeSerial(typed.toLowerCase())).toBe(serial.toUpperCase())
    }),
  )
})

test('D-22 an S/N that was taken stays the same when it is taken again', () => {
  fc.assert(
    fc.property(fc.oneof(serials, fc.string({ maxLength: 16 })), (text) => {
      const serial = normalizeSerial(text)
      if (serial !== null) expect([serial.length, normalizeSerial(serial)]).toEqual([12, serial])
    }),
  )
})
