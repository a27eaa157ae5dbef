import { isBroken } from '#scripts/contracts/client/verdict.ts'
import { escaped } from './escaped.ts'
import { type Line, linesOf, type Report, titleOf } from './report.ts'

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

/** Formats the report as one self-contained page. */
export function html({ base, at, clean, counts, results, assumed, mended }: Report): string {
  const levels = [...new Set(results.map(({ level }) => level))]
  const sum = Object.entries(counts).filter(([, count]) => count > 0)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(base)}: ${clean ? 'clean' : 'not clean'}</title><style>${STYLE}</style></head><body>
<h1>${escaped(base)}</h1>
<p><strong class="${clean ? '' : 'bad'}">${clean ? 'Clean' : 'Not clean'}</strong>, ${escaped(at)}: ${escaped(sum.map(([verdict, count]) => `${count} ${verdict}`).join(', '))}</p>
${levels.map((level) => section(level, results.filter((line) => line.level === level).map(row))).join('\n')}
${section(
  'assumed',
  assumed.map(({ name, state, reason }) => cells(state === 'refuted', state, name, escaped(reason))),
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
  `<tr><td class="${isBad ? 'bad' : 'quiet'}">${escaped(verdict)}</td><th scope="row">${escaped(name)}</th><td>${rest}</td></tr>`

function row(line: Line): string {
  const said = linesOf(line).map((one) => `<li>${escaped(one)}</li>`)
  const list = said.length > 0 ? `<ul>${said.join('')}</ul>` : ''
  return cells(
    isBroken(line.verdict) && !line.known,
    line.known ? `${line.verdict}, known` : line.verdict,
    titleOf(line),
    escaped(line.note) + list,
  )
}
