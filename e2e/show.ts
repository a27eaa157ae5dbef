import type { Page } from '@playwright/test'
import type { Screen } from './screens.ts'
import { sayIn } from './words.ts'

type Around = {
  origin: string
  /** Of the person whose screen it is. */
  token?: string | undefined
  /** Without one the browser's own language decides. */
  language?: string | undefined
}

/** Opens a screen of the table with nothing left over from the one before, and waits until there is nothing more to come. */
export async function show(page: Page, screen: Screen, { origin, token, ...around }: Around) {
  const language = screen.language ?? around.language
  await page.unrouteAll()
  await page.goto(`${origin}/healthz`)
  await page.evaluate(keep, keptBy(screen, token, language))
  await page.goto(origin + screen.path)
  await settled(page, screen.act ? HEADING : screen.ready)
  if (!screen.act) return
  await screen.act(page, sayIn(language ?? 'en'))
  await settled(page, screen.ready ?? 'dialog[open]')
}

/** Goes on to a screen as by a link: the page stays, with all that it has loaded and the language it speaks. */
export async function goOn(page: Page, screen: Screen, token?: string) {
  await page.evaluate(keep, keptBy(screen, token))
  await page.evaluate((path) => {
    const state = { idx: (history.state?.idx ?? 0) + 1, key: path, usr: null }
    history.pushState(state, '', path)
    dispatchEvent(new PopStateEvent('popstate', { state }))
  }, screen.path)
  await settled(page)
}

const keptBy = ({ kept }: Screen, token?: string, language?: string) => ({
  local: { ...kept?.local, ...(token && { token }), ...(language && { language }) },
  tab: kept?.tab ?? {},
})

type Kept = { local: Record<string, string>; tab: Record<string, string> }

function keep({ local, tab }: Kept) {
  for (const [storage, values] of [
    [localStorage, local],
    [sessionStorage, tab],
  ] as const) {
    storage.clear()
    for (const [key, value] of Object.entries(values)) storage.setItem(key, value)
  }
}

/** What a screen has when it is there: a heading. */
const HEADING = 'main :is(h1, h2)'

/** Loaded, drawn, and still: no placeholder, no tile on its way, and the document the same twice in a row. */
export async function settled(page: Page, ready = HEADING) {
  await page.evaluate(() => delete document.documentElement.dataset.drawn)
  await page.waitForFunction(isStill, ready, { polling: 120, timeout: 60_000 })
}

/** The system goes over to the other theme, and the page with it. */
export async function inTheme(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
  await settled(page)
}

function isStill(ready: string) {
  const coming = '[class*="_bone_"], [aria-busy="true"], [data-loading="true"], .leaflet-tile:not(.leaflet-tile-loaded)'
  const hasFont = document.fonts.status === 'loaded' && document.fonts.check('16px "Inter Variable"')
  if (!document.querySelector(ready) || document.querySelector(coming) || !hasFont) return false
  const { documentElement: root } = document
  const drawn = root.innerHTML.length.toString()
  const isSame = root.dataset.drawn === drawn
  root.dataset.drawn = drawn
  return isSame
}
