import type { Locator } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a phone of a new account reports after at most six taps', async ({ page, open }) => {
    let taps = 0
    const tap = async (target: Locator) => {
      taps++
      await target.tap()
    }
    await open('/signup')
    await page.getByLabel('First name').fill('Nina')
    await page.getByLabel('Last name').fill('Nowak')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('nina@example.com')
    await page.getByLabel(/^Password/).fill('long enough')
    await tap(page.getByRole('button', { name: 'Create account' }))
    await tap(page.getByRole('link', { name: 'Go to your trackers' }))
    await tap(page.getByRole('link', { name: /^Person/ }))
    await tap(page.getByRole('button', { name: /^This phone/ }))
    await expect(page.getByText('Waiting for the first message…')).toBeVisible()
    const link = await page.getByRole('link', { name: 'Open in Traccar Client' }).getAttribute('href')
    // The link and the switch in the app.
    taps += 2
    const { searchParams } = new URL(link ?? '')
    const report = new URL(searchParams.get('url') ?? '')
    report.search = new URLSearchParams({ id: searchParams.get('id') ?? '', lat: '-34.9055', lon: '-56.19', accuracy: '8' }).toString()
    // Only a browser resolves the host name of a world.
    expect(await page.evaluate(async (url) => (await fetch(url)).status, report.href)).toBe(200)
    await expect(page).toHaveURL(/\/trackers\/\d+$/)
    await expect(page.getByRole('region', { name: 'Map' }).getByRole('button', { name: /^My phone/ })).toBeVisible()
    expect(taps).toBeLessThanOrEqual(6)
  })
})

test('the demo dog walks on the map of an empty account for a day, and can be removed', async ({ page, world, open }) => {
  await open('/?start=report&kind=dog', 'dario')
  await page.getByRole('button', { name: /^Just look around/ }).click()
  const pin = page.getByRole('region', { name: 'Map' }).getByRole('button', { name: 'Demo dog' })
  await expect(pin).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(pin).toBeHidden()
  await expect(page.getByRole('heading', { name: 'No tracker yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Add a tracker' }).click()
  await page.getByRole('link', { name: /^Dog/ }).click()
  await page.getByRole('button', { name: /^Just look around/ }).click()
  await expect(pin).toBeVisible()
  await world.clock.advance('PT25H')
  await page.reload()
  await expect(pin).toBeHidden()
})
