import type { Page } from '@playwright/test'
import type { BackendName } from '#e2e/foreign-backend/habits.ts'
import { writeId } from '#e2e/foreign-backend/present.ts'
import { createToken } from '#e2e/foreign-backend/state.ts'
import { findLayoutProblems } from '#e2e/layout-problems.ts'
import { type Screen, screens, WITHOUT_DATA } from '#e2e/screens/screens.ts'
import { inSize } from '#e2e/show.ts'
import { takeTurns, visitScreens } from '#e2e/sweep.ts'
import { titleIn } from '#e2e/tour.ts'
import { listKeys } from '#e2e/translations.ts'
import { EVERY, expect, findTracker, over, test } from './journey.ts'

const [DESK, PHONE] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]
const keys = listKeys('en')
const plain = screens.filter(({ state }) => state === undefined)
const withData = plain.filter(({ name }) => !WITHOUT_DATA.has(name))
/** Screens that list the trackers of the backend. */
const isList = ({ name }: Screen) => name === 'index' || name === 'trackers'

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

over(EVERY, 'the screens with data open on a desk and a phone', async ({ browser, backend, backendName, portal }) => {
  test.setTimeout(300_000)
  const idOf = (name: string) => writeId(findTracker(backend, name), backend.habits)
  const [rex, scooter] = [idOf('Rex'), idOf('Stolen scooter')]
  const lists = withData.filter(isList)
  const inTurns = withData.filter((screen) => !isList(screen))
  const mapped = [...lists, ...takeTurns(inTurns, EVERY.indexOf(backendName))].map((screen) => ({
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
    namesFor: (screen) => (isList(screen) ? ['Rex', 'Stolen scooter'] : []),
    inspect: layOut,
  })
  expect(visits).toHaveLength(mapped.length)
  expect(visits.flatMap(({ problems }) => problems)).toEqual([])
  const lacking = visits.flatMap(({ screen, text }) => (isList(screen) && !text.includes('Rex') ? screen.path : []))
  expect(lacking).toEqual([])
})

const withoutSession: BackendName[] = ['drf', 'envelope']
over(withoutSession, 'without a session the addresses of a person lead to the sign-in page', async ({ page, portal, backendName }) => {
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  const guarded = plain.filter(({ as, name }) => as && name !== 'logout')
  for (const { path } of takeTurns(guarded, withoutSession.indexOf(backendName))) {
    await page.goto(portal + path)
    await page
      .getByRole('heading', { name: 'Sign in' })
      .waitFor({ timeout: 10_000 })
      .catch(() => problems.push(`${path} shows ${page.url()}`))
  }
  expect(problems).toEqual([])
})
