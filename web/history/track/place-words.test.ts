import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { exportFileName, shortAddress } from './place-words.ts'

test('R-1.8 an address is shortened to street and house number', async () => {
  expect(
    await collectFailures(
      [
        ['Calle Uno 1, Centro, Montevideo', 'Calle Uno 1'],
        ['Plaza Virgilio', 'Plaza Virgilio'],
        ['', null],
        [', Centro', null],
        [null, null],
        [undefined, null],
      ] as const,
      JSON.stringify,
      ([address, short]) => expect(shortAddress(address)).toBe(short),
    ),
  ).toEqual([])
})

test('R-1.14 the exported file is named after tracker and days', () => {
  expect(exportFileName('Rex', '2026-02-20', '2026-02-21')).toBe('Rex_2026-02-20_2026-02-21.csv')
  expect(exportFileName('a/b:"c"', '2026-02-20', '2026-02-20')).toBe('a-b-c-_2026-02-20_2026-02-20.csv')
})
