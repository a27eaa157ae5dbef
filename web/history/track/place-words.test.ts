import { expect, test } from 'vitest'
import { csvName, shortAddress } from './place-words.ts'

test.each([
  ['Calle Uno 1, Centro, Montevideo', 'Calle Uno 1'],
  ['Plaza Virgilio', 'Plaza Virgilio'],
  ['', null],
  [', Centro', null],
  [null, null],
  [undefined, null],
])('R-1.8 the address %j is shortened to %j', (address, short) => expect(shortAddress(address)).toBe(short))

test('R-1.14 the exported file is named after tracker and days', () => {
  expect(csvName('Rex', '2026-02-20', '2026-02-21')).toBe('Rex_2026-02-20_2026-02-21.csv')
  expect(csvName('a/b:"c"', '2026-02-20', '2026-02-20')).toBe('a-b-c-_2026-02-20_2026-02-20.csv')
})
