import { describe, expect, test } from 'vitest'
import { codeOfStep, findStep, presentTotpSecret, stepAt } from './codes.ts'

/** The ASCII text 12345678901234567890 of both RFCs. */
const SECRET = '3132333435363738393031323334353637383930'

describe('one-time codes', () => {
  test.each([
    [0, '755224'],
    [1, '287082'],
    [2, '359152'],
    [3, '969429'],
    [4, '338314'],
    [5, '254676'],
    [6, '287922'],
    [7, '162583'],
    [8, '399871'],
    [9, '520489'],
  ])('RFC 4226: the code of counter %i is %s', (counter, code) => {
    expect(codeOfStep(SECRET, counter)).toBe(code)
  })

  // The last six of the eight digits in the RFC.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('RFC 6238: the code of second %i is %s', (second, code) => {
    expect(codeOfStep(SECRET, stepAt(new Date(second * 1000)))).toBe(code)
  })

  test('a code is accepted half a minute before and after its own, and not beyond', () => {
    const now = new Date('2026-03-02T09:00:00Z')
    const step = stepAt(now)
    for (const away of [-1, 0, 1]) expect(findStep(SECRET, codeOfStep(SECRET, step + away), now)).toBe(step + away)
    for (const away of [-2, 2]) expect(findStep(SECRET, codeOfStep(SECRET, step + away), now)).toBeUndefined()
  })

  test('blanks in a typed code do not matter, and texts that are not a code are wrong', () => {
    const now = new Date(59_000)
    for (const typed of [' 287 082 ', '287\u00a0082', '287\u2013082', '２８７０８２', '٢٨٧٠٨٢\u200b'])
      expect(findStep(SECRET, typed, now)).toBe(1)
    for (const typed of ['', '28708', '2870822', 'abcdef', '\u200b']) expect(findStep(SECRET, typed, now)).toBeUndefined()
  })

  test('the secret is shown in base32 and as a URI with product name and e-mail', () => {
    expect(presentTotpSecret(SECRET, { issuer: 'Pet Finder', email: 'alice@example.com' })).toEqual({
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      uri: 'otpauth://totp/Pet%20Finder:alice%40example.com?issuer=Pet%20Finder&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
    })
  })
})
