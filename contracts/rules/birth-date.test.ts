import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isBirthDate } from './birth-date.ts'

test('R-3.47 a birth date is a calendar day from 1900 until today', async () => {
  expect(
    await collectFailures(
      [
        ['1900-01-01', true],
        ['1984-02-29', true],
        ['2026-03-01', true],
        ['2026-03-02', false],
        ['1899-12-31', false],
        ['1985-02-29', false],
        ['2000-13-01', false],
        ['2000-00-10', false],
        ['01.02.2000', false],
        ['2000-1-1', false],
        ['2000-01-01T00:00:00Z', false],
        ['', false],
      ] as const,
      ([row]) => row,
      ([text, isValid]) => {
        expect(isBirthDate(text, new Date('2026-03-01T08:00:00Z'))).toBe(isValid)
      },
    ),
  ).toEqual([])
})
