import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const GUIDELINES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Where something is on a map is what it says: there it may be crowded, and cut by the edge of the window. */
const ON_MAP = /class="_(pin|label|centre|credit)_/

type Look = { rule: string; of: string; look(axe: AxeBuilder): AxeBuilder }

export const everything: Look = { rule: 'color-contrast', of: 'main', look: (axe) => axe.withTags(GUIDELINES) }
/** All that another theme changes. */
export const colors: Look = { rule: 'color-contrast', of: 'main', look: (axe) => axe.withRules(['color-contrast']) }
/** What another size changes. */
export const places: Look = {
  rule: 'target-size',
  of: ':is(a[href], button, input):visible',
  look: (axe) => axe.withRules(['target-size', 'scrollable-region-focusable']),
}

/** Of the rest only which rules were held against anything: to name every element that passes takes longer than to look at it. */
const BRIEFLY = { resultTypes: ['violations' as const] }

/** What hinders people, as axe sees it; that it did not hold `rule` against anything where there is such a thing is a hindrance too. */
export async function hindrances(page: Page, { rule, of, look }: Look) {
  await page.evaluate(blendNothing)
  const { violations, passes, inapplicable } = await look(new AxeBuilder({ page }).setLegacyMode().options(BRIEFLY)).analyze()
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html })))
    .filter(({ id, html }) => id !== 'target-size' || !ON_MAP.test(html))
    .map(({ id, html }) => `${id}: ${html.slice(0, 160)}`)
  const looked = (await page.locator(of).count()) > 0 ? passes : [...passes, ...inapplicable]
  return looked.some(({ id }) => id === rule) ? found : [...found, `axe found nothing to hold against ${rule}`]
}

/** Leaflet's tiles are blended in a way that axe does not know: it would give up on every colour of the page. */
function blendNothing() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.leaflet-tile { mix-blend-mode: normal !important }')
  document.adoptedStyleSheets = [sheet]
}
