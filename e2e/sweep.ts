import { type Browser, expect, type Page, type Request } from '@playwright/test'
import type { TestWorld } from '#e2e/portal.ts'
import { nameOf, type Screen } from '#e2e/screens/screens.ts'
import { waitUntilStill } from './show.ts'
import { orderForTour, startTour } from './tour.ts'
import { createTranslate } from './translations.ts'

const COMPLETE_MS = 30_000
/** Texts that show an unhandled value. */
const MEANINGLESS = /\b(undefined|null|NaN|Invalid Date|Infinity)\b|\[object \w+\]/g

const translate = createTranslate('en')
const CRASHED = [translate('error.server'), translate('error.chunkHeading')]
const NOT_LOADED = [translate('error.load'), translate('purchases.ordersFailed')]

export type Visit = { screen: Screen; text: string; problems: string[] }
type Inspection = {
  host: string
  /** Provides the time for the pages, and signs users in. */
  world: { persona(key: string): { token: string }; clock: Pick<TestWorld['clock'], 'now'> }
  mayLack: (screen: Screen) => boolean
  /** Texts that the screen must show. */
  namesFor: (screen: Screen) => string[]
  /** Looks for further problems on the open screen. */
  inspect?: (page: Page, screen: Screen) => Promise<string[]>
}

/**
 * The screens to visit with one of several backends. By day neighbouring backends take turns: one visits the screens that the next leaves
 * out. `SCREENS=all` visits all with each, as CI and the night do.
 */
export const takeTurns = (screens: readonly Screen[], turn: number) =>
  process.env.SCREENS === 'all' ? [...screens] : screens.filter((_, index) => index % 2 === turn % 2)

/**
 * Visits every screen once, and reports problems that no backend may cause. All in one window: a second one would load the portal and the
 * files of every screen again, which costs more processor time than visiting in parallel saves.
 */
export async function visitScreens(browser: Browser, screens: readonly Screen[], inspection: Inspection): Promise<Visit[]> {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.clock.setFixedTime(await inspection.world.clock.now())
  const token = ({ as }: Screen) => as && inspection.world.persona(as).token
  const open = startTour(page, { origin: inspection.host, token, language: 'en', timeout: COMPLETE_MS })
  const window = { page, open, takeCrashes: collectCrashes(page), takeLost: collectLost(page), pending: trackRequests(page) }
  const visits: Visit[] = []
  for (const screen of orderForTour(screens)) visits.push(await visit(window, screen, inspection))
  await context.close()
  return visits
}

type Window = {
  page: Page
  open: (screen: Screen) => Promise<void>
  takeCrashes: () => string[]
  takeLost: () => string[]
  pending: Set<Request>
}

async function visit(
  { page, open, takeCrashes, takeLost, pending }: Window,
  screen: Screen,
  { mayLack, namesFor, inspect }: Inspection,
): Promise<Visit> {
  const problems: string[] = []
  pending.clear()
  try {
    await open(screen)
    await waitUntilAnswered(page, pending)
  } catch (error) {
    const waiting = [...pending].map((request) => `${request.method()} ${request.url()}`).join(', ')
    problems.push(`never complete: ${waiting || String(error).split('\n', 1)[0]}`)
  }
  const text = await readUntil(page, namesFor(screen))
  const { pathname } = new URL(page.url())
  if (screen.name !== 'error') {
    problems.push(...CRASHED.filter((words) => text.includes(words)).map((words) => `crashed: ${words}`))
    if (pathname === '/error') problems.push('leads to /error')
  }
  if (screen.as && screen.name !== 'logout' && pathname === '/login') problems.push('leads to /login')
  if (!mayLack(screen)) problems.push(...NOT_LOADED.filter((words) => text.includes(words)))
  problems.push(...new Set([...text.matchAll(MEANINGLESS)].map((match) => `shows "${around(text, match.index)}"`)))
  if (inspect && problems.length === 0) problems.push(...(await inspect(page, screen)))
  problems.push(...takeCrashes())
  const lost = takeLost()
  // Failed requests explain why a screen is not complete.
  if (problems.length > 0) problems.push(...lost)
  return { screen, text, problems: problems.map((problem) => `${nameOf(screen)} (${screen.path}) ${problem}`) }
}

/** Reads the page until it shows all names, or until the time limit. */
async function readUntil(page: Page, names: string[]) {
  let text = ''
  const read = async () => {
    // An incomplete page may still be navigating.
    text = await readEverything(page).catch(async () => {
      await page.waitForLoadState()
      return readEverything(page)
    })
    return names.every((name) => text.includes(name))
  }
  await expect
    .poll(read, { timeout: COMPLETE_MS, intervals: [100] })
    .toBe(true)
    .catch(() => undefined)
  return text
}

const around = (text: string, index: number) => text.slice(Math.max(0, index - 20), index + 30).replace(/\s+/g, ' ')

/** All text of a page, visible or for screen readers. */
const readEverything = (page: Page) =>
  page.evaluate(() => {
    const spoken = [...document.querySelectorAll('[aria-label], [title], [alt], [placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'alt', 'placeholder'].map((name) => element.getAttribute(name)),
    )
    const typed = [...document.querySelectorAll('input, textarea')].map((element) => (element as HTMLInputElement).value)
    return [document.title, document.body.innerText, ...spoken, ...typed].filter((text) => text).join('\n')
  })

/** A map is static long before its last places arrive, one page of a list after the other. */
async function waitUntilAnswered(page: Page, pending: ReadonlySet<Request>) {
  while (pending.size > 0) {
    await expect.poll(() => pending.size, { timeout: COMPLETE_MS, intervals: [50] }).toBe(0)
    await waitUntilStill(page, undefined, COMPLETE_MS)
  }
}

/** Pending requests of the page; a live stream never ends, so it does not count. */
function trackRequests(page: Page) {
  const pending = new Set<Request>()
  page.on('request', (request) => {
    if (!request.url().includes('/devices/live/')) pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  page.on('response', (response) => {
    const request = response.request()
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    // A new page ends the requests of the page before it, and Chromium does not always report that.
    for (const older of pending) if (older !== request) pending.delete(older)
  })
  return pending
}

/** Requests without a response, and rejected ones. */
function collectLost(page: Page) {
  const lost: string[] = []
  page.on('requestfailed', (request) => lost.push(`lost ${request.method()} ${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', async (response) => {
    if (response.status() < 400) return
    const text = await response.text().catch(() => '')
    lost.push(`${response.status()} for ${response.request().method()} ${response.url()}: ${text.slice(0, 200)}`)
  })
  return () => lost.splice(0)
}

function collectCrashes(page: Page) {
  const crashes: string[] = []
  page.on('pageerror', (error) => crashes.push(`throws ${error.message}`))
  return () => crashes.splice(0)
}
