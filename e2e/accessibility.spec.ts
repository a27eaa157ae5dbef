import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './portal.ts'
import { groups, nameOf } from './screens.ts'
import { inTheme, settled, show } from './show.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

const GUIDELINES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

test.use({ viewport: DESK, contextOptions: { reducedMotion: 'reduce' } })

/** Where something is on a map is what it says: there it may be crowded, and cut by the edge of the window. */
const ON_MAP = /class="_(pin|label|centre|credit)_/

type Look = { rule: string; of: string; look(axe: AxeBuilder): AxeBuilder }

/** What hinders people, as axe sees it; that it did not hold `rule` against anything where there is such a thing is a hindrance too. */
async function hindrances(page: Page, { rule, of, look }: Look) {
  await page.evaluate(blendNothing)
  const { violations, passes, inapplicable } = await look(new AxeBuilder({ page }).setLegacyMode()).analyze()
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

const everything: Look = { rule: 'color-contrast', of: 'main', look: (axe: AxeBuilder) => axe.withTags(GUIDELINES) }
/** All that another theme changes. */
const colors: Look = { rule: 'color-contrast', of: 'main', look: (axe: AxeBuilder) => axe.withRules(['color-contrast']) }
/** What another size changes. */
const places: Look = {
  rule: 'target-size',
  of: ':is(a[href], button, input):visible',
  look: (axe: AxeBuilder) => axe.withRules(['target-size', 'scrollable-region-focusable']),
}

for (const [group, screens] of Object.entries(groups)) {
  test(`axe finds nothing serious in ${group}: every screen and dialog, light and dark, on a desk and on a phone`, async ({
    page,
    world,
  }) => {
    test.setTimeout(600_000)
    const problems: string[] = []
    for (const screen of screens) {
      const told = (where: string) => (problem: string) => `${nameOf(screen)} ${where}: ${problem}`
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(DESK)
      await show(page, screen, { origin: world.origin, token: screen.as && world.persona(screen.as).token, language: 'en' })
      problems.push(...(await hindrances(page, everything)).map(told('light')))
      await inTheme(page, 'dark')
      problems.push(...(await hindrances(page, colors)).map(told('dark')))
      if (screen.state) continue
      await inTheme(page, 'light')
      await page.setViewportSize(PHONE)
      await settled(page)
      problems.push(...(await hindrances(page, places)).map(told('phone')))
    }
    expect(problems).toEqual([])
  })
}
