import type { Finding } from '#scripts/check/runner.ts'
import { runTool } from '#scripts/check/tools.ts'

const LONGEST_SUBJECT = 72

/** Commits before this moment are not checked. */
const BASELINE = '2026-11-28T20:30:00Z'

/** The part that a commit changes. */
export const PREFIXES = [
  // Prefixes for parts of the product.
  'account accounts alerts billing clock contacts demo devices faults finder history home host-app http import imports ingest jobs layouts links',
  'lists live mail map metrics networks operator panel payments pdf phones photos places push recovery security sessions settings sign-in',
  'stripe subscriptions tabs tags team theft tracing trackers tracking worlds',
  // Prefixes for everything else.
  'bench build check ci cli container contracts db decisions docs e2e examples har locales mock openapi package packages portal postgres release',
  'scripts server setup sqlite tests types ui web words',
].flatMap((line) => line.split(' '))

const NO_VERB = new Set(
  [
    'a about after all an and any at before both by each every for from how if in into it its no not of on one only or some that the their',
    'there this to what when where which while who with without',
  ].flatMap((line) => line.split(' ')),
)

/** Returns the problems of a commit's subject. */
export const listSubjectProblems = (subject: string) => {
  const [, prefix, words = ''] = /^([^:]+): (.*)$/.exec(subject) ?? []
  const first = words.split(' ')[0] ?? ''
  return [
    ...(subject.length > LONGEST_SUBJECT ? [`has ${subject.length} characters, at most ${LONGEST_SUBJECT} allowed`] : []),
    ...(prefix === undefined ? ['needs the form "part: verb …"'] : []),
    ...(prefix !== undefined && !PREFIXES.includes(prefix)
      ? [`has the unknown prefix ${prefix} (scripts/check/repository/subjects.ts)`]
      : []),
    ...(prefix !== undefined && (NO_VERB.has(first) || !/^[a-z]/.test(first)) ? [`begins with "${first}" instead of a verb`] : []),
    ...(/;|\. |\.$/.test(words) ? ['has more than one sentence: one topic a commit'] : []),
  ]
}

/** Subjects that git writes when commits are merged, squashed or reverted. */
const isGenerated = (subject: string) => /^(Merge|Revert|fixup!|squash!|amend!) /.test(subject)

/** Checks the subjects of the commits since the baseline that the main branch of the origin does not have yet. */
export const checkSubjects = async (cwd = '.'): Promise<Finding> => {
  const git = (...args: string[]) => runTool('git', args, { cwd })
  const skip = (skipped: string): Finding => ({ fileCount: 0, problems: [], skipped })
  const { status: unknownMain } = await git('rev-parse', '--verify', '--quiet', 'refs/remotes/origin/main')
  const landed = unknownMain === 0 ? ['^refs/remotes/origin/main'] : []
  const { status, output } = await git('log', '--no-merges', `--since=${BASELINE}`, '--format=%h %s', 'HEAD', ...landed, '--')
  if (status !== 0) return skip('there is no history of commits')
  const commits = output
    .split('\n')
    .map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }))
    .filter(({ hash, subject }) => hash !== '' && !isGenerated(subject))
  if (commits.length === 0) return skip(`no new commit since ${BASELINE}`)
  return {
    fileCount: commits.length,
    problems: commits.flatMap(({ hash, subject }) => listSubjectProblems(subject).map((problem) => `${hash} "${subject}" ${problem}`)),
    remark: 'commits',
  }
}
