import { type Check, demandFiles, type Finding } from './finding.ts'

type Result = { name: string; finding: Finding; seconds: number }

const safely = async (check: Check): Promise<Finding> => {
  try {
    return demandFiles(await check())
  } catch (error) {
    return { looked: 0, problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
  }
}

const timed = async (name: string, check: Check): Promise<Result> => {
  const start = performance.now()
  const finding = await safely(check)
  return { name, finding, seconds: (performance.now() - start) / 1000 }
}

/** Formats a result as one line: state, name, number of files, duration. */
export const resultLine = ({ name, finding, seconds }: Result) => {
  const state = finding.problems.length > 0 ? 'FAILED' : finding.skipped ? 'skipped' : 'ok'
  const remark = finding.skipped ?? finding.remark
  return `${state.padEnd(8)}${name.padEnd(9)}${String(finding.looked).padStart(5)} files ${seconds.toFixed(1).padStart(6)} s${remark ? `  ${remark}` : ''}`
}

/** Runs the checks in `lanes` parallel lanes and reports each when it ends. Results keep the given order. */
export const runChecks = async (checks: Record<string, Check>, lanes: number, report: (line: string) => void): Promise<Result[]> => {
  const waiting = Object.entries(checks)
  const results = new Map<string, Result>()
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await timed(...next)
      results.set(result.name, result)
      report(resultLine(result))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return Object.keys(checks).flatMap((name) => results.get(name) ?? [])
}
