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

/** Loaded, drawn, and still: no placeholder, no tile on its way, and nothing changed from one look to the next. */
export async function settled(page: Page, ready = HEADING) {
  await page.evaluate(forget)
  await page.waitForFunction(isStill, ready, { polling: 100, timeout: 60_000 })
}

/** The system goes over to the other theme, and the page with it. */
export async function inTheme(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
  await settled(page)
}

/** The window gets another size, which on a busy machine comes later than it is said to, and the page has drawn what fits it. */
export async function inSize(page: Page, size: { width: number; height: number }) {
  await page.setViewportSize(size)
  await page.waitForFunction(({ width, height }) => innerWidth === width && innerHeight === height, size)
  await settled(page)
}

type Watched = typeof globalThis & { changes?: number; looked?: number | undefined }

/** What was seen before is no measure for what comes now; another size or theme is there with the next frame, however late that is. */
async function forget() {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  const watched: Watched = globalThis
  watched.looked = undefined
}

/** Changes are counted: to compare the document itself would take longer than most screens need to come. */
function isStill(ready: string) {
  const watched: Watched = globalThis
  if (watched.changes === undefined) {
    watched.changes = 0
    const all = { subtree: true, childList: true, attributes: true, characterData: true }
    new MutationObserver((changes) => {
      watched.changes! += changes.length
    }).observe(document, all)
    return false
  }
  const isSame = watched.changes === watched.looked
  watched.looked = watched.changes
  const coming = '[class*="_bone_"], [aria-busy="true"], [data-loading="true"], .leaflet-tile:not(.leaflet-tile-loaded)'
  const hasFont = document.fonts.status === 'loaded' && document.fonts.check('16px "Inter Variable"')
  return isSame && hasFont && document.querySelector(ready) !== null && document.querySelector(coming) === null
}
