import { LANGUAGES } from '#contracts/lib/constants.ts'
import { colors, everything, hindrances, places } from './axe.ts'
import { expect, type TestWorld, test } from './portal.ts'
import { groups, nameOf, type Screen } from './screens.ts'
import { inSize, inTheme, show } from './show.ts'
import { sweep } from './sweep.ts'
import { watch } from './watch.ts'
import { keysIn, sayIn } from './words.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** The languages with the longest words, and the one without spaces: enough for the variants of a screen. */
const WIDEST = ['de', 'fi', 'ja'] as const

// Problems are reported as text; recording a trace would slow down each of the many visits.
test.use({ trace: 'off', viewport: DESK, contextOptions: { reducedMotion: 'reduce' } })

const titleIn = (language: string, { name }: Screen) => `Whereabouts - ${sayIn(language)(`title.${name === 'logout' ? 'login' : name}`)}`
const keys = keysIn('en')
const tokenOf = (world: TestWorld, { as }: Screen) => (as ? world.persona(as).token : undefined)

// One visit to each screen checks everything about it, because opening screens takes most of the time.
for (const [group, all] of Object.entries(groups)) {
  test(`R-1.24 R-1.26 R-2.2 ${group} screens fit in every language and axe finds nothing serious, in light and dark, on desktop and phone`, async ({
    page,
    world,
  }) => {
    test.setTimeout(600_000)
    const heard = watch(page)
    const problems: string[] = []
    for (const screen of all) {
      const tell = (found: string[], where = '') => problems.push(...found.map((problem) => `${nameOf(screen)} ${where}${problem}`))
      // English comes last, so that the phone pass starts with it.
      const spoken = screen.state ? WIDEST : [...LANGUAGES.slice(1), LANGUAGES[0]]
      const wanted = spoken.map((language) => ({ language, title: titleIn(language, screen) }))
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(DESK)
      await show(page, screen, { origin: world.origin, token: tokenOf(world, screen), language: 'en' })
      tell(await hindrances(page, everything), 'light: ')
      await inTheme(page, 'dark')
      tell(await hindrances(page, colors), 'dark: ')
      tell(await sweep(page, wanted, keys))
      await inSize(page, PHONE)
      if (!screen.state) tell(await hindrances(page, places), 'phone: ')
      tell(await sweep(page, wanted, keys))
      const complaints = heard()
      if (!screen.fails) tell(complaints)
    }
    expect(problems).toEqual([])
  })
}
