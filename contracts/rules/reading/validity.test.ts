import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { WITH_FIX, WITHOUT_FIX } from './test-values.ts'
import { lacksFix, readBoolean } from './validity.ts'

test('every notation of "no fix" is recognised', async () => {
  expect(await collectFailures(WITHOUT_FIX, JSON.stringify, (fields) => expect(lacksFix(fields)).toBe(true))).toEqual([])
})

test('a fix is accepted, whatever unrelated fields accompany it', async () => {
  expect(await collectFailures(WITH_FIX, JSON.stringify, (fields) => expect(lacksFix(fields)).toBe(false))).toEqual([])
  expect(lacksFix({ valid: null, fix: { lat: 1 }, satellites: [] })).toBe(false)
})

test('the dilution is ignored for senders that use its field for something else', () => {
  expect([lacksFix({ hdop: 120 }, { isDilution: false }), lacksFix({ hdop: 120, valid: 0 }, { isDilution: false })]).toEqual([false, true])
})

test('a truth value is read in any notation', async () => {
  const rows: [unknown, boolean | undefined][] = [
    ...[true, 'true', 'TRUE', 1, '1', 'yes', 'Y', 'on'].map((value): [unknown, boolean] => [value, true]),
    ...[false, 'false', 0, '0', 'no', 'N', 'off', 'F'].map((value): [unknown, boolean] => [value, false]),
    ...['', 'maybe', 2, null, undefined, {}].map((value): [unknown, undefined] => [value, undefined]),
  ]
  expect(
    await collectFailures(
      rows,
      ([value]) => String(value),
      ([value, read]) => expect(readBoolean(value)).toBe(read),
    ),
  ).toEqual([])
})
