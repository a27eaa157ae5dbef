/** Repeats the browser tests in a different order each time and stops at the first failure: `npm run e2e:again -- 20`. */
import { type Counts, readPlaywright, sumOf } from '#scripts/test/counts.ts'
import { runSteps, type Step } from '#scripts/test/steps.ts'

const [wanted = '', ...args] = process.argv.slice(2)
const times = Number(wanted)
if (!Number.isInteger(times) || times < 1) {
  console.error('Say how often: npm run e2e:again -- 20. What follows goes to Playwright.')
  process.exit(2)
}

const run = (_: unknown, index: number): Step => ({
  name: `run ${index + 1} of ${times}`,
  command: 'playwright',
  args: ['test', `--shuffle=${index + 1}`, ...args],
  counts: () => readPlaywright('test-results/report.json'),
})

const counted: Counts[] = []
const failed = runSteps(Array.from({ length: times }, run), (counts) => counted.push(counts))
console.log(`\n${failed ? `failed: ${failed}` : `in a row: ${times}`}, ${sumOf(counted).passed} passed, ${sumOf(counted).failed} failed`)
process.exit(failed ? 1 : 0)
