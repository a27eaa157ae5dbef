import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { checkSubjects, listSubjectProblems, PREFIXES } from './subjects.ts'

/** A repository in its own folder with one commit per row. */
const createRepository = (commits: { subject: string; date: string }[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'whereabouts-subjects-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const git = (args: string[], date = '2030-01-01T00:00:00Z') =>
    execFileSync('git', ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.com', ...args], {
      cwd: folder,
      env: {
        ...process.env,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CEILING_DIRECTORIES: tmpdir(),
      },
      stdio: 'ignore',
    })
  git(['init', '-b', 'main'])
  for (const { subject, date } of commits) git(['commit', '--allow-empty', '-m', subject], date)
  return { folder, git }
}

test('each kind of bad subject is rejected, and good ones are accepted', async () => {
  const rows = [
    { subject: 'links: refuse a sixth link', problem: '' },
    { subject: 'sign-in: end the old session first', problem: '' },
    { subject: `links: refuse ${'x'.repeat(60)}`, problem: 'has 74 characters, at most 72 allowed' },
    { subject: 'refuse a sixth link', problem: 'needs the form' },
    { subject: 'lynx: refuse a sixth link', problem: 'unknown prefix lynx' },
    { subject: 'links: a sixth link is refused', problem: 'begins with "a" instead of a verb' },
    { subject: 'links: Refuse a sixth link', problem: 'begins with "Refuse"' },
    { subject: 'links: refuse a sixth link; mail: retry', problem: 'one topic a commit' },
    { subject: 'links: refuse a sixth link.', problem: 'one topic a commit' },
  ]
  expect(
    await collectFailures(
      rows,
      ({ subject }) => subject,
      ({ subject, problem }) =>
        problem === ''
          ? expect(listSubjectProblems(subject)).toEqual([])
          : expect(listSubjectProblems(subject)).toEqual([expect.stringContaining(problem)]),
    ),
  ).toEqual([])
})

test('commits before the baseline are not checked, later ones are reported by hash and subject', async () => {
  const { folder } = createRepository([
    { subject: 'anything at all', date: '2026-11-01T00:00:00Z' },
    { subject: 'links: refuse a sixth link', date: '2030-01-01T00:00:00Z' },
    { subject: 'the sixth link', date: '2030-01-02T00:00:00Z' },
  ])
  const { fileCount, problems } = await checkSubjects(folder)
  expect(fileCount).toBe(2)
  expect(problems).toEqual([expect.stringMatching(/^[0-9a-f]{7,} "the sixth link" needs the form/)])
})

test("commits that the origin's main branch has are not checked", async () => {
  const { folder, git } = createRepository([{ subject: 'the sixth link', date: '2030-01-01T00:00:00Z' }])
  git(['update-ref', 'refs/remotes/origin/main', 'HEAD'])
  expect((await checkSubjects(folder)).skipped).toContain('no new commit')
  git(['commit', '--allow-empty', '-m', 'the seventh link'])
  expect((await checkSubjects(folder)).problems.join()).toContain('the seventh link')
})

test('merges and reverts keep the subject that git gives them', async () => {
  const { folder } = createRepository([
    { subject: 'Revert "links: refuse a sixth link"', date: '2030-01-01T00:00:00Z' },
    { subject: 'links: refuse a sixth link', date: '2030-01-01T00:00:00Z' },
  ])
  expect(await checkSubjects(folder)).toMatchObject({ fileCount: 1, problems: [] })
})

test('a repository without commits and a folder outside any repository skip the check', async () => {
  expect((await checkSubjects(createRepository([]).folder)).skipped).toBe('there is no history of commits')
  const folder = mkdtempSync(join(tmpdir(), 'whereabouts-subjects-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  expect((await checkSubjects(folder)).skipped).toBe('there is no history of commits')
})

test('a machine without git skips the check', async () => {
  const { PATH } = process.env
  onTestFinished(() => {
    process.env.PATH = PATH
  })
  process.env.PATH = ''
  expect((await checkSubjects()).skipped).toBe('there is no history of commits')
})

test('no prefix is listed twice', () => {
  expect(PREFIXES).toEqual([...new Set(PREFIXES)])
})
