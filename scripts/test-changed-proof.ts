/**
 * Shows that the tests which `npm test -- --changed` selects find what all tests would find: plants mistakes one by one in a worktree of the
 * newest commit and runs the selected tests, one of which must fail. `--history 50` prints instead which share of the tests the last commits
 * would have run.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ENDPOINT, NO_RECORD, readRecord } from '#scripts/test/changed/call-record.ts'
import { workInOwnWorktree } from '#scripts/test/changed/proof/own-worktree.ts'
import { findCode, PLANTED_BUGS, type PlantedBug } from '#scripts/test/changed/proof/planted-bugs.ts'
import { readChanges, readProject } from '#scripts/test/changed/read-changes.ts'
import { type Project, type Selection, selectTests } from '#scripts/test/changed/select-tests.ts'
import { readVitest } from '#scripts/test/steps.ts'

const REPORT = '.cache/vitest-proof.json'
const QUICK_FILES = 6

const { values } = parseArgs({
  options: { history: { type: 'string' }, first: { type: 'string', default: '1' }, last: { type: 'string' } },
})

const record = readRecord()
if (!record) {
  console.error(NO_RECORD)
  process.exit(2)
}
const recorded = record.callers.filter(({ name }) => !name.startsWith(ENDPOINT))
/** Tests without a record always run; what they find proves nothing. */
const readRecorded = (): Project => ({ ...readProject(record), tests: recorded.map(({ name }) => name) })

/** Share of the recorded test files of Vitest, and of their time. */
function measureShares({ tests }: Selection) {
  const chosen = recorded.filter(({ name }) => tests.has(name))
  const sum = (all: typeof recorded) => all.reduce((seconds, each) => seconds + each.seconds, 0)
  return { files: chosen.length / recorded.length, time: sum(chosen) / sum(recorded) }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(7)
const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

function printHistory(count: number) {
  const project = readRecorded()
  const log = execFileSync('git', ['log', '--no-merges', `-${count}`, '--format=%h %s'], { encoding: 'utf8' })
  const shares = log
    .trim()
    .split('\n')
    .map((line) => {
      const hash = line.slice(0, line.indexOf(' '))
      const selection = selectTests(readChanges(`${hash}~1`, hash), project)
      const share = measureShares(selection)
      console.log(
        `${percent(share.files)} of the files, ${percent(share.time)} of the time: ${line}${selection.everything ? ` (${selection.everything})` : ''}`,
      )
      return share
    })
  console.log(
    `median of ${shares.length} commits: ${percent(median(shares.map(({ files }) => files)))} of the files, ${percent(median(shares.map(({ time }) => time)))} of the time`,
  )
}

/** Runs test files until one fails. */
async function findFailure(files: readonly string[], signal: AbortSignal) {
  if (files.length === 0) return false
  rmSync(REPORT, { force: true })
  const args = ['run', '--bail=1', '--reporter=json', `--outputFile.json=${REPORT}`, '--project=!postgres*', ...files]
  await once(spawn('vitest', args, { stdio: 'ignore', signal }), 'close')
  return readVitest(REPORT).failed > 0
}

/** Runs a few test files that take the least time before all others, since they find most mistakes. */
async function findFailureSoon(files: readonly string[], stop: AbortSignal) {
  const seconds = new Map(recorded.map((each) => [each.name, each.seconds]))
  const sorted = files.toSorted((a, b) => (seconds.get(a) ?? 0) - (seconds.get(b) ?? 0))
  return (await findFailure(sorted.slice(0, QUICK_FILES), stop)) || (await findFailure(sorted.slice(QUICK_FILES), stop))
}

/** Plants one mistake, runs the selected tests, and takes it back. */
async function findBug([code, bug]: PlantedBug, project: Project, stop: AbortSignal) {
  const [place, ...others] = findCode(code, project.files)
  if (!place || others.length > 0) return { isFound: false, says: `is in ${place ? 1 + others.length : 0} files` }
  const [path, before] = place
  const after = before.replace(code, () => bug)
  const selection = selectTests([{ path, oldPath: path, before, after }], project)
  const share = measureShares(selection)
  const files = [...selection.tests.keys()].filter((test) => !test.endsWith('.spec.ts'))
  const says = `${path}: ${files.length} files (${percent(share.files).trim()})`
  if (files.length === 0) return { isFound: false, says }
  writeFileSync(path, after)
  const isFound = await findFailureSoon(files, stop)
  writeFileSync(path, before)
  return { isFound, says }
}

async function findBugs(bugs: readonly PlantedBug[], stop: AbortSignal) {
  const project = readRecorded()
  let found = 0
  for (const bug of bugs) {
    const { isFound, says } = await findBug(bug, project, stop)
    if (isFound) found++
    console.log(`${isFound ? 'found ' : 'MISSED'} ${bug[1]}: ${says}`)
  }
  console.log(`${found} of ${bugs.length} planted mistakes were found by the selected tests`)
  if (found < bugs.length) process.exitCode = 1
}

if (values.history) printHistory(Number(values.history))
else {
  const bugs = PLANTED_BUGS.slice(Number(values.first) - 1, values.last ? Number(values.last) : undefined)
  await workInOwnWorktree((stop) => findBugs(bugs, stop))
}
