/** Runs all tests in order: static checks, Vitest, browser tests. Stops at the first failure. */
import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { browsers } from '#e2e/chromium.ts'
import { type Counts, describeBrowsers, readPlaywright, readVitest, runSteps, type Step, sumCounts } from '#scripts/test/steps.ts'

const VITEST = '.cache/vitest.json'
/** Tests record here which responses they saw; only a complete run shows which were never seen. */
const ANSWERS = '.cache/answers'
const PLAYWRIGHT = 'test-results/report.json'

const steps: Step[] = [
  { name: 'check', command: 'tsx', args: ['scripts/check.ts'] },
  {
    name: 'vitest',
    command: 'vitest',
    args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${VITEST}`],
    counts: () => readVitest(VITEST),
  },
  { name: 'answers', command: 'tsx', args: ['scripts/answers.ts'] },
  { name: 'playwright', command: 'playwright', args: ['test'], counts: () => readPlaywright(PLAYWRIGHT) },
]

rmSync(ANSWERS, { recursive: true, force: true })
mkdirSync(ANSWERS, { recursive: true })
process.env.ANSWERS_DIR = resolve(ANSWERS)
for (const report of [VITEST, PLAYWRIGHT]) rmSync(report, { force: true })

const counted: Counts[] = []
const stoppedAt = runSteps(steps, (counts) => counted.push(counts))
const { passed, failed } = sumCounts(counted)
console.log(`\nbrowsers: ${describeBrowsers(browsers)}`)
if (stoppedAt) console.error(`\ntest: stopped at ${stoppedAt}`)
// A failed step without a failed test counts as one failure, so that this line never reads like success.
console.log(`\n${passed} passed, ${stoppedAt && failed === 0 ? 1 : failed} failed`)
process.exit(stoppedAt ? 1 : 0)
