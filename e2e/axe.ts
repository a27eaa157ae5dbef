import type { Page } from '@playwright/test'
import axe, { type RunOnly } from 'axe-core'

/** Of WCAG up to 2.2, what its levels A and AA ask for. */
export const guidelines: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
export const rules = (...values: string[]): RunOnly => ({ type: 'rule', values })

type Finding = { id: string; impact: string | null | undefined; html: string }
/** `held` are the rules which something on the page keeps, `idle` those for which it has nothing. */
type Looked = { findings: Finding[]; held: string[]; idle: string[] }

/** What axe says of the page, or of the part of it within a selector. */
export async function look(page: Page, runOnly: RunOnly, within?: string): Promise<Looked> {
  // To hand it over takes as long as to look with it: once is enough until the page is loaded anew.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(inPage, { runOnly, within })
}

/** Of the rest only which rules were held against anything: to name every element that passes takes longer than to look at it. */
async function inPage({ runOnly, within }: { runOnly: RunOnly; within?: string | undefined }): Promise<Looked> {
  const { run } = (window as unknown as { axe: typeof axe }).axe
  const { violations, passes, inapplicable } = await run(within ?? document, { runOnly, resultTypes: ['violations'], iframes: false })
  return {
    findings: violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => ({ id, impact, html: html.slice(0, 160) }))),
    held: passes.map(({ id }) => id),
    idle: inapplicable.map(({ id }) => id),
  }
}

/** Where something is on a map is what it says: there it may be crowded, and cut by the edge of the window. */
const ON_MAP = /class="_(pin|label|centre|credit)_/

type Look = { rule: string; of: string; runOnly: RunOnly }

export const everything: Look = { rule: 'color-contrast', of: 'main', runOnly: guidelines }
/** All that another theme changes. */
export const colors: Look = { rule: 'color-contrast', of: 'main', runOnly: rules('color-contrast') }
/** What another size changes. */
export const places: Look = {
  rule: 'target-size',
  of: ':is(a[href], button, input):visible',
  runOnly: rules('target-size', 'scrollable-region-focusable'),
}

/** What hinders people, as axe sees it; that it did not hold `rule` against anything where there is such a thing is a hindrance too. */
export async function hindrances(page: Page, { rule, of, runOnly }: Look) {
  await page.evaluate(blendNothing)
  const { findings, held, idle } = await look(page, runOnly)
  const found = findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .filter(({ id, html }) => id !== 'target-size' || !ON_MAP.test(html))
    .map(({ id, html }) => `${id}: ${html}`)
  const looked = (await page.locator(of).count()) > 0 ? held : [...held, ...idle]
  return looked.includes(rule) ? found : [...found, `axe found nothing to hold against ${rule}`]
}

/** Leaflet's tiles are blended in a way that axe does not know: it would give up on every colour of the page. */
function blendNothing() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.leaflet-tile { mix-blend-mode: normal !important }')
  document.adoptedStyleSheets = [sheet]
}
