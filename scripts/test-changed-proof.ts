/**
 * Shows that the tests which `npm test -- --changed` selects find what all tests would find: plants mistakes one by one and runs the selected
 * tests, one of which must fail. `--history 50` prints instead which share of the tests the last commits would have run.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isSource } from '#scripts/check/files.ts'
import { ENDPOINT, NO_RECORD, readRecord } from '#scripts/test/changed/call-record.ts'
import { PLANTED_BUGS } from '#scripts/test/changed/planted-bugs.ts'
import { readChanges, readProject } from '#scripts/test/changed/read-changes.ts'
import { type Selection, selectTests } from '#scripts/test/changed/select-tests.ts'
import { readVitest } from '#scripts/test/steps.ts'

const REPORT = '.cache/vitest-proof.json'

const { values } = parseArgs({
  options: { history: { type: 'string' }, first: { type: 'string', default: '1' }, last: { type: 'string' } },
})

const record = readRecord()
if (!record) {
  console.error(NO_RECORD)
  process.exit(2)
}
const recorded = record.callers.filter(({ name }) => !name.startsWith(ENDPOINT))
// Tests without a record always run; what they find proves nothing.
const project = { ...readProject(record), tests: recorded.map(({ name }) => name) }

/** Share of the recorded test files of Vitest, and of their time. */
function measureShares({ tests }: Selection) {
  const chosen = recorded.filter(({ name }) => tests.has(name))
  const sum = (all: typeof recorded) => all.reduce((seconds, each) => seconds + each.seconds, 0)
  return { files: chosen.length / recorded.length, time: sum(chosen) / sum(recorded) }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(7)
const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

function printHistory(count: number) {
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

/** Plants one mistake, runs the selected tests, and takes it back. */
function findBug([code, bug]: readonly [string, string]) {
  const places = [...project.files].filter(([path, text]) => isSource(path) && !path.startsWith('scripts/') && text.includes(code))
  const [place] = places
  if (!place || places.length > 1) return { isFound: false, says: `is in ${places.length} files` }
  const [path, before] = place
  const after = before.replace(code, () => bug)
  const selection = selectTests([{ path, oldPath: path, before, after }], project)
  const share = measureShares(selection)
  const files = [...selection.tests.keys()].filter((test) => !test.endsWith('.spec.ts'))
  const says = `${path}: ${files.length} files (${percent(share.files).trim()})`
  if (files.length === 0) return { isFound: false, says }
  rmSync(REPORT, { force: true })
  writeFileSync(path, after)
  try {
    spawnSync('vitest', ['run', '--bail=1', '--reporter=json', `--outputFile.json=${REPORT}`, '--project=!postgres*', ...files], {
      stdio: 'ignore',
    })
  } finally {
    writeFileSync(path, before)
  }
  return { isFound: readVitest(REPORT).failed > 0, says }
}

if (values.history) printHistory(Number(values.history))
else {
  const bugs = PLANTED_BUGS.slice(Number(values.first) - 1, values.last ? Number(values.last) : undefined)
  const missed = bugs.filter((bug) => {
    const { isFound, says } = findBug(bug)
    console.log(`${isFound ? 'found ' : 'MISSED'} ${bug[1]}: ${says}`)
    return !isFound
  })
  console.log(`${bugs.length - missed.length} of ${bugs.length} planted mistakes were found by the selected tests`)
  process.exit(missed.length > 0 ? 1 : 0)
}
