import type { Ability } from '#scripts/contracts/levels/abilities.ts'
import { type Cause, describeCall, describeCause, type Explanation, explain } from './causes.ts'
import { describeOutcome, escapeMarkup, type Line, lineTitle, type Report } from './report.ts'

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 15%, Canvas); --bad: light-dark(#b3261e, #ff8a80); --warn: light-dark(#8a5a00, #f5c26b) }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: CanvasText; background: Canvas }
h2 { margin-top: 2.5rem } h3 { margin: 1.8rem 0 .4rem } h3 code { font-weight: 400; opacity: .75 }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: break-word }
td:first-child, summary { white-space: nowrap }
thead th { font-weight: 600; opacity: .75 }
.sums { display: flex; flex-wrap: wrap; gap: .75rem; padding: 0; list-style: none }
.sums li { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem 1rem } .sums b { display: block; font-size: 1.6rem; line-height: 1.2 }
.fail, .unreachable, .refuted { color: var(--bad); font-weight: 600 } .tolerated, .enum, .missing { color: var(--warn); font-weight: 600 }
.known { opacity: .6 }
summary { cursor: pointer }
`

/** A cause in more calls than this is shown once instead of at every call. */
const MANY_CALLS = 3

/** A report as a to-do list: the summary, then missing features, then the deviations by cause and by call. */
export function formatHtml(report: Report): string {
  const { base, at, abilities, needs, clean, causes, features, assumed, mended, results } = report
  const isWide = ({ calls, verdict }: Cause) => calls.length > MANY_CALLS && verdict !== 'drift+'
  const title = `${base}: ${clean ? 'clean' : 'not clean'}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeMarkup(base)}</h1>
