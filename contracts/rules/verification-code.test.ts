import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { normalizeVerificationCode } from './verification-code.ts'

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
