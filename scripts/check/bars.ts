import { isCode, isSource, lineCount } from './code.ts'
import { type Files, type Finding, pick } from './finding.ts'

const MEDIAN = 50
const NINETIETH = 130
const LONGEST = 300
const TEST_RATIO = 0.8
const DEPTH = 3

/** The value at or below which the given share of the sorted numbers lies. */
const quantile = (sorted: number[], share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

const sizes = (source: [string, string][]) => {
  const lines = source.map(([, text]) => lineCount(text)).sort((a, b) => a - b)
  return { median: quantile(lines, 0.5), ninetieth: quantile(lines, 0.9), sum: lines.reduce((sum, one) => sum + one, 0) }
}

const over = (name: string, value: number, limit: number) =>
  value > limit ? [`${name} is ${value} lines, at most ${limit} allowed: split the long files by what they know`] : []

/** The bars on the size of files, the share of tests and the depth of folders. */
export const bars = (files: Files): Finding => {
  const code = pick(files, isCode)
  const source = code.filter(([path]) => isSource(path))
  const { median, ninetieth, sum } = sizes(source)
  const tests = code.filter(([path]) => !isSource(path)).reduce((lines, [, text]) => lines + lineCount(text), 0)
  const ratio = sum === 0 ? 0 : tests / sum
  const problems = [
    ...over('the median source file', median, MEDIAN),
    ...over('the 90th percentile of source files', ninetieth, NINETIETH),
    ...source.flatMap(([path, text]) => over(path, lineCount(text), LONGEST)),
    ...(ratio < TEST_RATIO ? [`${tests} lines of tests for ${sum} of source is ${ratio.toFixed(2)}, at least ${TEST_RATIO} wanted`] : []),
    ...code.flatMap(([path]) =>
      path.split('/').length - 2 > DEPTH ? [`${path} lies more than ${DEPTH} folders below its top-level one: name it flatter`] : [],
    ),
  ]
  return { looked: code.length, problems, remark: `median ${median}, p90 ${ninetieth}, tests/source ${ratio.toFixed(2)}` }
}
