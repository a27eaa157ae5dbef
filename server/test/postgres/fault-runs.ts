import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/** A few repetitions by default; `FAULT_RUNS=50` for as many. */
export const RUNS = Number(process.env.FAULT_RUNS ?? 0)
/** Where many repetitions write what their clients have seen. */
const REPORT = '.cache/faults.txt'

export const report = (line: string) => {
  if (RUNS) appendFileSync(REPORT, `${expect.getState().currentTestName}: ${line}\n`)
}
