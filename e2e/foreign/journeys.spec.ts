import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { writeId } from '#e2e/foreign-backend/present.ts'
import type { ForeignBackend } from '#e2e/foreign-backend/server.ts'
import { addLink, PASSWORD } from '#e2e/foreign-backend/state.ts'
import { EVERY, expect, findTracker, openCard, over } from './journey.ts'

async function signIn(page: Page, password = PASSWORD) {
  await page.getByLabel('E-mail or username').fill('ada@example.org')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

over(
  EVERY,
  'after a wrong password a person signs in, sees sixteen trackers, and finds two in the list and on the map',
  async ({ page, open, backend }) => {
    await open('/', 'nobody')
    await signIn(page, 'wrong-password')
    await expect(page.getByRole('alert')).toHaveText('Incorrect username or password')
    await signIn(page)
    await expect(page.getByRole('heading', { name: 'Trackers 16' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    const map = page.getByRole('region', { name: 'Map' })
    await expect(map.getByRole('button', { name: /Cessna|trackers/ }).first()).toBeVisible()
    await page.getByRole('textbox', { name: 'Search name, tag, address' }).fill('Cessna')
    await expect(map.getByRole('button', { name: /Cessna/ })).toBeVisible()
    const card = await openCard(page, 'Rex')
    await expect(card).toContainText('84%')
    await expect(card).toContainText('12 Rue de Rivoli')
    await expect(card).toContainText(/Stationary|Stopped/i)
    expect(backend.journal.filter(({ status }) => status >= 500)).toEqual([])
  },
)

over(
  EVERY,
  'a tracker is activated, and a subscription is linked to another by its code with one request',
  async ({ page, open, backend }) => {
    await open('/')
    const card = await openCard(page, 'New collar')
    await card.getByRole('button', { name: 'Activate subscription' }).click()
    await page.getByRole('button', { name: 'Activate now' }).click()
    await expect(card.getByRole('button', { name: 'Activate subscription' })).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect(findTracker(backend, 'New collar').subState).toBe('active')

    const countCalls = () => backend.journal.filter(({ path }) => path.includes('activate_subscription')).length
    const before = countCalls()
    await open('/link_subscription')
    await page.getByRole('combobox', { name: /Tracker/ }).selectOption('Spare')
    await page.getByRole('textbox', { name: /Verification code/ }).fill('4f-77')
    await page.getByRole('button', { name: 'Link subscription' }).click()
    await expect(page.getByRole('heading', { name: 'Subscription linked' })).toBeVisible()
    expect(findTracker(backend, 'Spare').subState).toBe('active')
    expect(countCalls()).toBe(before + 1)
  },
)

async function createLink(page: Page) {
  await page.getByRole('button', { name: 'New link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Name of the link/).fill('For the vet')
  await dialog.getByRole('radio', { name: 'Permanent' }).check()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  return dialog
}

over(EVERY, 'a public link is made and opens for a visitor, who stays signed in', async ({ page, open, backend }) => {
  await open(`/public_links?id=${writeId(findTracker(backend, 'Rex'), backend.habits)}`)
  const dialog = await createLink(page)
  await expect(dialog.getByRole('img', { name: 'QR code of the link For the vet' })).toBeVisible()
  const address = new URL(await dialog.getByText(/\/pub\/trackers\?token=/).innerText())
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByRole('region', { name: 'Rex' }).getByRole('listitem')).toContainText('For the vet')
  expect(backend.state.links).toMatchObject([{ label: 'For the vet', trackerId: findTracker(backend, 'Rex').id }])
  expect(address.searchParams.get('token')).toBe(backend.state.links[0]?.token)
  const before = await page.evaluate(() => localStorage.getItem('token'))
  await open(address.pathname + address.search)
  await expectTrackerOfLink(page, backend)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(before)
})

over(
  EVERY,
  'a stranger with a public link sees its tracker or that it opens nothing, and an unknown link is told from a failure',
  async ({ page, open, backend }) => {
    const secret = backend.habits.linkToken === 'uuid' ? undefined : 'f'.repeat(40)
    const { token } = addLink(backend.state, findTracker(backend, 'Rex').id, secret)
    await open(`/pub/trackers?token=${token}`, 'nobody')
    await expectTrackerOfLink(page, backend)
    await open('/pub/trackers?token=2f0b6a52-1c63-4b7e-9f2b-0a4d6c1e8b12', 'nobody')
    await expectInvalidLink(page)
    backend.faults.unavailable = 1000
    await page.reload()
    await expect(page.getByText('We could not load this.')).toBeVisible()
  },
)

const expectInvalidLink = (page: Page) => expect(page.getByRole('alert')).toHaveText('Invalid link: unknown link or expired link')

/** Some backends show trackers only to signed-in users of their own portal. */
const expectTrackerOfLink = (page: Page, backend: ForeignBackend) =>
  backend.habits.visitors === 'refused' ? expectInvalidLink(page) : expect(page.getByRole('heading', { name: 'Rex' })).toBeVisible()

over(EVERY, 'the theft form is downloaded', async ({ page, open, backend }) => {
  await open(`/app/theft_file?id=${writeId(findTracker(backend, 'Stolen scooter'), backend.habits)}`)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the theft form' }).click()
  expect(readFileSync(await (await saving).path(), 'latin1').slice(0, 5)).toBe('%PDF-')
})

over(EVERY, 'the profile is changed, and the account is deleted only with the right password', async ({ page, open, backend }) => {
  await open('/account_profil_update')
  await page.getByLabel('First name').fill('Augusta')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByText('Augusta Byron')).toBeVisible()
  expect(backend.state.users[0]).toMatchObject({ firstName: 'Augusta', lastName: 'Byron', birthday: '1990-12-10' })

  await open('/account_delete')
  await page.getByLabel(/^Password/).fill('wrong')
  await page.getByLabel(/I understand/).check()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('The password you entered is incorrect.')).toBeVisible()
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Your data has been deleted')).toBeVisible()
  expect(backend.state.users.map(({ email }) => email)).toEqual(['grace@example.org'])
})

over(EVERY, 'the list of links reads four trackers at a time', async ({ page, open, backend }) => {
  let [now, most] = [0, 0]
  await page.route(/public_share_link\/$/, async (route) => {
    most = Math.max(most, ++now)
    await route.continue()
  })
  page.on('requestfinished', (request) => /public_share_link\/$/.test(request.url()) && request.method() === 'GET' && now--)
  await open('/public_links')
  const reads = () => backend.journal.filter(({ method, path }) => method === 'GET' && path.endsWith('/public_share_link/'))
  await expect(page.getByText('No link yet')).toBeVisible()
  expect(reads()).toHaveLength(16)
  expect(most).toBeLessThanOrEqual(4)
})

over(EVERY, 'a taken e-mail is called taken, and an address is called confirmed where no call confirms it', async ({ page, open }) => {
  await open('/signup', 'nobody')
  await page.getByLabel(/^First name/).fill('Ada')
  await page.getByLabel(/^Last name/).fill('Byron')
  await page.getByLabel(/^E-mail/).fill('ada@example.org')
  await page.getByLabel('Password', { exact: true }).fill('Correct-horse-8')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('alert')).toHaveText('Unable to create user account. The email may already exist')
  await expect(page.getByText('Already in use')).toBeVisible()

  await open('/account_confirmation?key=abc')
  await expect(page.getByRole('heading', { name: 'Your e-mail address is already confirmed' })).toBeVisible()
})

over(EVERY, 'a backend that expects another word before the token is told from an ended session', async ({ page, open, backend }) => {
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  const habits = backend.habits as { scheme: string }
  habits.scheme = 'JWT'
  await open('/login', 'nobody')
  await signIn(page)
  await expect(page.getByText('Your password is right, but the portal could not open your account. Please contact support.')).toBeVisible()
  expect(messages.filter((text) => text.includes('auth.scheme'))).toHaveLength(1)
})

over(
  EVERY,
  'an ended session leads to a form that signs in again, and signing out by address leaves nothing on the device',
  async ({ page, open, backend }) => {
    await open('/')
    await expect(page.getByRole('heading', { name: 'Trackers 16' })).toBeVisible()
    backend.state.sessions.clear()
    await page.reload()
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
    await signIn(page)
    await expect(page.getByRole('heading', { name: 'Trackers 16' })).toBeVisible()
    await open('/logout')
    await expect(page).toHaveURL(/\/login/)
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(stored).not.toMatch(/"token"|Rex|Rivoli/)
  },
)
