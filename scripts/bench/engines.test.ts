import { expect, test } from 'vitest'
import { formatRates } from './engines.ts'

test('runs are shown side by side, and the last is compared with the first', () => {
  const rates = (perSecond: number) => [{ name: 'list of trackers', unit: 'requests', perSecond }]
  expect(formatRates({ SQLite: rates(1000), PostgreSQL: rates(1499.7) }).split('\n')).toEqual([
    '|  |  | SQLite | PostgreSQL | last / first |',
    '| --- | --- | --- | --- | --- |',
    '| list of trackers | requests/s | 1,000 | 1,500 | 1.50 |',
  ])
})
