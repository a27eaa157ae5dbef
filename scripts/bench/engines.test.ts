import { expect, test } from 'vitest'
import { formatCosts, formatRates } from './engines.ts'

test('runs are shown side by side, and the last is compared with the first', () => {
  const rates = (perSecond: number) => [{ name: 'list of trackers', unit: 'requests', perSecond }]
  expect(formatRates({ SQLite: rates(1000), PostgreSQL: rates(1499.7) }).split('\n')).toEqual([
    '|  |  | SQLite | PostgreSQL | last / first |',
    '| --- | --- | --- | --- | --- |',
    '| list of trackers | requests/s | 1,000 | 1,500 | 1.50 |',
  ])
})

test('the processor time of the servers and the database is shown for each run', () => {
  const rates = (serverUs: number, databaseUs: number) => [{ name: 'list', unit: 'requests', perSecond: 1, serverUs, databaseUs }]
  expect(
    formatCosts({ SQLite: rates(84.2, 0), PostgreSQL: rates(412.6, 3.25) })
      .split('\n')
      .at(-1),
  ).toBe('| list | µs/request | 84 | 0.0 | 413 | 3.3 |')
})
