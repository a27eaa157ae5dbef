import type { Page } from '@playwright/test'
import axe, { type RunOnly } from 'axe-core'

/** WCAG up to 2.2, levels A and AA. */
export const guidelines: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
export const rules = (...values: string[]): RunOnly => ({ type: 'rule', values })

type Finding = { id: string; impact: string | null | undefined; html: string }
/** `held` are the rules that matching elements passed, `idle` those without any matching element. */
type AxeResult = { findings: Finding[]; held: string[]; idle: string[] }

/** Runs axe on the page, or on the part within a selector. */
export async function runAxe(page: Page, runOnly: RunOnly, within?: string): Promise<AxeResult> {
  // Injecting axe takes as long as running it, so it happens once per page load.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(runInPage, { runOnly, within })
}

/** Passes are reported by rule only: listing every passing element takes longer than the checks. */
async function runInPage({ runOnly, within }: { runOnly: RunOnly; within?: string | undefined }): Promise<AxeResult> {
  const { run } = (window as unknown as { axe: typeof axe }).axe
  const { violations, passes, inapplicable } = await run(within ?? document, { runOnly, resultTypes: ['violations'], iframes: false })
  return {
    findings: violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => ({ id, impact, html: html.slice(0, 160) }))),
    held: passes.map(({ id }) => id),
    idle: inapplicable.map(({ id }) => id),
  }
}

/** Markers on a map may be small, crowded and cut by its edge, because their position is their meaning. */
const ON_MAP = /class="_(pin|label|centre|credit)_/

type AxeCheck = { rule: string; of: string; runOnly: RunOnly }

export const everything: AxeCheck = { rule: 'color-contrast', of: 'main', runOnly: guidelines }
/** Rules that a change of theme can affect. */
export const colors: AxeCheck = { rule: 'color-contrast', of: 'main', runOnly: rules('color-contrast') }
/** Rules that a change of size can affect. */
export const places: AxeCheck = {
  rule: 'target-size',
  of: ':is(a[href], button, input):visible',
  runOnly: rules('target-size', 'scrollable-region-focusable'),
}

/**
 * Returns the serious findings of axe on the page, or on the part within a selector, and a finding if axe checked no element against `rule`
 * although some match `of`.
 */
export async function findAxeProblems(page: Page, { rule, of, runOnly }: AxeCheck, within?: string) {
  await page.evaluate(disableTileBlending)
  const { findings, held, idle } = await runAxe(page, runOnly, within)
  const found = findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .filter(({ id, html }) => id !== 'target-size' || !ON_MAP.test(html))
    .map(({ id, html }) => `${id}: ${html}`)
  const looked = (await page.locator(within ?? of).count()) > 0 ? held : [...held, ...idle]
  return looked.includes(rule) ? found : [...found, `axe found nothing to hold against ${rule}`]
}

/** Removes the blend mode of Leaflet's tiles, because of which axe could not check any colour of the page. */
function disableTileBlending() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.leaflet-tile { mix-blend-mode: normal !important }')
  document.adoptedStyleSheets = [sheet]
}
