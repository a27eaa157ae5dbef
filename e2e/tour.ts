import type { Page } from '@playwright/test'
import type { Screen } from './screens.ts'
import { COMPLETE_MS, show, waitUntilStill } from './show.ts'
import { createTranslate } from './translations.ts'

type NavigateOptions = { language: string; timeout?: number }
type TourOptions = NavigateOptions & { origin: string; token: (screen: Screen) => string | undefined }

/** A page that everybody may open, between two screens of the same title. */
const STOPOVER: Screen = { name: 'notFound', path: '/nope' }

/** Title of a screen in a language. */
export const titleIn = (language: string, { name }: Screen) =>
  `Whereabouts - ${createTranslate(language)(`title.${name === 'logout' ? 'login' : name}`)}`

/**
 * Returns a function that opens one screen after another in the same page. It loads the portal only where the person, the storage or an
 * interaction demands it, and otherwise navigates inside it as a link does, because loading takes most of the time of a visit.
 */
export function startTour(page: Page, { token, ...options }: TourOptions) {
  let last: Screen | undefined
  return async (screen: Screen) => {
    const before = last
    last = undefined
    if (before && canFollow(before, screen)) {
      if (before.name === screen.name) await navigate(page, STOPOVER, options)
      await navigate(page, screen, options)
      await waitUntilStill(page, screen.ready, options.timeout)
    } else {
      await show(page, screen, { ...options, token: token(screen) })
    }
    last = screen
  }
}

/** Orders screens so that as many as possible can follow each other without a load. */
export const orderForTour = (screens: readonly Screen[]) =>
  [...screens].sort((one, other) => groupOf(one).localeCompare(groupOf(other)) || Number(!isPlain(one)) - Number(!isPlain(other)))

const groupOf = ({ as = '' }: Screen) => as

const isPlain = ({ kept, act, fails, language, isSpent, name }: Screen) =>
  !kept && !act && !fails && !language && !isSpent && name !== 'logout'

const canFollow = (before: Screen, screen: Screen) => isPlain(before) && isPlain(screen) && before.as === screen.as

async function navigate(page: Page, screen: Screen, { language, timeout = COMPLETE_MS }: NavigateOptions) {
  await page.evaluate(
    ({ path, language }) => {
      localStorage.setItem('language', language)
      dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: language }))
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    },
    { path: screen.path, language },
  )
  await page.waitForFunction((title) => document.title === title, titleIn(language, screen), { timeout })
}
