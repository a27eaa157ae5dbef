/** Repeats the browser tests in a different order each time and stops at the first failure: `npm run e2e:again -- 20`. */
import { type Counts, readPlaywright, runSteps, type Step, sumCounts } from '#scripts/test/steps.ts'

const [wanted = '', ...args] = process.argv.slice(2)
const times = Number(wanted)
if (!Number.isInteger(times) || times < 1) {
  console.error('Give the number of runs: npm run e2e:again -- 20. Further arguments are passed to Playwright.')
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
console.log(
  `\n${failed ? `failed: ${failed}` : `${times} runs without a failure`}, ${sumCounts(counted).passed} passed, ${sumCounts(counted).failed} failed`,
)
process.exit(failed ? 1 : 0)
