import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  foldCase,
  formatIdentifier,
  normalizeAddress,
  normalizeCode,
  normalizeDeviceKey,
  normalizeIdentifier,
  normalizeKey,
  normalizeLine,
  normalizeLogin,
  normalizeParagraphs,
  normalizePassword,
  normalizePhone,
  normalizeSerial,
  normalizeVerificationCode,
} from './text.ts'

type Rows = readonly (readonly [typed: string, stored: string])[]

const checkAll = (normalize: (text: string) => string | null, rows: Rows) =>
  collectFailures(
    rows,
    ([typed]) => JSON.stringify(typed),
    ([typed, stored]) => expect(normalize(typed)).toBe(stored),
  )

test('a name is stored on one line and in NFC, without invisible characters', async () => {
  expect(
    await checkAll(normalizeLine, [
      [' Rex ', 'Rex'],
      ['Ve\u0301lo', 'V\u00e9lo'],
      ['\u1112\u1161\u11ab', '\ud55c'],
      ['Vet\n5', 'Vet 5'],
      ['Vet\r\n\t5', 'Vet 5'],
      ['Vet \u2028 5', 'Vet 5'],
      ['\ufeffRe\u00adx\u200b', 'Rex'],
      ['Re\u200c\u200dx', 'Rex'],
      ['\u202eRex\u202c \u2066b\u2069', 'Rex b'],
      ['\u200fRex\u200e\u061c', 'Rex'],
      ['R\u0000e\u0007x\u007f', 'Rex'],
      ['Rex \ud83d', 'Rex'],
      ['R\ufe0fe\u{e0041}x', 'Rex'],
      ['e\u200b\u0301', '\u00e9'],
      ['山田\u3000太郎', '山田\u3000太郎'],
      ["O'Hara – 50\u00a0W", "O'Hara – 50\u00a0W"],
    ]),
  ).toEqual([])
})

test('joiners and selectors are preserved where they shape a word or an emoji', async () => {
  const names = [
    'می\u200cخواهم',
    'ക്\u200d',
    'श्री\u200cमान',
    'ශ්\u200dරී',
    'ক্\u200cষ',
    '👩🏽\u200d🚀',
    '👨\u200d👩\u200d👧',
    '🏳️\u200d🌈',
    '❤️\u200d🔥',
    '1️⃣',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '葛\u{e0100}',
    '☎️',
    '🇺🇾',
  ]
  expect(await collectFailures(names, JSON.stringify, (name) => expect(normalizeLine(name)).toBe(name.normalize('NFC')))).toEqual([])
})

const NOTHING = [
  '',
  ' ',
  '\u200b',
  '\u00a0',
  '\u3000',
  '\u202e\u202c',
  '\u2066\u2069',
  '\u00ad',
  '\ufeff',
  '\u3164',
  '\u115f\u1160',
  '\uffa0',
  '\u2800',
  '\ufe0f',
  '\u200d\u200d',
  '\u0301',
  '\n\t',
  '\u0000',
  '\ud800',
  '\u180e',
  '\u{e0020}',
]

test('a text without visible characters is empty', async () => {
  for (const normalize of [normalizeLine, normalizeParagraphs])
    expect(
      await checkAll(
        normalize,
        NOTHING.map((text) => [text, ''] as const),
      ),
    ).toEqual([])
})

test('a text of several lines keeps its line breaks but no other invisible characters', async () => {
  expect(
    await checkAll(normalizeParagraphs, [
      ['The lock\r\nwas cut.\u200b', 'The lock\nwas cut.'],
      ['a\u2028b\rc\n\nd', 'a\nb\nc\n\nd'],
      ['a\tb\u202e', 'a b'],
    ]),
  ).toEqual([])
})

test('normalizing a text again changes nothing', () => {
  const pieces = fc.constantFrom(
    'a',
    'é',
    'e',
    '\u0301',
    '\u200d',
    '\u200c',
    '\ufe0f',
    '👩',
    '🚀',
    'ക',
    '്',
    '\u202e',
    '\n',
    ' ',
    '\u3164',
    '@',
    '-',
    '１',
    'ü',
    '.',
  )
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  )
  for (const normalize of [
    normalizeLine,
    normalizeParagraphs,
    normalizePhone,
    normalizePassword,
    normalizeAddress,
    normalizeLogin,
    foldCase,
  ])
    fc.assert(
      fc.property(texts, (text) => normalize(normalize(text)) === normalize(text)),
      { numRuns: 500 },
    )
})

