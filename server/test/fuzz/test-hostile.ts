import fc from 'fast-check'

/** Texts that have broken other servers. */
const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202Egnp.exe',
  '\uFEFF',
  'e\u0301'.repeat(50),
  '👩‍👩‍👧‍👦',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  '"; drop table users; --',
  '%00',
  '%',
  '%ff',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '=cmd()',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  'null',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  'x'.repeat(5000),
] as const

const NUMBERS = [0, -0, -1, 1.5, 1e99, -1e99, 1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 63), 1e21, 4e12] as const

export const hostileText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 60 }))

export const hostileNumber = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer(), fc.double())

/** Keys with a meaning in JavaScript, written as JSON. */
const POISON = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":[]}',
  '{"length":1e9}',
] as const

const deep = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

/** Any JSON value; hostile ones are more likely. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom(null, true, false, [], {}),
  fc.constantFrom(...POISON).map((text) => JSON.parse(text)),
  fc.integer({ min: 1, max: 400 }).map(deep),
  fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 40 }),
  fc.jsonValue({ maxDepth: 4 }),
)

export const brokenJson = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[',
    '"',
    '{"a":',
    '{"a":1,}',
    'nul',
    '\uFEFF{}',
    '{"a":1}{"b":2}',
    '\u0000',
    '[1,2',
    '{"__proto__":{"x":1}}',
    'NaN',
    '-',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json({ maxDepth: 3 }).map((text) => text.slice(0, -1)),
  fc.integer({ min: 1000, max: 20_000 }).map((depth) => '['.repeat(depth)),
)
