import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { fixFault } from './fix.ts'

const nine = new Date('2026-03-02T09:00:00Z')

test('a fix more than ten minutes ahead or before 2000 is rejected', async () => {
  expect(
    await collectFailures(
      [
        ['2026-03-02T09:00:00Z', null],
        ['2026-03-02T09:10:00Z', null],
        ['2026-03-02T09:10:01Z', 'in_the_future'],
        ['9999-12-31T23:59:59Z', 'in_the_future'],
        ['2000-01-01T00:00:00Z', null],
        ['1999-12-31T23:59:59Z', 'too_old'],
        ['1970-01-01T00:00:00Z', 'too_old'],
        ['0000-01-01T00:00:00Z', 'too_old'],
      ] as const,
      ([row]) => row,
      ([datetime, fault]) => {
        expect(fixFault(Date.parse(datetime), nine)).toBe(fault)
      },
    ),
  ).toEqual([])
})
