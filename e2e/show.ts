import type { Page } from '@playwright/test'
import type { Screen } from '#e2e/screens/screens.ts'
import { createTranslate } from './translations.ts'

type ShowOptions = {
  origin: string
  /** Session of the screen's user. */
  token?: string | undefined
  /** By default the browser's language. */
  language?: string | undefined
  /** How long to wait until the screen is complete, in ms. */
  timeout?: number
}

export const COMPLETE_MS = 60_000

/** Opens a screen of the table with fresh storage, and waits until it is complete. */
export async function show(page: Page, screen: Screen, { origin, token, timeout = COMPLETE_MS, ...options }: ShowOptions) {
  const language = screen.language ?? options.language
  await page.unrouteAll()
  await page.goto(`${origin}/healthz`)
  await page.evaluate(fillStorage, storageOf(screen, token, language))
  await page.goto(origin + screen.path)
  await complete(page, screen, { language, timeout })
}

/** Waits until an opened screen is complete, then performs the steps to its state. */
export async function complete(page: Page, screen: Screen, { language = 'en', timeout = COMPLETE_MS }: Omit<ShowOptions, 'origin'>) {
  await waitUntilStill(page, screen.act ? HEADING : screen.ready, timeout)
  if (!screen.act) return
  await screen.act(page, createTranslate(language))
  await waitUntilStill(page, screen.ready ?? 'dialog[open]', timeout)
}

const storageOf = ({ kept }: Screen, token?: string, language?: string) => ({
  local: { ...kept?.local, ...(token && { token }), ...(language && { language }) },
  tab: kept?.tab ?? {},
})

type Kept = { local: Record<string, string>; tab: Record<string, string> }

function fillStorage({ local, tab }: Kept) {
  for (const [storage, values] of [
    [localStorage, local],
    [sessionStorage, tab],
  ] as const) {
    storage.clear()
    for (const [key, value] of Object.entries(values)) storage.setItem(key, value)
  }
}

/** Every complete screen has a heading. */
const HEADING = 'main :is(h1, h2)'

/** Waits until the page is loaded, drawn and still: no placeholder, no loading tile, and no DOM change between two polls. */
export async function waitUntilStill(page: Page, ready = HEADING, timeout = COMPLETE_MS) {
  await page.evaluate(resetChangeCount)
  await page.waitForFunction(isStill, ready, { polling: 100, timeout })
}

/** Switches the system's theme, and waits until the page has followed. */
export async function inTheme(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
  await waitUntilStill(page)
}

/**
 * Resizes the window and waits until the page is laid out for it. On a busy machine the resize event comes after `innerWidth` has changed,
 * and the page adapts only then.
 */
export async function inSize(page: Page, size: { width: number; height: number }) {
  await page.evaluate(expectResize, size)
  await page.setViewportSize(size)
  await page.waitForFunction(hasResized, size)
  await waitUntilStill(page)
}

type ResizeWatcher = typeof globalThis & { hasSeenResize?: boolean }

/** Runs inside the page before it is resized. */
function expectResize({ width, height }: { width: number; height: number }) {
  const watched: ResizeWatcher = globalThis
  watched.hasSeenResize = innerWidth === width && innerHeight === height
  const seeResize = () => {
    watched.hasSeenResize = true
  }
  addEventListener('resize', seeResize, { once: true })
}

/** Runs inside the page. */
function hasResized({ width, height }: { width: number; height: number }) {
  const watched: ResizeWatcher = globalThis
  return watched.hasSeenResize === true && innerWidth === width && innerHeight === height
}

type ChangeCounter = typeof globalThis & { changes?: number; looked?: number | undefined }

/** Discards the last count of changes, after a frame in which the new size or theme takes effect. */
async function resetChangeCount() {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  const watched: ChangeCounter = globalThis
  watched.looked = undefined
}

/** Counts changes, since comparing the whole document would take longer than most screens need to load. */
function isStill(ready: string) {
  const watched: ChangeCounter = globalThis
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
  const coming = '[data-skeleton]:not([data-sample] *), [aria-busy="true"], [data-loading="true"], .leaflet-tile:not(.leaflet-tile-loaded)'
  const hasFont = document.fonts.status === 'loaded' && document.fonts.check('16px "Inter Variable"')
  return isSame && hasFont && document.querySelector(ready) !== null && document.querySelector(coming) === null
}
