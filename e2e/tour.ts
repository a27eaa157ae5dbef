import { expect, type Page } from '@playwright/test'
import type { Screen } from '#e2e/screens/screens.ts'
import { COMPLETE_MS, complete, show } from './show.ts'
import { createTranslate } from './translations.ts'

type NavigateOptions = { language: string; timeout?: number }
type TourOptions = NavigateOptions & {
  origin: string
  token: (screen: Screen) => string | undefined
  /** Signs the member of staff of a screen in to the console. */
  signInStaff?: (member: string) => Promise<void>
}

/** A public page, opened between two screens of the same title. */
const STOPOVER: Screen = { name: 'notFound', path: '/nope' }

/** Title of a screen in a language. */
export const titleIn = (language: string, { name, title = `title.${name === 'logout' ? 'login' : name}` }: Screen) =>
  `Whereabouts - ${createTranslate(language)(title)}`

/**
 * Returns a function that opens one screen after another in the same page. It loads the portal only if the user or the storage has to
 * change, and otherwise navigates inside it like a link, because loading takes most of the time of a visit.
 */
export function startTour(page: Page, { token, signInStaff, ...options }: TourOptions) {
  page.setDefaultTimeout(options.timeout ?? COMPLETE_MS)
  let last: Screen | undefined
  return async (screen: Screen) => {
    const before = last
    last = undefined
    if (before && canFollow(before, screen)) {
      await closeDialogs(page)
      await page.evaluate(replaceTabStorage, { old: before.kept?.tab ?? {}, own: screen.kept?.tab ?? {} })
      if (before.name === screen.name) await navigate(page, STOPOVER, options)
      await navigate(page, screen, options)
      await complete(page, screen, options)
    } else {
      if (screen.staff) await signInStaff?.(screen.staff)
      await show(page, screen, { ...options, token: token(screen) })
    }
    last = screen
  }
}

/** Orders screens to avoid page loads; those that change what others show come late. */
export const orderForTour = (screens: readonly Screen[]) =>
  [...screens].sort((one, other) => userOf(one).localeCompare(userOf(other)) || rankOf(one) - rankOf(other))

const userOf = ({ as = '', staff = '' }: Screen) => `${as} ${staff}`

const rankOf = (screen: Screen) => (isInside(screen) ? (screen.kept ? 1 : 0) : screen.isSpent ? 2 : 3)

/** The screen needs no page of its own: it can come after others, and others after it. */
const isInside = (screen: Screen) => canBeReached(screen) && !screen.isSpent

/** Values of the tab are read when a screen opens, those of the device when the portal starts. */
const canBeReached = ({ kept, fails, language, name }: Screen) => !kept?.local && !fails && !language && name !== 'logout'

const canFollow = (before: Screen, screen: Screen) => isInside(before) && canBeReached(screen) && userOf(before) === userOf(screen)

type TabStorage = Record<string, string>

/** Runs inside the page. */
function replaceTabStorage({ old, own }: { old: TabStorage; own: TabStorage }) {
  for (const key of Object.keys(old)) sessionStorage.removeItem(key)
  for (const [key, value] of Object.entries(own)) sessionStorage.setItem(key, value)
}

/** The search, for example, belongs to no screen and would stay open on the next one. */
async function closeDialogs(page: Page) {
  const dialog = page.locator('dialog[open]')
  if ((await dialog.count()) === 0) return
  // A busy browser may lose a key press.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached', timeout: 5000 })
  }).toPass({ timeout: COMPLETE_MS })
}

async function navigate(page: Page, screen: Screen, { language, timeout = COMPLETE_MS }: NavigateOptions) {
  await page.evaluate(
    ({ path, language }) => {
      if (document.documentElement.lang !== language) {
        localStorage.setItem('language', language)
        dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: language }))
      }
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    },
    { path: screen.path, language },
  )
  // A screen that the backend lacks keeps the title of the public page in between.
  const titles = [screen, STOPOVER].map((shown) => titleIn(language, shown))
  await page.waitForFunction((titles) => titles.includes(document.title), titles, { timeout })
}
