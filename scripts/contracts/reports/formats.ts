import { isBroken } from '#scripts/contracts/client/findings.ts'
import type { Proof } from '#scripts/contracts/client/run.ts'
import { describeCause } from './causes.ts'
import { describeOutcome, escapeMarkup, findingLines, type Line, lineTitle, type Report } from './report.ts'

const WIDE = 12
const NAME = 46

export function formatTable({
  base,
  abilities,
  needs,
  results,
  causes,
  features,
  assumed,
  mended,
  counts,
  clean,
  unchecked,
}: Report): string {
  const missing = features.filter(({ state }) => state === 'missing')
  const deviations = causes.filter(({ habit }) => habit !== 'no-endpoint')
  const levels = [...new Set(results.map(({ level }) => level))]
  return [
    base,
    ...listPart(
      'a person can',
      abilities.map(({ name, state, reason }) => `${name.padEnd(WIDE)}${state.padEnd(WIDE)}${reason}`),
    ),
    ...listPart(
      'the portal',
      results.filter(isOfPortal).map(({ note, findings }) => findings[0]?.message ?? note),
    ),
    ...listPart('needed', needs),
    ...levels.flatMap((level) => ['', level, ...results.filter((line) => line.level === level).map(row)]),
    ...(deviations.length > 0
      ? ['', 'deviations', ...deviations.map((one) => `  ${markKnown(one.verdict, one.isKnown).padEnd(WIDE)}${describeCause(one)}`)]
      : []),
    ...(missing.length > 0
      ? [
          '',
          'missing',
          ...missing.map(({ name, note, leftOut }) => `  ${name.padEnd(2 * WIDE)} ${note}; the portal leaves out: ${leftOut}`),
        ]
      : []),
    '',
    'assumed',
    ...assumed.map(({ name, state, reason }) => `  ${state.padEnd(WIDE)}${name.padEnd(NAME)} ${reason}`.trimEnd()),
    ...(mended.length > 0 ? ['', 'fixed, remove from the baseline', ...mended.map((one) => `  ${one}`)] : []),
    '',
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([verdict, count]) => `${count} ${verdict}`)
      .join(', '),
    describeOutcome({ clean, unchecked }),
    '',
  ].join('\n')
}

const isOfPortal = ({ level }: Line) => level === 'portal'

const listPart = (title: string, lines: readonly string[]) => (lines.length > 0 ? ['', title, ...lines.map((line) => `  ${line}`)] : [])

const markKnown = (verdict: string, isKnown: boolean) => (isKnown && isBroken(verdict) ? `(${verdict})` : verdict)

const row = (line: Report['results'][number]) =>
  `  ${markKnown(line.verdict, line.known).padEnd(WIDE)}${lineTitle(line).padEnd(NAME)} ${line.note}`.trimEnd()

export function formatJunit({ base, at, results, assumed }: Report): string {
  const levels = [...new Set(results.map(({ level }) => level))]
  const suites = levels.map((level) =>
    suite(
      level,
      results.filter((line) => line.level === level),
      at,
    ),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeMarkup(base)}" ${countsOf(results, assumed)}>\n${suites.join('')}${assumptions(assumed)}</testsuites>\n`
}

const suite = (level: string, lines: Line[], at: string) =>
  `  <testsuite name="${level}" timestamp="${at.slice(0, 19)}" ${countsOf(lines)}>\n${lines.map(testcase).join('')}  </testsuite>\n`

/** A refuted assumption already fails at the check that refuted it, so here it is only printed. */
function assumptions(assumed: Proof[]) {
  const cases = assumed.map(({ name, state, reason }) => {
    const start = `    <testcase classname="assumed" name="${escapeMarkup(name)}"`
    if (state === 'untested') return `${start}><skipped message="${escapeMarkup(reason)}"/></testcase>\n`
    return `${start}><system-out>${escapeMarkup(`${state} ${reason}`.trim())}</system-out></testcase>\n`
  })
  return `  <testsuite name="assumed" ${countsOf([], assumed)}>\n${cases.join('')}  </testsuite>\n`
}

const isFailure = ({ verdict, known }: Line) => isBroken(verdict) && !known
const isSkipped = ({ verdict, known }: Line) => verdict === 'skipped' || (isBroken(verdict) && known)

const untested = (assumed: Proof[]) => assumed.filter(({ state }) => state === 'untested')

const countsOf = (lines: Line[], assumed: Proof[] = []) =>
  `tests="${lines.length + assumed.length}" failures="${lines.filter(isFailure).length}" errors="0" skipped="${lines.filter(isSkipped).length + untested(assumed).length}"`

function testcase(line: Line): string {
  const messages = [...findingLines(line), line.note].filter(Boolean).map(escapeMarkup)
  const start = `    <testcase classname="${line.level}" name="${escapeMarkup(lineTitle(line))}"`
  if (isFailure(line))
    return `${start}><failure type="${escapeMarkup(line.verdict)}" message="${messages[0] ?? ''}">${messages.join('\n')}</failure></testcase>\n`
  if (isSkipped(line)) return `${start}><skipped message="${line.known ? 'known: ' : ''}${messages[0] ?? ''}"/></testcase>\n`
  return messages.length > 0 ? `${start}><system-out>${messages.join('\n')}</system-out></testcase>\n` : `${start}/>\n`
}
