import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'

export type Counts = { passed: number; failed: number }

const readReport = (file: string): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

/** Counts of Vitest's JSON report; zero if there is no report. */
export const readVitest = (file: string): Counts => {
  const { numPassedTests = 0, numFailedTests = 0 } = readReport(file) as { numPassedTests?: number; numFailedTests?: number }
  return { passed: numPassedTests, failed: numFailedTests }
}

/** Counts of Playwright's JSON report; a flaky test counts as failed. */
export const readPlaywright = (file: string): Counts => {
  const { stats = {} } = readReport(file) as { stats?: { expected?: number; unexpected?: number; flaky?: number } }
  return { passed: stats.expected ?? 0, failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0) }
}

export const sumCounts = (all: Counts[]): Counts =>
  all.reduce((sum, one) => ({ passed: sum.passed + one.passed, failed: sum.failed + one.failed }), { passed: 0, failed: 0 })

/** One step of the test run; `counts` reads the number of tests, for steps that run tests. */
export type Step = { name: string; command: string; args: string[]; counts?: () => Counts }

/** A whole run keeps the machine busy, so its tests may be slow (`scripts/test-setup/limits.ts`). */
const env = () => ({ TEST_LIMITS: 'minutes', ...process.env, PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}` })

const runStep = (step: Step) => {
  const done = spawnSync(step.command, step.args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: env(),
    shell: process.platform === 'win32',
  })
  return done.status === 0
}

/** Runs the steps in order and returns the name of the one that failed. A step that ran no test fails. */
export const runSteps = (steps: Step[], onCounts: (counts: Counts) => void): string | undefined => {
  for (const step of steps) {
    console.log(`\n== ${step.name}`)
    const start = performance.now()
    const green = runStep(step)
    const counts = step.counts?.()
    if (counts) onCounts(counts)
    const ranNothing = counts !== undefined && counts.passed + counts.failed === 0
    if (ranNothing) console.error(`${step.name} ran no test`)
    console.log(`== ${step.name}: ${green && !ranNothing ? 'ok' : 'FAILED'} in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    if (!green || ranNothing || (counts?.failed ?? 0) > 0) return step.name
  }
  return undefined
}

/** Returns the name and version that a browser prints, and its path. */
const describeBrowser = (path: string) => {
  const said = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 }).stdout?.trim()
  return said ? `${said} (${path})` : path
}

/** Describes the browsers that ran the tests, for the final report. */
export const describeBrowsers = ({ path, ordinary }: { path?: string | undefined; ordinary?: string | undefined }) => {
  if (!path) return "Playwright's own Chromium"
  if (!ordinary || ordinary === path) return describeBrowser(path)
  return `${describeBrowser(path)}; for e2e/quality ${describeBrowser(ordinary)}`
}
