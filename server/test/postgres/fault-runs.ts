import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/** A few repetitions by default; `FAULT_RUNS=50` sets the number. */
export const RUNS = Number(process.env.FAULT_RUNS ?? 0)
/** The file to which repeated runs append the observations of their clients. */
const REPORT = '.cache/faults.txt'

export const report = (line: string) => {
  if (RUNS) appendFileSync(REPORT, `${expect.getState().currentTestName}: ${line}\n`)
}
