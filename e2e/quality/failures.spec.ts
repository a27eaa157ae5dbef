import { expect, test } from '#e2e/portal.ts'

test('R-7.26 an unreachable server leads to /error once, and back from there', async ({ page, open }) => {
  await page.route('**/devices/?type=tracker', (route) => route.abort())
  await open('/', 'alice')
  await expect(page).toHaveURL(/\/error/)
  await expect(page.getByRole('heading', { name: 'Server error' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('lastVisitedRoute'))).toBe('error')
})

test('R-7.27 an expired session leads to /login, and signing in leads back', async ({ page, open }) => {
  await open('/trackers', 'alice')
  await expect(page.getByRole('heading', { name: /^Trackers/ }).first()).toBeVisible()
  await page.evaluate(() => localStorage.setItem('token', '0'.repeat(40)))
  await page.reload()
  await expect(page).toHaveURL(/\/login\?next=/)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.getByLabel('E-mail or username').fill('alice@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Demo-1234')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/trackers$/)
})

test('R-7.29 a server error stays on the page, with a button to try again', async ({ page, open }) => {
  let failing = true
  await page.route('**/devices/?type=tracker', (route) =>
    failing ? route.fulfill({ status: 500, body: '<h1>Oops</h1>' }) : route.continue(),
  )
  await open('/trackers', 'alice')
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(page).toHaveURL(/\/trackers$/)
  failing = false
  await page
    .getByRole('button', { name: /again|retry/i })
    .first()
    .click()
  await expect(page.getByRole('link', { name: /Rex/ }).first()).toBeVisible()
})

test('R-2.53 an unknown path shows the 404 page', async ({ page, open }) => {
  await open('/nope')
  await expect(page.getByRole('heading', { name: '404 error' })).toBeVisible()
  await expect(page.getByText('Page not found')).toBeVisible()
  await expect(page).toHaveTitle('Whereabouts - Page not found')
})

test('a syntax error in config.json gives one readable page', async ({ page, open }) => {
  await page.route('**/config.json', (route) => route.fulfill({ json: { apiBaseUrl: 7 } }))
  await open('/')
  await expect(page.getByText(/config\.json/).first()).toBeVisible()
  await expect(page.getByText(/apiBaseUrl/).first()).toBeVisible()
})

test('R-2.1 opening /login loads no other screen', async ({ page, open }) => {
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await open('/login')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(scripts.some((url) => /\/login-/.test(url))).toBe(true)
  expect(scripts.filter((url) => /\/home-|history-screen|tracker-table|leaflet/.test(url))).toEqual([])
})
