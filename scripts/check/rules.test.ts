import { expect, test } from 'vitest'
import { checkCitations, findCoveredIds, formatCoverage, parseIds, parseRequirements } from './rules.ts'

const RULES = '- **R-1.1** [A] a requirement.\n- **D-07** a decision, see R-1.1.\n'
const problemsOf = (entries: Record<string, string>) =>
  checkCitations(new Map(Object.entries({ 'docs/rules.md': RULES, ...entries }))).problems
const CITED = { 'server/a.ts': '/** D-07 */\n' }

test('a citation of a rule that has a line passes', () => {
  expect(problemsOf({ ...CITED, 'web/a.test.tsx': "test('R-1.1 a thing', () => {})\n" })).toEqual([])
})

test('a citation of a rule without a line is reported with file and line', () => {
  expect(problemsOf({ ...CITED, 'server/b.ts': 'const x = 1\n/** The reason is C-17. */\n' })).toEqual([
    'server/b.ts:2 cites C-17, which has no line in docs/rules.md',
  ])
  expect(problemsOf({ ...CITED, 'docs/other.md': 'R-1.12 holds.\n' })).toEqual([expect.stringContaining('docs/other.md:1 cites R-1.12')])
})

test('a decision that is cited nowhere is reported', () => {
  expect(problemsOf({})).toEqual(['docs/rules.md has D-07, which nothing cites'])
})

test('a reference to a document outside the repository is reported', () => {
  const problems = problemsOf({ ...CITED, 'server/b.ts': '/** See spec §9. */\n', 'README.md': 'as design.md says\n' })
  expect(problems).toEqual([
    'README.md:1 refers to "design.md", which is not in this repository',
    'server/b.ts:1 refers to "spec §9", which is not in this repository',
  ])
})

test('text that only looks like a rule id is not a citation', () => {
  expect(problemsOf({ ...CITED, 'server/b.ts': "const key = 'AB-12'; const model = 'LTE-M-1'; const x = 'WHD-07'\n" })).toEqual([])
})

test('the check fails when docs/rules.md is missing', () => {
  expect(checkCitations(new Map([['server/a.ts', '']])).problems).toEqual(['docs/rules.md is missing'])
})

const rows = parseRequirements('# Rules\n- **R-1.1** [A B] one.\n- **R-1.2** [U] two.\n\n- **D-01** a decision.\n- **R-1.10** [-] three.\n')

test('requirements are parsed with their test levels and words', () => {
  expect(rows).toEqual([
    { id: 'R-1.1', levels: ['A', 'B'], words: 'one.' },
    { id: 'R-1.2', levels: ['U'], words: 'two.' },
    { id: 'R-1.10', levels: [], words: 'three.' },
  ])
})

test('ids are parsed one by one and as ranges', () => {
  const texts = {
    'R-1.1 and R-2.3, R-2.4': ['R-1.1', 'R-2.3', 'R-2.4'],
    'R-4.6…R-4.8': ['R-4.6', 'R-4.7', 'R-4.8'],
    'R-4.9...4.10': ['R-4.9', 'R-4.10'],
    'R-4.9–11': ['R-4.9', 'R-4.10', 'R-4.11'],
    'no row': [],
  }
  expect(Object.fromEntries(Object.keys(texts).map((text) => [text, parseIds(text)]))).toEqual(texts)
})

const line = (call: string) => `${call}, () => {})\n`

test('an id counts in a test name and in a row of a table test, but not in a comment or in another file', () => {
  const texts = [
    ['server/a.test.ts', line("test('refuses, R-1.1'") + line("test.each(cases)('%s R-1.2'") + line('describe(`R-2.1…R-2.2`')],
    ['e2e/a.spec.ts', line("test('opens, R-3.1'")],
    ['web/a.test.tsx', "// R-9.9\nconst cases = { 'R-5.1 a row of a table': 1 }\n"],
    ['server/a.ts', line("test('R-8.8'")],
  ] as const
  expect([...findCoveredIds(new Map(texts))].sort()).toEqual(['R-1.1', 'R-1.2', 'R-2.1', 'R-2.2', 'R-3.1', 'R-5.1'])
})

test('the report has the share of covered rows, the open rows with their texts, and unknown ids', () => {
  expect(formatCoverage(rows, new Set(['R-1.1', 'R-7.7']))).toEqual({
    lines: ['1 of 3 requirements have a test (33 %)', 'R-1.2 U has no test: two.', 'R-1.10 has no test: three.'],
    unknownIds: ['R-7.7'],
  })
})
