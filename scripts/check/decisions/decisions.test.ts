import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { checkDecisions } from './decisions.ts'

const SOUND = {
  'docs/decisions/001-worlds.md':
    '# 001 Worlds\n\n2026-11-21, accepted; extended by [002](002-jobs.md); the first point replaced by [004](004-mail.md)\n',
  'docs/decisions/002-jobs.md': '# 002 Jobs\n\n2026-11-22, accepted; extends [001](001-worlds.md)\n\n**Context.** …\n',
  'docs/decisions/004-mail.md': '# 004 Mail\n\n2026-11-23, accepted; replaces the first point of [001](001-worlds.md)\n',
  'docs/decisions/README.md': `# Decisions

| No. | Title | What was decided |
|---|---|---|
| 001 | [Worlds](001-worlds.md) | A world has its own database. |
| 002 | [Jobs](002-jobs.md) | A job asks the database what is due. |
| 004 | [Mail](004-mail.md) | Mails are claimed. |

## Numbers without a record

003 was set aside and never used.
`,
}
type Name = keyof typeof SOUND

const INDEX = 'docs/decisions/README.md'
const WORLDS = 'docs/decisions/001-worlds.md'
const JOBS = 'docs/decisions/002-jobs.md'
const MAIL = 'docs/decisions/004-mail.md'

/** The valid records, with `before` replaced by `after` in one file. */
const plant = (name: Name, before: string, after: string) => {
  expect(SOUND[name]).toContain(before)
  return new Map(Object.entries({ ...SOUND, [name]: SOUND[name].replace(before, after) }))
}

test('records in the right form with a complete index pass', () => {
  expect(checkDecisions(new Map(Object.entries(SOUND)))).toEqual({ fileCount: 3, problems: [], remark: '2 relations' })
})

const MISTAKES: [mistake: string, name: Name, before: string, after: string, problem: string][] = [
  ['a number that differs from the file name', JOBS, '# 002', '# 003', `${JOBS}:1 must be "# 002 Title"`],
  ['a colon after the number', JOBS, '# 002 ', '# 002: ', `${JOBS}:1 must be "# 002 Title"`],
  ['a date without a day', JOBS, '2026-11-22', '2026-11', `${JOBS}:3 must be "YYYY-MM-DD, accepted"`],
  ['no status', JOBS, ', accepted', '', `${JOBS}:3 must be "YYYY-MM-DD, accepted"`],
  ['a relation without a link', JOBS, '[001](001-worlds.md)', '001', `${JOBS}:3 has "extends 001"`],
  ['a relation in other words', JOBS, 'extends', 'changes', `${JOBS}:3 has "changes [001](001-worlds.md)"`],
  ['a relation that only the newer record names', WORLDS, '; extended by [002](002-jobs.md)', '', `${WORLDS}:3 lacks "extended by [002]`],
  ['a relation that only the older record names', JOBS, '; extends [001](001-worlds.md)', '', `${JOBS}:3 lacks "extends [001]`],
  [
    'a replaced point that the other record names otherwise',
    MAIL,
    'the first',
    'the last',
    `${WORLDS}:3 lacks "the last point replaced by`,
  ],
  ['a relation to a record that does not exist', JOBS, '[001](001-worlds.md)', '[001](001-world.md)', `${JOBS}:3 names 001`],
  [
    'a record that the index lacks',
    INDEX,
    '| 002 | [Jobs](002-jobs.md) | A job asks the database what is due. |\n',
    '',
    'lists 002-jobs.md 0 times',
  ],
  ['a record that the index has twice', INDEX, '| 004 |', '| 002 | [Jobs](002-jobs.md) | Again. |\n| 004 |', 'lists 002-jobs.md 2 times'],
  ['another title in the index', INDEX, '[Jobs]', '[Work]', 'lists 002-jobs.md with another number or title than "Jobs"'],
  [
    'an index row without a record',
    INDEX,
    '| 004 |',
    '| 003 | [Gone](003-gone.md) | Gone. |\n| 004 |',
    'lists 003-gone.md, which does not exist',
  ],
  ['an index sentence over 100 characters', INDEX, 'Mails', 'Mails and mails '.repeat(7), 'describes 004 in'],
  ['a missing number without an explanation', INDEX, '003 was', 'Nothing was', 'why there is no 003'],
  ['an explanation for a number that exists', INDEX, '003 was', '003 and 004 were', 'explains why there is no 004, which exists'],
]

test('every planted mistake in a record or in the index is reported', async () => {
  expect(
    await collectFailures(
      MISTAKES,
      ([mistake]) => mistake,
      ([, name, before, after, problem]) => expect(checkDecisions(plant(name, before, after)).problems.join('\n')).toContain(problem),
    ),
  ).toEqual([])
})

test('two records of one number and a file with another kind of name are reported', () => {
  const more = { 'docs/decisions/002-work.md': '# 002 Work\n\n2026-11-22, accepted\n', 'docs/decisions/notes.md': '# Notes\n' }
  const problems = checkDecisions(new Map(Object.entries({ ...SOUND, ...more }))).problems.join('\n')
  expect(problems).toContain('docs/decisions/ has 002 twice')
  expect(problems).toContain('docs/decisions/notes.md has no name such as 042-passkeys.md')
})
