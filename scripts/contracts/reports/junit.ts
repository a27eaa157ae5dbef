import type { Proof } from '#scripts/contracts/client/proofs.ts'
import { isBroken } from '#scripts/contracts/client/verdict.ts'
import { escaped } from './escaped.ts'
import { type Line, linesOf, type Report, titleOf } from './report.ts'

/** Formats the report as JUnit XML: one suite per level; known failures count as skipped. */
export function junit({ base, at, results, assumed }: Report): string {
  const levels = [...new Set(results.map(({ level }) => level))]
  const suites = levels.map((level) =>
    suite(
      level,
      results.filter((line) => line.level === level),
      at,
    ),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escaped(base)}" ${countsOf(results, assumed)}>\n${suites.join('')}${assumptions(assumed)}</testsuites>\n`
}

const suite = (level: string, lines: Line[], at: string) =>
  `  <testsuite name="${level}" timestamp="${at.slice(0, 19)}" ${countsOf(lines)}>\n${lines.map(testcase).join('')}  </testsuite>\n`

/** A refuted assumption already fails at the check that refuted it, so here it is only output. */
function assumptions(assumed: Proof[]) {
  const cases = assumed.map(({ name, state, reason }) => {
    const start = `    <testcase classname="assumed" name="${escaped(name)}"`
    if (state === 'untested') return `${start}><skipped message="${escaped(reason)}"/></testcase>\n`
    return `${start}><system-out>${escaped(`${state} ${reason}`.trim())}</system-out></testcase>\n`
  })
  return `  <testsuite name="assumed" ${countsOf([], assumed)}>\n${cases.join('')}  </testsuite>\n`
}

const isFailure = ({ verdict, known }: Line) => isBroken(verdict) && !known
const isSkipped = ({ verdict, known }: Line) => verdict === 'skipped' || (isBroken(verdict) && known)

const untested = (assumed: Proof[]) => assumed.filter(({ state }) => state === 'untested')

const countsOf = (lines: Line[], assumed: Proof[] = []) =>
  `tests="${lines.length + assumed.length}" failures="${lines.filter(isFailure).length}" errors="0" skipped="${lines.filter(isSkipped).length + untested(assumed).length}"`

function testcase(line: Line): string {
  const said = [...linesOf(line), line.note].filter(Boolean).map(escaped)
  const start = `    <testcase classname="${line.level}" name="${escaped(titleOf(line))}"`
  if (isFailure(line))
    return `${start}><failure type="${escaped(line.verdict)}" message="${said[0] ?? ''}">${said.join('\n')}</failure></testcase>\n`
  if (isSkipped(line)) return `${start}><skipped message="${line.known ? 'known: ' : ''}${said[0] ?? ''}"/></testcase>\n`
  return said.length > 0 ? `${start}><system-out>${said.join('\n')}</system-out></testcase>\n` : `${start}/>\n`
}
