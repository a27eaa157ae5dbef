/** Runs all tests in order: static checks, Vitest, browser tests. Stops at the first failure. `--changed[=COMMIT]`: those that a change can break. */
import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { browsers } from '#e2e/chromium.ts'
import { NO_RECORD, readRecord } from '#scripts/test/changed/call-record.ts'
import { readChanges, readProject } from '#scripts/test/changed/read-changes.ts'
import { describeSelection, selectTests } from '#scripts/test/changed/select-tests.ts'
import { readTestOptions } from '#scripts/test/options.ts'
import { type Counts, describeBrowsers, readPlaywright, readVitest, runSteps, type Step, sumCounts } from '#scripts/test/steps.ts'

const VITEST = '.cache/vitest.json'
/** Tests record here which responses they saw; only a complete run shows which were never seen. */
const ANSWERS = '.cache/answers'
/** Tests record here which functions they call. */
const CALLS = '.cache/calls'
const PLAYWRIGHT = 'test-results/report.json'

const check: Step = { name: 'check', command: 'tsx', args: ['scripts/check.ts'] }
const answers: Step = { name: 'answers', command: 'tsx', args: ['scripts/answers.ts'] }
const vitest = (files: string[] = []): Step => ({
  name: 'vitest',
  command: 'vitest',
  args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${VITEST}`, ...files],
  counts: () => readVitest(VITEST),
})
const playwright = (files: string[] = []): Step => ({
  name: 'playwright',
  command: 'playwright',
  args: ['test', ...files],
  counts: () => readPlaywright(PLAYWRIGHT),
})
const record = (...args: string[]): Step => ({ name: 'record', command: 'tsx', args: ['scripts/test/changed/save-record.ts', ...args] })

const allSteps = [check, vitest(), answers, playwright()]
const recordedSteps = [check, vitest(), record(), answers, playwright(), record('--add')]

function listChangedSteps(commit: string): Step[] {
  const calls = readRecord()
  if (!calls) {
    console.error(NO_RECORD)
    process.exit(2)
  }
  const project = readProject(calls)
  const selection = selectTests(readChanges(commit), project)
  console.log(describeSelection(selection, project.tests.length))
  if (selection.everything) return recordedSteps
  const files = [...selection.tests.keys()]
  const specs = files.filter((file) => file.endsWith('.spec.ts'))
  const tests = files.filter((file) => !file.endsWith('.spec.ts'))
  return [
    check,
    ...(tests.length > 0 ? [vitest(tests), record('--add')] : []),
    ...(specs.length > 0 ? [playwright(specs), record('--add')] : []),
  ]
}

const { changedSince, isRecorded } = readTestOptions(process.argv.slice(2))
const steps = changedSince ? listChangedSteps(changedSince) : isRecorded ? recordedSteps : allSteps

for (const folder of [ANSWERS, CALLS]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}
process.env.ANSWERS_DIR = resolve(ANSWERS)
if (isRecorded) process.env.CALLS_DIR = resolve(CALLS)
for (const report of [VITEST, PLAYWRIGHT]) rmSync(report, { force: true })

const counted: Counts[] = []
const stoppedAt = runSteps(steps, (counts) => counted.push(counts))
const next = steps[steps.findIndex(({ name }) => name === stoppedAt) + 1]
// The tests that passed are recorded, even if others failed.
if (stoppedAt && next?.name === 'record') runSteps([next], () => undefined)
const { passed, failed } = sumCounts(counted)
console.log(`\nbrowsers: ${describeBrowsers(browsers)}`)
if (stoppedAt) console.error(`\ntest: stopped at ${stoppedAt}`)
// A failed step without a failed test counts as one failure, so that this line never reads like success.
console.log(`\n${passed} passed, ${stoppedAt && failed === 0 ? 1 : failed} failed`)
process.exit(stoppedAt ? 1 : 0)
