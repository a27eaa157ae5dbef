import type { Page } from '@playwright/test'
import { enlargeText, findCrowding } from '#e2e/crowding.ts'
import { findLayoutProblems } from '#e2e/layout-problems.ts'
import { expect, type TestWorld, test } from '#e2e/portal.ts'
import { groups, nameOf, type Screen } from '#e2e/screens/screens.ts'
import { inSize, waitUntilStill } from '#e2e/show.ts'
import { orderForTour, startTour } from '#e2e/tour.ts'
import { listKeys } from '#e2e/translations.ts'

/** German has the longest words of the languages with spaces. */
const LANGUAGE = 'de'
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]
const keys = listKeys(LANGUAGE)

type Tour = { page: Page; world: TestWorld; asStaff: (member: string) => Promise<void> }

/** Opens each screen and returns the problems that `check` finds on it. */
async function tour({ page, world, asStaff }: Tour, all: readonly Screen[], check: (screen: Screen) => Promise<string[]>) {
  const problems: string[] = []
  const open = startTour(page, {
    origin: world.origin,
    token: ({ as }) => (as ? world.persona(as).token : undefined),
    signInStaff: asStaff,
    language: LANGUAGE,
  })
  for (const screen of orderForTour(all)) {
    await open(screen)
    problems.push(...(await check(screen)).map((problem) => `${nameOf(screen)} ${problem}`))
  }
  return problems
}

async function findProblems(page: Page, screen: Screen) {
  const language = screen.language ?? LANGUAGE
  // In a small window some of them lead elsewhere than in a large one.
  const title = await page.title()
  const size = page.viewportSize()!
  return [...(await findLayoutProblems(page, [{ language, title }], keys)), ...(await findCrowding(page, `${language} ${size.width}`))]
}

test.use({ viewport: SIZES[0]!, contextOptions: { reducedMotion: 'reduce' } })

for (const [group, all] of Object.entries(groups))
  test(`with text of 130 % every text of the ${group} screens grows, and nothing is cut, overlaps or scrolls sideways`, async ({
    page,
    world,
    asStaff,
  }) => {
    test.setTimeout(600_000)
    let sizes = SIZES
    const problems = await tour({ page, world, asStaff }, all, async (screen) => {
      const found = await enlargeText(page, 1.3)
      await waitUntilStill(page, 'body')
      found.push(...(await findProblems(page, screen)))
      // The next screen opens in the size in which this one was left, because resizing takes time.
      sizes = sizes.toReversed()
      await inSize(page, sizes[0]!)
      return [...found, ...(await findProblems(page, screen))]
    })
    expect(problems).toEqual([])
  })

test.describe('zoom', () => {
  test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 })

  for (const [group, all] of Object.entries(groups))
    test(`at a zoom of 200 % nothing on the ${group} screens is cut, overlaps or scrolls sideways`, async ({ page, world, asStaff }) => {
      test.setTimeout(600_000)
      expect(await tour({ page, world, asStaff }, all, (screen) => findProblems(page, screen))).toEqual([])
    })
})
