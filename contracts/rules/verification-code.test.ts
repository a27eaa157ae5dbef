import { expect, test } from 'vitest'
import { normalizeVerificationCode } from './verification-code.ts'

test.each([
  ['LINK2026', 'LINK2026'],
  [' link-2026 ', 'LINK2026'],
  ['li nk 20 26', 'LINK2026'],
  ['LINK202', null],
  ['LINK20266', null],
  ['LINK202!', null],
  ['LINK20ß', null],
  ['', null],
])('R-3.82 %j is the code %j', (text, code) => {
  expect(normalizeVerificationCode(text)).toBe(code)
})
