import { existsSync, readFileSync } from 'node:fs'

export type Counts = { passed: number; failed: number }

const read = (file: string): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

/** Counts of Vitest's JSON report; zero if there is no report. */
export const readVitest = (file: string): Counts => {
  const { numPassedTests = 0, numFailedTests = 0 } = read(file) as { numPassedTests?: number; numFailedTests?: number }
  return { passed: numPassedTests, failed: numFailedTests }
}

/** Counts of Playwright's JSON report; a flaky test counts as failed. */
export const readPlaywright = (file: string): Counts => {
  const { stats = {} } = read(file) as { stats?: { expected?: number; unexpected?: number; flaky?: number } }
  return { passed: stats.expected ?? 0, failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0) }
}

export const sumOf = (all: Counts[]): Counts =>
  all.reduce((sum, one) => ({ passed: sum.passed + one.passed, failed: sum.failed + one.failed }), { passed: 0, failed: 0 })
