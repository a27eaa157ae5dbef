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
  const local = { ...screen.kept?.local, ...(token && { token }), ...(language && { language }) }
  await page.goto(`${origin}/healthz`)
  await page.evaluate(keep, { local, tab: screen.kept?.tab ?? {} })
  await page.goto(origin + screen.path)
  await settled(page)
  if (!screen.act) return
  await screen.act(page, sayIn(language ?? 'en'))
  await settled(page, screen.ready ?? 'dialog[open]')
}

function keep({ local, tab }: { local: Record<string, string>; tab: Record<string, string> }) {
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
export const settled = (page: Page, ready = HEADING) => page.waitForFunction(isStill, ready, { polling: 120, timeout: 20_000 })

function isStill(ready: string) {
  const coming = '[class*="_bone_"], [aria-busy="true"], [data-loading="true"], .leaflet-tile:not(.leaflet-tile-loaded)'
  if (!document.querySelector(ready) || document.querySelector(coming) || document.fonts.status === 'loading') return false
  const { documentElement: root } = document
  const drawn = root.innerHTML.length.toString()
  const isSame = root.dataset.drawn === drawn
  root.dataset.drawn = drawn
  return isSame
}
