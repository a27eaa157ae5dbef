import { expect, test } from '#e2e/portal.ts'

test('R-1.12 R-2.41 a link is shared and opened in a private window', async ({ page, browser, world, open }) => {
  await open('/trackers/2', 'alice')
  const card = page.getByRole('article', { name: 'Misty' })
  await card.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel(/label|name/i)
    .first()
    .fill('For the vet')
  await dialog
    .getByRole('button', { name: /create|new/i })
    .first()
    .click()
  await expect(dialog.getByRole('link', { name: 'For the vet' })).toBeVisible()
  const links = await world.api('alice').links.listOf({ params: { id: 2 } })
  const stranger = await (await browser.newContext()).newPage()
  await stranger.clock.setFixedTime('2026-03-02T09:00:00Z')
  await stranger.goto(`${world.origin}/pub/trackers?token=${links[0]!.uuid}`)
  await expect(stranger.getByRole('heading', { name: 'Misty' })).toBeVisible()
  expect(await stranger.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await stranger.context().close()
})

test('R-8.11 an unknown, a malformed and an expired link give the same message', async ({ page, open }) => {
  for (const token of ['5eed0000-0000-4000-8000-0000000000ff', 'nonsense', '5eed0000-0000-4000-8000-000000000002', '']) {
    await open(`/pub/trackers?token=${token}`)
    await expect(page.getByText('Invalid link: unknown link or expired link')).toBeVisible()
  }
})

test('an owner who opens a link of their own stays signed in', async ({ page, open }) => {
  const token = () => page.evaluate(() => localStorage.getItem('token'))
  await open('/', 'alice')
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
  const before = await token()
  await open('/pub/trackers?token=5eed0000-0000-4000-8000-000000000001')
  await expect(page.getByRole('heading', { name: 'City bike' })).toBeVisible()
  expect(await token()).toBe(before)
})

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`a notification appears above an open dialog and is announced, at ${viewport.width} pixels`, async ({ page, open }) => {
    await page.setViewportSize(viewport)
    await open('/trackers/1', 'alice')
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete link: Dog sitter' }).click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    const said = dialog.locator('[aria-live="polite"]').getByText('Link deleted')
    await expect(said).toBeVisible()
    const isInFront = (element: Element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return document.elementFromPoint(left + width / 2, top + height / 2) === element
    }
    expect(await said.evaluate(isInFront)).toBe(true)
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await expect(dialog).toHaveCount(0)
    expect(await page.getByText('Link deleted').evaluate(isInFront)).toBe(true)
  })
}
