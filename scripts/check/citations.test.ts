import { expect, test } from 'vitest'
import { citations } from './citations.ts'

const RULES = '- **R-1.1** [A] a requirement.\n- **D-07** a decision, see R-1.1.\n'
const problemsOf = (entries: Record<string, string>) => citations(new Map(Object.entries({ 'docs/rules.md': RULES, ...entries }))).problems
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
  expect(citations(new Map([['server/a.ts', '']])).problems).toEqual(['docs/rules.md is missing'])
})
