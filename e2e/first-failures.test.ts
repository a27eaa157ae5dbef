import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FullResult, TestCase, TestResult } from '@playwright/test/reporter'
import { afterAll, expect, test } from 'vitest'
import FirstFailures from './first-failures.ts'

const folder = mkdtempSync(join(tmpdir(), 'whereabouts-failures-'))
const log = join(folder, 'server.log')
afterAll(() => rmSync(folder, { recursive: true }))

/** Reports tests in the order of their end, and returns what is written at the end of the run. */
async function report(tests: { title: string; status: string; message?: string }[], status = 'failed') {
  let written = ''
  const reporter = new FirstFailures({ log, write: (text) => (written += text) })
  for (const { title, status, message } of tests)
    reporter.onTestEnd(
      { titlePath: () => ['', 'journeys', 'a.spec.ts', title] } as TestCase,
      { status, startTime: new Date('2026-03-02T09:00:00Z'), errors: message ? [{ message }] : [] } as unknown as TestResult,
    )
  const ended = await reporter.onEnd({ status } as FullResult)
  return ended ? `${written}${ended.status}` : written
}

test('a failed run ends with its first five failures, in order, and the first lines of their messages', async () => {
  const failures = Array.from({ length: 9 }, (_, index) => ({
    title: `test ${index}`,
    status: 'failed',
    message: `\u001b[31mbroken ${index}`,
  }))
  const long = { title: 'long', status: 'timedOut', message: Array.from({ length: 9 }, (_, line) => `line ${line}`).join('\n') }
  const written = await report([{ title: 'fine', status: 'passed' }, long, ...failures])
  expect(written).toContain('2026-03-02T09:00:00.000Z journeys › a.spec.ts › long\nline 0\n')
  expect(written).toContain('line 5\n\n2026-03-02T09:00:00.000Z journeys › a.spec.ts › test 0\nbroken 0')
  expect(written).not.toMatch(/fine|line 6|test 4/)
})

test('a failed run shows the last thirty lines of the log of the server, and a passed one nothing', async () => {
  writeFileSync(log, Array.from({ length: 40 }, (_, line) => `entry ${line}\n`).join(''))
  expect(await report([{ title: 'a', status: 'failed' }])).toMatch(/The server wrote last \(.*server\.log\):\nentry 10\n[\s\S]*entry 39\n$/)
  expect(await report([{ title: 'a', status: 'passed' }], 'passed')).toBe('')
})

test('a run in which the server had an unexpected error fails, even if every test passed', async () => {
  writeFileSync(log, 'unexpected error, the server goes on: Error: lost\n')
  expect(await report([{ title: 'a', status: 'passed' }], 'passed')).toMatch(/The server wrote last[\s\S]*Error: lost\nfailed$/)
})
