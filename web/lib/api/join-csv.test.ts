import { expect, test } from 'vitest'
import { countRows, joinCsv } from './join-csv.ts'

test('files are joined under one head with the name of the tracker first, and a name is never a formula', () => {
  const files = [
    { name: 'Rex', text: '\uFEFFdatetime,address\r\n2026-03-01,"Plaza\n2"\r\n2026-03-02,Home\r\n' },
    { name: 'Empty', text: '\uFEFFdatetime,address\r\n' },
    { name: '=1+"2"', text: '\uFEFFdatetime,address\r\n2026-03-03,\r\n' },
  ]
  expect(joinCsv(files, 'Tracker')).toBe(
    '\uFEFF"Tracker",datetime,address\r\n"Rex",2026-03-01,"Plaza\n2"\r\n"Rex",2026-03-02,Home\r\n"\'=1+""2""",2026-03-03,\r\n',
  )
  expect(files.map(({ text }) => countRows(text))).toEqual([2, 0, 1])
})
