import { expect, test } from 'vitest'
import { coveredRows, idsIn, parseRows, reportOf } from './requirements.ts'

const rows = parseRows('# Rules\n- **R-1.1** [A B] one.\n- **R-1.2** [U] two.\n\n- **D-01** a decision.\n- **R-1.10** [-] three.\n')

test('requirements are parsed with their test levels and words', () => {
  expect(rows).toEqual([
    { id: 'R-1.1', levels: ['A', 'B'], words: 'one.' },
    { id: 'R-1.2', levels: ['U'], words: 'two.' },
    { id: 'R-1.10', levels: [], words: 'three.' },
  ])
})

test.each([
  ['R-1.1 and R-2.3, R-2.4', ['R-1.1', 'R-2.3', 'R-2.4']],
  ['R-4.6…R-4.8', ['R-4.6', 'R-4.7', 'R-4.8']],
  ['R-4.9...4.10', ['R-4.9', 'R-4.10']],
  ['R-4.9–11', ['R-4.9', 'R-4.10', 'R-4.11']],
  ['no row', []],
])('the ids in "%s" are %j', (text, ids) => {
  expect(idsIn(text)).toEqual(ids)
})

const line = (call: string) => `${call}, () => {})\n`

test('an id counts in a test name and in a row of a table test, but not in a comment or in another file', () => {
  const texts = [
    ['server/a.test.ts', line("test('refuses, R-1.1'") + line("test.each(cases)('%s R-1.2'") + line('describe(`R-2.1…R-2.2`')],
    ['e2e/a.spec.ts', line("test('opens, R-3.1'")],
    ['web/a.test.tsx', "// R-9.9\nconst cases = { 'R-5.1 a row of a table': 1 }\n"],
    ['server/a.ts', line("test('R-8.8'")],
  ] as const
  expect([...coveredRows(new Map(texts))].sort()).toEqual(['R-1.1', 'R-1.2', 'R-2.1', 'R-2.2', 'R-3.1', 'R-5.1'])
})

test('the report has the share of covered rows, the open rows with their words, and unknown ids', () => {
  expect(reportOf(rows, new Set(['R-1.1', 'R-7.7']))).toEqual({
    lines: ['1 of 3 rows have a test (33 %)', 'R-1.2 U has none: two.', 'R-1.10 has none: three.'],
    strangers: ['R-7.7'],
  })
})
