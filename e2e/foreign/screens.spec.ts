import type { Page } from '@playwright/test'
import { writeId } from '#e2e/foreign-backend/present.ts'
import { createToken } from '#e2e/foreign-backend/state.ts'
import { findLayoutProblems } from '#e2e/layout-problems.ts'
import { type Screen, screens, WITHOUT_DATA } from '#e2e/screens/screens.ts'
import { inSize } from '#e2e/show.ts'
import { visitScreens } from '#e2e/sweep.ts'
import { titleIn } from '#e2e/tour.ts'
import { listKeys } from '#e2e/translations.ts'
import { EVERY, expect, findTracker, over, test } from './journey.ts'

const [DESK, PHONE] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]
const keys = listKeys('en')
const plain = screens.filter(({ state }) => state === undefined)

/** A screen that the backend lacks shows the notice that the page does not exist. */
async function layOut(page: Page, screen: Screen) {
  const title = await page.title()
  const problems: string[] = []
  for (const size of [PHONE, DESK]) {
    await inSize(page, size)
    problems.push(...(await findLayoutProblems(page, [{ language: 'en', title }], keys)))
  }
  const isKnown = [screen, { ...screen, name: 'notFound' as const }].some((each) => titleIn('en', each) === title)
  return isKnown ? problems : [...problems, `is called ${title}`]
}

over(EVERY, 'every screen with data opens on a desk and a phone', async ({ browser, backend, portal }) => {
  test.setTimeout(300_000)
  const idOf = (name: string) => writeId(findTracker(backend, name), backend.habits)
  const [rex, scooter] = [idOf('Rex'), idOf('Stolen scooter')]
  const mapped = plain
    .filter(({ name }) => !WITHOUT_DATA.has(name))
    .map((screen) => ({
      ...screen,
      path: screen.path
        .replace(/^\/trackers\/1\b/, `/trackers/${rex}`)
        .replace(/theft_file\?id=\d+/, `theft_file?id=${scooter}`)
        .replace(/([?&](?:id|devices))=\d+/, `$1=${rex}`),
    }))
  const persona = () => {
    const token = createToken()
    backend.state.sessions.set(token, 1)
    return { token }
  }
  const visits = await visitScreens(browser, mapped, {
    host: portal,
    world: { persona, clock: { now: async () => new Date() } },
    mayLack: ({ name }) => name === 'pubTrackers',
    namesFor: ({ name }) => (name === 'index' || name === 'trackers' ? ['Rex', 'Stolen scooter'] : []),
    inspect: layOut,
  })
  expect(visits).toHaveLength(mapped.length)
  expect(visits.flatMap(({ problems }) => problems)).toEqual([])
  const lacking = visits.flatMap(({ screen, text }) =>
    ['index', 'trackers'].includes(screen.name) && !text.includes('Rex') ? screen.path : [],
  )
  expect(lacking).toEqual([])
})

over(['drf', 'envelope'], 'without a session every address of a person leads to the sign-in page', async ({ page, portal }) => {
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  for (const { path } of plain.filter(({ as, name }) => as && name !== 'logout')) {
    await page.goto(portal + path)
    await page
      .getByRole('heading', { name: 'Sign in' })
      .waitFor({ timeout: 10_000 })
      .catch(() => problems.push(`${path} shows ${page.url()}`))
  }
  expect(problems).toEqual([])
})
