import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { byName, escapeCsvCell, formatIdentifier, normalizeIdentifier, normalizeSerial, normalizeVerificationCode, tagKey } from './text.ts'

test('R-1.14 a cell that starts like a formula gets an apostrophe', async () => {
  expect(
    await collectFailures(['=1+1', '+49 30 1', '-', '@home', '\t=1'] as const, JSON.stringify, (text) => {
      expect(escapeCsvCell(text)).toBe(`'${text}`)
    }),
  ).toEqual([])
})

test('R-1.14 numbers and any other text stay unchanged', async () => {
  expect(
    await collectFailures([-34.9, 0, 85, null, 'Rex', '', ' =1', 'a=b', "'quoted"] as const, JSON.stringify, (value) => {
      expect(escapeCsvCell(value)).toBe(value)
    }),
  ).toEqual([])
})

const cells = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', "'", ' '), fc.string()).map((parts) => parts.join('')),
)

test('no cell starts like a formula, and escaping adds at most an apostrophe', () => {
  fc.assert(
    fc.property(cells, (text) => {
      const cell = escapeCsvCell(text)
      expect(cell).not.toMatch(/^[=+\-@\t]/)
      expect([text, `'${text}`]).toContain(cell)
    }),
  )
})

test('numbers and null stay unchanged', () => {
  fc.assert(fc.property(fc.oneof(fc.double(), fc.constant(null)), (value) => Object.is(escapeCsvCell(value), value)))
})

test('R-3.40 tag names that differ only in case or accent encoding are the same', async () => {
  expect(
    await collectFailures(
      [
        ['Pets', 'PETS'],
        ['Été', 'éTÉ'],
        ['ÅNGSTRÖM', 'ångström'],
        ['СОБАКИ', 'собаки'],
        ['cafe\u0301', 'café'],
      ] as const,
      String,
      ([one, other]) => expect(tagKey(one)).toBe(tagKey(other)),
    ),
  ).toEqual([])
})

test('R-3.40 tag names that differ in letters or accents are different', async () => {
  expect(
    await collectFailures(
      [
        ['Pets', 'Pet'],
        ['Élan', 'Elan'],
        ['犬', '猫'],
      ] as const,
      String,
      ([one, other]) => expect(tagKey(one)).not.toBe(tagKey(other)),
    ),
  ).toEqual([])
})

const ordered = (...names: string[]) =>
  names
    .map((name, id) => ({ id, name }))
    .sort(byName)
    .map(({ name }) => name)

test('names sort as in a dictionary: capitals and accents beside their letter', () => {
  expect(ordered('Zoo', 'école', 'apple', 'Élan', 'Banana')).toEqual(['apple', 'Banana', 'école', 'Élan', 'Zoo'])
})

test('of two equal names the older entry comes first', () => {
  const [first, second] = [
    { id: 7, name: 'Home' },
    { id: 3, name: 'Home' },
  ].sort(byName)
  expect([first?.id, second?.id]).toEqual([3, 7])
})

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

test('R-3.82 a verification code has 8 letters or digits, ignoring case, blanks and dashes', async () => {
  expect(
    await collectFailures(
      [
        ['LINK2026', 'LINK2026'],
        [' link-2026 ', 'LINK2026'],
        ['li nk 20 26', 'LINK2026'],
        ['LINK202', null],
        ['LINK20266', null],
        ['LINK202!', null],
        ['LINK20ß', null],
        ['', null],
      ] as const,
      JSON.stringify,
      ([text, code]) => {
        expect(normalizeVerificationCode(text)).toBe(code)
      },
    ),
  ).toEqual([])
})
