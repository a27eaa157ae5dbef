/** Runs Vitest with random delays of responses, transactions and threads: `npm run test:delays -- --seed 7 web/links`. */
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readVitest, runSteps, type Step } from '#scripts/test/steps.ts'

const REPORT = '.cache/vitest-delays.json'
const LARGEST_SEED = 1_000_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) } },
})

type Report = { testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[] }

console.log(`seed ${values.seed}`)
process.env.TEST_DELAYS = values.seed
rmSync(REPORT, { force: true })
const step: Step = {
  name: `vitest with delays, seed ${values.seed}`,
  command: 'vitest',
  args: ['run', '--project=node', '--project=web', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`, ...positionals],
  counts: () => readVitest(REPORT),
}
const failed = runSteps([step], () => undefined)
if (failed) {
  const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8')) as Report
  const files = testResults.filter(({ status }) => status === 'failed').map(({ name }) => path.relative(process.cwd(), name))
  for (const file of files) console.error(`npm run test:delays -- --seed ${values.seed} ${file}`)
}
process.exit(failed ? 1 : 0)
