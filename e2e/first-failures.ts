import { existsSync, readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter'

const MOST_FAILURES = 5
const MOST_LINES = 6
const LOG_LINES = 30

/**
 * Ends a failed run with its first failures and with what the server wrote last: of a hundred tests that fail because the server has ended,
 * only the first ones show why.
 */
export default class FirstFailures implements Reporter {
  readonly #log: string
  readonly #write: (text: string) => void
  readonly #failures: string[] = []

  constructor({ log, write = (text) => process.stderr.write(text) }: { log: string; write?: (text: string) => void }) {
    this.#log = log
    this.#write = write
  }

  onTestEnd(test: TestCase, { status, startTime, errors }: TestResult) {
    if (this.#failures.length >= MOST_FAILURES || (status !== 'failed' && status !== 'timedOut')) return
    const message = stripVTControlCharacters(errors[0]?.message ?? 'no message')
    const place = test.titlePath().filter(Boolean).join(' › ')
    this.#failures.push(`${startTime.toISOString()} ${place}\n${message.split('\n').slice(0, MOST_LINES).join('\n')}`)
  }

  /** A run in which the server had an unexpected error fails. */
  async onEnd({ status }: FullResult) {
    const log = existsSync(this.#log) ? readFileSync(this.#log, 'utf8').trimEnd() : ''
    const hasUnexpectedError = log.includes('unexpected error')
    if (status === 'passed' && !hasUnexpectedError) return
    if (this.#failures.length > 0) this.#write(`\nFirst failures:\n\n${this.#failures.join('\n\n')}\n`)
    if (log) this.#write(`\nThe server wrote last (${this.#log}):\n${log.split('\n').slice(-LOG_LINES).join('\n')}\n`)
    return hasUnexpectedError ? { status: 'failed' as const } : undefined
  }

  printsToStdio() {
    return false
  }
}
