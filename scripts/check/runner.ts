/** Result of a check: the number of files it looked at, an optional remark, and each problem as `file:line what to do`. */
export type Finding = { fileCount: number; problems: string[]; remark?: string; skipped?: string }

export type Check = () => Finding | Promise<Finding>

/** Adds a problem when a check looked at no file, because then it has proven nothing. */
export const requireFiles = (finding: Finding): Finding =>
  finding.fileCount > 0 || finding.skipped !== undefined
    ? finding
    : { ...finding, problems: [...finding.problems, 'examined no file: the check or its list of files is wrong'] }

type Result = { name: string; finding: Finding; seconds: number }

const runSafely = async (check: Check): Promise<Finding> => {
  try {
    return requireFiles(await check())
  } catch (error) {
    return { fileCount: 0, problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
  }
}

const runTimed = async (name: string, check: Check): Promise<Result> => {
  const start = performance.now()
  const finding = await runSafely(check)
  return { name, finding, seconds: (performance.now() - start) / 1000 }
}

export const formatResult = ({ name, finding, seconds }: Result) => {
  const state = finding.problems.length > 0 ? 'FAILED' : finding.skipped ? 'skipped' : 'ok'
  const remark = finding.skipped ?? finding.remark
  return `${state.padEnd(8)}${name.padEnd(9)}${String(finding.fileCount).padStart(5)} files ${seconds.toFixed(1).padStart(6)} s${remark ? `  ${remark}` : ''}`
}

/** Runs the checks in `lanes` parallel lanes and reports each when it ends. Results keep the given order. */
export const runChecks = async (checks: Record<string, Check>, lanes: number, report: (line: string) => void): Promise<Result[]> => {
  const waiting = Object.entries(checks)
  const results = new Map<string, Result>()
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await runTimed(...next)
      results.set(result.name, result)
      report(formatResult(result))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return Object.keys(checks).flatMap((name) => results.get(name) ?? [])
}