test('an e-mail address and its domain are the same in every notation', async () => {
  const stored = 'anna@xn--mller-kva.example'
  const spellings = [
    'anna@müller.example',
    'anna@mu\u0308ller.example',
    'ANNA@MÜLLER.Example',
    ' anna@xn--mller-kva.example\u200b',
    'anna@XN--MLLER-KVA.example',
    'ａｎｎａ＠müller．example',
    'anna@müller。example',
    'an\u00adna@mü\u200bller.example\u00a0',
  ]
  expect(
    await checkAll(
      normalizeAddress,
      spellings.map((text) => [text, stored] as const),
    ),
  ).toEqual([])
  expect(
    await checkAll(
      normalizeLogin,
      spellings.map((text) => [text, stored] as const),
    ),
  ).toEqual([])
  expect(
    await checkAll(normalizeAddress, [
      ['jose\u0301@correo.es', 'josé@correo.es'],
      ['x@straße.example', 'x@xn--strae-oqa.example'],
      ['x@παράδειγμα.δοκιμή', 'x@xn--hxajbheg2az3al.xn--jxalpdlp'],
      ['春@例え.jp', '春@xn--r8jz45g.jp'],
      ['x@müller.example/evil.example', 'x@'],
      ['x@\u0301.example', 'x@'],
      ['no address', 'no address'],
    ]),
  ).toEqual([])
})

test('a user name is the same in any case and accent encoding', async () => {
  expect(
    await checkAll(normalizeLogin, [
      [' Rene\u0301\u200b ', 'rené'],
      ['ANNA', 'anna'],
    ]),
  ).toEqual([])
})

test('a password is the same from every keyboard, and otherwise unchanged', async () => {
  expect(
    await checkAll(normalizePassword, [
      ['Pa\u0308ss\u00a0wort\u3000', 'Päss wort '],
      ['a\u200bb', 'a\u200bb'],
    ]),
  ).toEqual([])
})

const BLANKS = [' ', '\u00a0', '\u2007', '\u2009', '\u202f', '\u3000', '\t', '\n', '\u200b', '\u2060', '\ufeff', '\u00ad']
const DASHES = ['-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\ufe58', '\ufe63', '\uff0d', '\u30fc']

test('blanks and dashes of any kind do not matter in a code', async () => {
  const between = [...BLANKS, ...DASHES, ' \u2013 ']
  const failures = await collectFailures(between, JSON.stringify, (sign) => {
    expect(normalizeIdentifier(`12345678${sign}90`)).toBe('1234567890')
    expect(normalizeIdentifier(`${sign}1234${sign}5678${sign}90`)).toBe('1234567890')
    expect(normalizeSerial(`alice${sign}0000${sign}001`)).toBe('ALICE0000001')
    expect(normalizeVerificationCode(`link${sign}2026`)).toBe('LINK2026')
    expect(normalizeCode(`123${sign}456`)).toBe('123456')
    expect(normalizeDeviceKey(` ${'AB12'.repeat(5)}${sign}${'cd34'.repeat(5)}`)).toBe('ab12'.repeat(5) + 'cd34'.repeat(5))
  })
  expect(failures).toEqual([])
})

test('digits and Latin letters are recognised in every width, digits in every script', async () => {
  expect(
    await checkAll(normalizeCode, [
      ['１２３ＡＢｃ', '123ABc'],
      ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
      ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
      ['०१२३४५६७८९', '0123456789'],
      ['๐๑๒๓๔๕๖๗๘๙', '0123456789'],
    ]),
  ).toEqual([])
})

test('in a pasted key dashes become hyphens, and blanks are removed', async () => {
  expect(
    await checkAll(normalizeKey, [
      [' 0b1e\u20117c2d\u20139 \u200b', '0b1e-7c2d-9'],
      ['a_b.c-d', 'a_b.c-d'],
    ]),
  ).toEqual([])
})

test('a phone number has plain digits, blanks and hyphens', async () => {
  expect(
    await checkAll(normalizePhone, [
      ['+598\u00a099\u2011123\u2013456', '+598 99-123-456'],
      ['＋５９８（９９）１２３', '+598(99)123'],
      ['\u202a+598 99 123\u202c', '+598 99 123'],
      ['٠٩٩', '099'],
    ]),
  ).toEqual([])
})

test('a search ignores case, accents, width and invisible characters', async () => {
  expect(
    await checkAll(foldCase, [
      ['VÉLO\u200b', 'velo'],
      ['می\u200cخواهم', 'میخواهم'],
      ['Ｒｅｘ', 'rex'],
    ]),
  ).toEqual([])
})

test('R-5.8 R-9.5 an identifier may be typed with a dash, a blank or neither', async () => {
  expect(
    await collectFailures(['12345678-90', ' 1234567890 ', '12345678 90', '1234567890', '1234 5678 90'] as const, JSON.stringify, (text) => {
      expect(normalizeIdentifier(text)).toBe('1234567890')
    }),
  ).toEqual([])
})

test('R-8.6 R-5.8 anything other than 8+2 digits is an invalid ID', async () => {
  expect(
    await collectFailures(
      ['123456789', '12345678901', '1234567A90', '12345678_90', '12345678/90', 'ID 1234567890', '', '\u200b', '1234567890\n1'] as const,
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

test('every accepted identifier keeps exactly its ten digits', () => {
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
