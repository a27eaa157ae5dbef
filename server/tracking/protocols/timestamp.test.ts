import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { readTimestamp } from './report.ts'

test('timestamps are read in every supported format', async () => {
  const rows = [
    ['1377177267', '2013-08-22T13:14:27.000Z'],
    ['1377177267.9', '2013-08-22T13:14:27.900Z'],
    ['1442068686579', '2015-09-12T14:38:06.579Z'],
    ['2016-01-27T18:55:47Z', '2016-01-27T18:55:47.000Z'],
    ['2025-06-15T13:45:12.862Z', '2025-06-15T13:45:12.862Z'],
    ['2025-06-15T13:45:12', '2025-06-15T13:45:12.000Z'],
    ['2025-06-15T13:45:12+02:00', '2025-06-15T11:45:12.000Z'],
    ['2025-06-15T13:45:12-0330', '2025-06-15T17:15:12.000Z'],
    ['2014-06-04 09:10:11', '2014-06-04T09:10:11.000Z'],
    ['2025-06-15T13:45:12 02:00', '2025-06-15T11:45:12.000Z'],
    ['2025-06-15T13:45:12+02', '2025-06-15T11:45:12.000Z'],
    ['2025-06-15t13:45:12,862z', '2025-06-15T13:45:12.862Z'],
    ['1442068686579123', '2015-09-12T14:38:06.579Z'],
    ['1442068686579123456', '2015-09-12T14:38:06.579Z'],
    ['0', '1970-01-01T00:00:00.000Z'],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([text]) => text,
      ([text, at]) => {
        expect(readTimestamp(text)?.toISOString()).toBe(at)
      },
    ),
  ).toEqual([])
})

test('other texts are not read as timestamps', async () => {
  const rows = [
    '',
    'now',
    '-5',
    '1e999',
    '12:30',
    '2025-06-15',
    '2025-13-40T00:00:00Z',
    '253402300800000000000',
    '2025-06-15T13:45:12  02:00',
    'NaN',
  ]
  expect(
    await collectFailures(rows, String, (text) => {
      expect(readTimestamp(text)).toBeNull()
    }),
  ).toEqual([])
})
