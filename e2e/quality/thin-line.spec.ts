import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'
import { startThinLine } from '#e2e/thin-line.ts'

/** Nothing here waits for the clock, but the slow connection takes real time. */
const PATIENCE = { timeout: 240_000 }
test.describe.configure({ timeout: 300_000 })

const marker = (page: Page) => page.getByRole('region', { name: 'Map' }).getByRole('button', { name: /City bike/ })

async function signIn(page: Page) {
  await page.getByLabel('E-mail or username').fill('alice@example.com', PATIENCE)
  await page.getByLabel('Password', { exact: true }).fill('Demo-1234')
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Collects what the page has ever shown: its message for a slow connection, and texts that only a rejection may cause. */
async function watchMessages(page: Page) {
  const shown = { failures: new Set<string>(), slow: new Set<string>() }
  await page.exposeFunction('reportMessage', (kind: keyof typeof shown, text: string) => shown[kind].add(text))
  await page.addInitScript(() => {
    const report = (kind: string, text: string) => Reflect.get(window, 'reportMessage')(kind, text)
    const failures = /not set up|Server error|could not be loaded|Page not found|session has ended/
    new MutationObserver(() => {
      const found = failures.exec(document.getElementById('root')?.textContent ?? '')
      if (found) report('failures', found[0])
      const slow = document.getElementById('slow')
      if (slow?.checkVisibility()) report('slow', slow.textContent)
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['hidden'] })
  })
  return shown
}

type SetTimer = (work: TimerHandler, ms?: number, ...given: unknown[]) => unknown

/**
 * Speeds up the timers of the page by a factor. On a connection that is faster by the same factor, as much arrives before each of the
 * page's time limits as on the slow one.
 */
const hurryTimers = (page: Page, times: number) =>
  page.addInitScript((times) => {
    const { setTimeout, setInterval } = window
    const { timeout } = AbortSignal
    const hurry =
      (set: SetTimer) =>
      (work: TimerHandler, ms = 0, ...given: unknown[]) =>
        set(work, ms / times, ...given)
    Object.assign(window, { setTimeout: hurry(setTimeout), setInterval: hurry(setInterval) })
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / times)
  }, times)

test('at three seconds of latency an owner signs in and sees the map, with a note that the connection is slow', async ({ page, world }) => {
  const times = 3
  await hurryTimers(page, times)
  await using line = await startThinLine(world.origin, { delayMs: 3000 / times })
  const shown = await watchMessages(page)
  await page.goto(`${line.origin}/login`, PATIENCE)
  await signIn(page)
  await expect(marker(page)).toBeVisible(PATIENCE)
  await expect(page.getByText('The connection is slow')).toBeHidden()
  expect([...shown.slow]).toEqual(['The connection is slow. The portal is still loading…'])
  expect([...shown.failures]).toEqual([])
})

test('at 20 kbit/s the map opens with its markers', async ({ page, world }) => {
  const shown = await watchMessages(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const times = 5
  await hurryTimers(page, times)
  const bytesPerSecond = (times * 20_000) / 8
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 300 / times,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await page.goto(`${world.origin}/?token=${world.persona('alice').token}`, PATIENCE)
  await expect(marker(page)).toBeVisible(PATIENCE)
  expect([...shown.failures]).toEqual([])
})

test('with every third request cut an owner signs in and sees the map', async ({ page, world }) => {
  await using line = await startThinLine(world.origin, { cutsEvery: 3 })
  const shown = await watchMessages(page)
  await page.goto(`${line.origin}/login`)
  await signIn(page)
  await expect(marker(page)).toBeVisible(PATIENCE)
  await page.getByRole('link', { name: 'Places' }).click()
  await expect(page.getByRole('heading', { name: /^Places/ })).toBeVisible(PATIENCE)
  expect(line.cuts).toBeGreaterThan(3)
  expect([...shown.failures]).toEqual([])
})

test.describe('a second visit', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the frame and the markers of the last visit are shown before a slow server responds, marked as such', async ({ page, world }) => {
    await using line = await startThinLine(world.origin)
    await page.goto(`${line.origin}/?token=${world.persona('alice').token}`)
    await expect(marker(page)).toBeVisible()
    const isInstalled = () => page.evaluate(async () => (await caches.match('/config.json')) !== undefined)
    await expect.poll(isInstalled, PATIENCE).toBe(true)
    const answered: string[] = []
    // Photos never change, so the browser has cached them.
    const isPhoto = (url: string) => url.includes('/photos/')
    page.on('response', (response) => !response.fromServiceWorker() && !isPhoto(response.url()) && answered.push(response.url()))
    line.delayMs = 10_000
    await page.goto(line.origin, { waitUntil: 'commit' })
    await expect(marker(page)).toBeVisible()
    await expect(page.getByText(/^Last known: /)).toBeVisible()
    expect(answered).toEqual([])
    await expect(page.getByText(/^Last known: /)).toBeHidden(PATIENCE)
    expect(answered.some((url) => url.includes('/devices/?type=tracker'))).toBe(true)
  })
})
