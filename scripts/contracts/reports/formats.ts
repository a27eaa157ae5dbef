import { isBroken } from '#scripts/contracts/client/findings.ts'
import type { Proof } from '#scripts/contracts/client/run.ts'
import { describeOutcome, findingLines, type Line, lineTitle, type Report } from './report.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and XML; control characters are removed because XML forbids them. */
const escapeMarkup = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '').replace(/[&<>"']/g, (character) => ENTITIES[character]!)

const WIDE = 12
const NAME = 46

export function formatTable({ base, results, assumed, mended, counts, clean, unchecked }: Report): string {
  const levels = [...new Set(results.map(({ level }) => level))]
  return [
    base,
    ...levels.flatMap((level) => ['', level, ...results.filter((line) => line.level === level).flatMap(rows)]),
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

const rows = (line: Report['results'][number]) => [
  `  ${(line.known && isBroken(line.verdict) ? `(${line.verdict})` : line.verdict).padEnd(WIDE)}${lineTitle(line).padEnd(NAME)} ${line.note}`.trimEnd(),
  ...findingLines(line).map((one) => `  ${''.padEnd(WIDE)}  ${one}`),
]

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

/** A refuted assumption already fails at the check that refuted it, so here it is only output. */
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

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: CanvasText; background: Canvas }
:root { color-scheme: light dark }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, Canvas) }
td:first-child { width: 6rem }
th { width: 22rem }
ul { margin: 0; padding-left: 1.2rem }
.bad { color: light-dark(#b3261e, #ff8a80); font-weight: 600 }
.quiet { opacity: .7 }
`

export function formatHtml({ base, at, clean, counts, results, assumed, mended }: Report): string {
  const levels = [...new Set(results.map(({ level }) => level))]
  const sum = Object.entries(counts).filter(([, count]) => count > 0)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(base)}: ${clean ? 'clean' : 'not clean'}</title><style>${STYLE}</style></head><body>
<h1>${escapeMarkup(base)}</h1>
<p><strong class="${clean ? '' : 'bad'}">${clean ? 'Clean' : 'Not clean'}</strong>, ${escapeMarkup(at)}: ${escapeMarkup(sum.map(([verdict, count]) => `${count} ${verdict}`).join(', '))}</p>
${levels.map((level) => section(level, results.filter((line) => line.level === level).map(row))).join('\n')}
${section(
  'assumed',
  assumed.map(({ name, state, reason }) => cells(state === 'refuted', state, name, escapeMarkup(reason))),
)}
${
  mended.length > 0
    ? section(
        'mended',
        mended.map((one) => cells(false, 'mended', one, '')),
      )
    : ''
}
</body></html>
`
}

const section = (title: string, rows: string[]) => `<h2>${title}</h2>\n<table>\n${rows.join('\n')}\n</table>`

const cells = (isBad: boolean, verdict: string, name: string, rest: string) =>
  `<tr><td class="${isBad ? 'bad' : 'quiet'}">${escapeMarkup(verdict)}</td><th scope="row">${escapeMarkup(name)}</th><td>${rest}</td></tr>`

function row(line: Line): string {
  const messages = findingLines(line).map((one) => `<li>${escapeMarkup(one)}</li>`)
  const list = messages.length > 0 ? `<ul>${messages.join('')}</ul>` : ''
  return cells(
    isBroken(line.verdict) && !line.known,
    line.known ? `${line.verdict}, known` : line.verdict,
    lineTitle(line),
    escapeMarkup(line.note) + list,
  )
}
