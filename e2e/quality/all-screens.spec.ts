import type { Page } from '@playwright/test'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { colors, everything, findAxeProblems, places } from '#e2e/axe.ts'
import { enlargeText, findCrowding } from '#e2e/crowding.ts'
import { findLayoutProblems } from '#e2e/layout-problems.ts'
import { expect, type TestWorld, test } from '#e2e/portal.ts'
import { collectProblems } from '#e2e/problems.ts'
import { groups, nameOf, type Screen } from '#e2e/screens/screens.ts'
import { inSize, inTheme, waitUntilStill } from '#e2e/show.ts'
import { orderForTour, startTour, titleIn } from '#e2e/tour.ts'
import { listKeys } from '#e2e/translations.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** A desktop at a zoom of 200 %: a page is laid out for half of its width and height. */
const ZOOMED = { width: 640, height: 400 }
/** German has the longest words of the languages with spaces. */
const LONGEST = 'de'
/** The languages with the longest words, and the language without spaces: enough for the variants of a screen, and for a wide window. */
const WIDEST: readonly Language[] = ['de', 'fi', 'ja']
const OTHERS = LANGUAGES.filter((language) => !WIDEST.includes(language))
/** At night every screen is laid out in every language and size (`.github/workflows/nightly.yml`). */
const RUNS_ALL = process.env.SCREENS === 'all'

const withLast = (last: Language, all: readonly Language[]) => [last, ...all.filter((language) => language !== last && language !== 'en')]

/**
 * The languages in which a screen is laid out by day: a plain screen on the phone, where space is tightest, in the widest languages and two
 * others in turn; a variant, whose frame is that of the plain screen, in one of each kind, and in German with large text.
 */
function languagesByDay({ state }: Screen, index: number) {
  const last = WIDEST[index % WIDEST.length]!
  const takeTurn = (turn: number) => OTHERS[turn % OTHERS.length]!
  return {
    desk: ['en', last],
    phone: state ? [last, takeTurn(2 * index)] : [...withLast(last, WIDEST), takeTurn(2 * index), takeTurn(2 * index + 1)],
  }
}

/** Changing the language redraws the whole portal, so the phone starts with the last language of the desktop. */
function languagesFor(screen: Screen, index: number) {
  if (!RUNS_ALL) return languagesByDay(screen, index)
  const last = WIDEST[index % WIDEST.length]!
  return screen.state
    ? { desk: ['en', last], phone: withLast(last, WIDEST) }
    : { desk: ['en', ...withLast(last, WIDEST).reverse()], phone: [...withLast(last, LANGUAGES), 'en'] }
}

/** The sizes in which the text of a screen has little space; by day a variant has one of them in turn. */
function crowdedFor({ state }: Screen, index: number) {
  const isDue = (turn: number) => RUNS_ALL || !state || index % 3 === turn
  return { enlargedOnDesk: isDue(0), enlargedOnPhone: isDue(1), zoomed: isDue(2) }
}

/** The themes in which axe checks a screen; by day a variant has one of them in turn. */
function themesFor({ state }: Screen, index: number) {
  if (RUNS_ALL || !state) return ['light', 'dark'] as const
  return index % 2 === 0 ? (['light'] as const) : (['dark'] as const)
}

/** Axe checks only an open dialog: the page behind it is inert, and is checked without the dialog. */
const DIALOG = 'dialog[open]'

test.use({ viewport: DESK, contextOptions: { reducedMotion: 'reduce' } })

const keys = listKeys('en')
const tokenOf = (world: TestWorld, { as }: Screen) => (as ? world.persona(as).token : undefined)

test('by day each group of screens is laid out on the phone in every language', () => {
  const missing = Object.entries(groups).flatMap(([group, all]) => {
    const seen = new Set(orderForTour(all).flatMap((screen, index) => languagesByDay(screen, index).phone))
    return LANGUAGES.filter((language) => !seen.has(language)).map((language) => `${group} ${language}`)
  })
  expect(missing).toEqual([])
})

// One visit to each screen checks everything about it, because opening screens takes most of the time.
for (const [group, all] of Object.entries(groups)) {
  test(`R-1.24 R-1.26 R-2.2 ${group} screens fit in every language, with text of 130 % and at a zoom of 200 %, and axe finds nothing serious, in light and dark, on desktop and phone`, async ({
    page,
    world,
    asStaff,
  }) => {
    test.setTimeout(600_000)
    const takeComplaints = collectProblems(page)
    const problems: string[] = []
    const open = startTour(page, {
      origin: world.origin,
      token: (screen) => tokenOf(world, screen),
      signInStaff: asStaff,
      language: 'en',
    })
    for (const [index, screen] of orderForTour(all).entries()) {
      const addProblems = (found: string[], where = '') => problems.push(...found.map((problem) => `${nameOf(screen)} ${where}${problem}`))
      const withTitles = (languages: readonly string[]) => languages.map((language) => ({ language, title: titleIn(language, screen) }))
      const { desk, phone } = languagesFor(screen, index)
      const crowded = crowdedFor(screen, index)
      const [firstTheme, nextTheme] = themesFor(screen, index)
      await page.emulateMedia({ colorScheme: firstTheme })
      await page.setViewportSize(DESK)
      await open(screen)
      const dialog = (await page.locator(DIALOG).count()) > 0 ? DIALOG : undefined
      addProblems(await findAxeProblems(page, everything, dialog), `${firstTheme}: `)
      if (nextTheme) {
        await inTheme(page, nextTheme)
        addProblems(await findAxeProblems(page, colors, dialog), `${nextTheme}: `)
      }
      addProblems(await findLayoutProblems(page, withTitles(desk), keys))
      if (crowded.enlargedOnDesk) {
        addProblems(await enlargeText(page, 1.3))
        addProblems(await findCrowded(page, screen), 'large text: ')
        await enlargeText(page, 1)
      }
      await inSize(page, PHONE)
      if (!screen.state) addProblems(await findAxeProblems(page, places), 'phone: ')
      addProblems(await findLayoutProblems(page, withTitles(phone), keys))
      if (crowded.enlargedOnPhone) {
        addProblems(await enlargeText(page, 1.3))
        addProblems(await findCrowded(page, screen), 'large text: ')
        await enlargeText(page, 1)
      }
      if (crowded.zoomed) {
        await inSize(page, ZOOMED)
        addProblems(await findCrowded(page, screen), 'zoomed: ')
      }
      const complaints = takeComplaints()
      if (!screen.fails) addProblems(complaints)
    }
    expect(problems).toEqual([])
  })
}

/** The problems of a page that has little space for its text. */
async function findCrowded(page: Page, screen: Screen) {
  await waitUntilStill(page, 'body')
  const layout = await findLayoutProblems(page, [{ language: LONGEST, title: titleIn(LONGEST, screen) }], keys)
  return [...layout, ...(await findCrowding(page, `${LONGEST} ${page.viewportSize()!.width}`))]
}
