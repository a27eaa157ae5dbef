import { expect, test } from 'vitest'
import { citations } from './citations.ts'

const RULES = '- **R-1.1** [A] a requirement.\n- **D-07** a decision, see R-1.1.\n'
const problemsOf = (entries: Record<string, string>) => citations(new Map(Object.entries({ 'docs/rules.md': RULES, ...entries }))).problems
const CITED = { 'server/a.ts': '/** D-07 */\n' }

test('cited rules that have a line pass', () => {
  expect(problemsOf({ ...CITED, 'web/a.test.tsx': "test('R-1.1 a thing', () => {})\n" })).toEqual([])
})

test('a cited rule without a line is reported with its place', () => {
  expect(problemsOf({ ...CITED, 'server/b.ts': 'const x = 1\n/** The reason is C-17. */\n' })).toEqual([
    'server/b.ts:2 cites C-17, which has no line in docs/rules.md',
  ])
  expect(problemsOf({ ...CITED, 'docs/other.md': 'R-1.12 holds.\n' })).toEqual([expect.stringContaining('docs/other.md:1 cites R-1.12')])
})

test('a decision that nothing cites is reported', () => {
  expect(problemsOf({})).toEqual(['docs/rules.md has D-07, which nothing cites'])
})

test('a reference to a document outside the repository is reported', () => {
  const problems = problemsOf({ ...CITED, 'server/b.ts': '/** See spec §9. */\n', 'README.md': 'as design.md says\n' })
  expect(problems).toEqual([
    'README.md:1 refers to "design.md", which is not in this repository',
    'server/b.ts:1 refers to "spec §9", which is not in this repository',
  ])
})

test('words that only look like an id are no citation', () => {
  expect(problemsOf({ ...CITED, 'server/b.ts': "const key = 'AB-12'; const model = 'LTE-M-1'; const x = 'WHD-07'\n" })).toEqual([])
})

test('without the rules the check fails', () => {
  expect(citations(new Map([['server/a.ts', '']])).problems).toEqual(['docs/rules.md is missing'])
})
