import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type Counts, describeBrowsers, readPlaywright, readVitest, runSteps, type Step, sumCounts } from './steps.ts'

const folder = mkdtempSync(join(tmpdir(), 'whereabouts-steps-'))
const report = (name: string, content: unknown) => {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

beforeAll(() => {
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterAll(() => rmSync(folder, { recursive: true }))

const step = (name: string, code: number, counts?: Counts): Step => ({
  name,
  command: process.execPath,
  args: ['-e', `process.exit(${code})`],
  ...(counts ? { counts: () => counts } : {}),
})

test('successful steps all run and their tests are counted', () => {
  const counted: Counts[] = []
  const steps = [step('check', 0), step('a', 0, { passed: 2, failed: 0 }), step('b', 0, { passed: 3, failed: 0 })]
  expect(runSteps(steps, (counts) => counted.push(counts))).toBeUndefined()
  expect(sumCounts(counted)).toEqual({ passed: 5, failed: 0 })
})

test('the run stops at a step that exits with an error, runs no test or has a failed test', async () => {
  const failing = {
    'exit code 1': step('bad', 1),
    'no test': step('bad', 0, { passed: 0, failed: 0 }),
    'a failed test in spite of exit code 0': step('bad', 0, { passed: 4, failed: 1 }),
  }
  expect(
    await collectFailures(
      Object.entries(failing),
      ([name]) => name,
      ([, bad]) => {
        const after = vi.fn(() => ({ passed: 1, failed: 0 }))
        expect(runSteps([bad, { ...step('after', 0), counts: after }], () => undefined)).toBe('bad')
        expect(after).not.toHaveBeenCalled()
      },
    ),
  ).toEqual([])
})

test('counts are read from the reports of both test runners', () => {
  expect(readVitest(report('v.json', { numPassedTests: 7, numFailedTests: 1 }))).toEqual({ passed: 7, failed: 1 })
  expect(readPlaywright(report('p.json', { stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 } }))).toEqual({
    passed: 4,
    failed: 2,
  })
})

test('a missing report counts no tests', () => {
  expect(readVitest(join(folder, 'none.json'))).toEqual({ passed: 0, failed: 0 })
})

test('the final report lists the browsers with their versions, and one without a version by its path', () => {
  const node = process.execPath
  expect(describeBrowsers({ path: node, ordinary: node })).toBe(`${process.version} (${node})`)
  expect(describeBrowsers({ path: node, ordinary: '/no/such/browser' })).toBe(
    `${process.version} (${node}); for e2e/quality /no/such/browser`,
  )
  expect(describeBrowsers({})).toBe("Playwright's own Chromium")
})