${part('What a person can do', whatAPersonCanDo(abilities))}
${part('What the portal needs', list(needs))}
${summary(report)}
${part('Missing features', missingFeatures(features))}
${part('Deviations of many calls', manyCalls(causes.filter(isWide)))}
${part('Deviations by call', byCall(causes.filter((cause) => !isWide(cause))))}
${part('More than the contract says, which the portal ignores', fold(causes.filter(({ verdict }) => verdict === 'drift+').map(describeCause)))}
${part('Assumptions of the contract', assumptions(assumed))}
${part('Fixed, to be removed from the baseline', list(mended))}
${part('Every check', `<details><summary>${results.length} checks</summary>${checks(results)}</details>`)}
<p>Checked ${escapeMarkup(at)} against docs/openapi.json.</p>
</body></html>
`
}

const part = (title: string, content: string) => (content === '' ? '' : `<h2>${title}</h2>\n${content}`)

const list = (items: readonly string[]) =>
  items.length > 0 ? `<ul>${items.map((one) => `<li>${escapeMarkup(one)}</li>`).join('')}</ul>` : ''

const fold = (items: readonly string[]) =>
  items.length > 0 ? `<details><summary>${items.length} deviations</summary>${list(items)}</details>` : ''

const classOf = (verdict: string) => verdict.replace(/\W/g, '')

const cell = (text: string, kind = '') => `<td${kind && ` class="${kind}"`}>${escapeMarkup(text)}</td>`

const table = (head: readonly string[], rows: readonly string[]) =>
  rows.length === 0
    ? ''
    : `<div class="wide"><table><thead><tr>${head.map((one) => `<th scope="col">${one}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`

function summary({ causes, features, counts, clean, unchecked }: Report): string {
  const failing = causes.filter(({ verdict, isKnown }) => !isKnown && (verdict === 'fail' || verdict === 'unreachable'))
  const tolerated = causes.filter(({ verdict }) => verdict === 'tolerated' || verdict === 'enum?')
  const noticed = tolerated.filter(
    ({ effect = '', habit }) => habit !== 'no-endpoint' && !/nothing is missing|ignored|success/.test(effect),
  )
  const missing = features.filter(({ state }) => state === 'missing')
  const sums: [number, string][] = [
    [failing.length, 'to fix'],
    [tolerated.length, 'that the portal copes with'],
    [missing.length, 'features missing'],
    [counts.pass ?? 0, 'checks passed'],
  ]
  return [
    `<p><strong class="${clean ? '' : 'fail'}">${escapeMarkup(describeOutcome({ clean, unchecked }))}</strong></p>`,
    `<ul class="sums">${sums.map(([count, text]) => `<li><b>${count}</b>${text}</li>`).join('')}</ul>`,
    failing.length > 0 ? `<h3>What the portal cannot cope with</h3>${list(failing.map(describeCause))}` : '',
    noticed.length > 0 ? `<h3>What a person notices</h3>${list(noticed.map(describeCause))}` : '',
  ].join('\n')
}

const STATE_CLASSES: Partial<Record<Ability['state'], string>> = { no: 'fail', 'with loss': 'tolerated' }

const whatAPersonCanDo = (abilities: readonly Ability[]) =>
  table(
    ['', '', 'Why'],
    abilities.map(({ name, state, reason }) => `<tr>${cell(name)}${cell(state, STATE_CLASSES[state])}${cell(reason)}</tr>`),
  )

const missingFeatures = (features: Report['features']) =>
  table(
    ['Feature', 'Call', 'Answer', 'The portal leaves out'],
    features
      .filter(({ state }) => state === 'missing')
      .map(({ name, call, note, leftOut }) => `<tr>${cell(name, 'missing')}${cell(call)}${cell(note)}${cell(leftOut)}</tr>`),
  )

const HEAD = ['Verdict', 'Where', 'What came', 'What the contract says', 'What the portal does', 'How to fix it']

const explained = (verdict: string, isKnown: boolean, where: string, { came, wanted, effect, fix }: Explanation) =>
  `<tr${isKnown ? ' class="known"' : ''}>${cell(isKnown ? `${verdict}, known` : verdict, classOf(verdict))}<td>${where}</td>${cell(came)}${cell(wanted)}${cell(effect)}${cell(fix)}</tr>`

function manyCalls(causes: readonly Cause[]): string {
  return table(
    HEAD,
    causes.map((cause) => {
      const [first] = cause.places
      const where = cause.places.map(({ call, path, title }) => [call, path, title && `(${title})`].filter(Boolean).join(' '))
      const calls = `<details><summary>${cause.calls.length} calls</summary>${list(where)}</details>`
      return explained(cause.verdict, isKnownFailure(cause), calls, explain({ ...cause, path: first?.path ?? '' }))
    }),
  )
}

const isKnownFailure = ({ verdict, isKnown }: Cause) => isKnown && (verdict === 'fail' || verdict === 'unreachable')

/** Every call with its own deviations; those that the portal ignores are listed separately. */
function byCall(causes: readonly Cause[]): string {
  const rows = new Map<string, string[]>()
  for (const cause of causes.filter(({ verdict }) => verdict !== 'drift+'))
    for (const { call, path, title } of cause.places) {
      const where = [path && `<code>${escapeMarkup(path)}</code>`, escapeMarkup(title)].filter(Boolean).join(' ')
      rows.set(call, [...(rows.get(call) ?? []), explained(cause.verdict, isKnownFailure(cause), where, explain({ ...cause, path }))])
    }
  return [...rows]
    .map(([call, own]) => `<h3>${escapeMarkup(call)} <code>${escapeMarkup(describeCall(call))}</code></h3>\n${table(HEAD, own)}`)
    .join('\n')
}

const assumptions = (assumed: Report['assumed']) =>
  assumed.length === 0
    ? ''
    : `<details><summary>${assumed.filter(({ state }) => state === 'refuted').length} refuted of ${assumed.length}</summary>${table(
        ['State', 'Call', 'Reason'],
        assumed.map(({ name, state, reason }) => `<tr>${cell(state, state)}${cell(name)}${cell(reason)}</tr>`),
      )}</details>`

const checks = (results: readonly Line[]) =>
  table(
    ['Verdict', 'Level', 'Check', 'Answer'],
    results.map((line) => {
      const verdict = line.known ? `${line.verdict}, known` : line.verdict
      return `<tr>${cell(verdict, line.known ? 'known' : classOf(line.verdict))}${cell(line.level)}${cell(lineTitle(line))}${cell(line.note)}</tr>`
    }),
  )
