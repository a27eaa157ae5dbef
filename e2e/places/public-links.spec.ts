import { expect, test } from '#e2e/portal.ts'

test('R-1.4 R-2.40 in the app a link is created, shown as a QR code and deleted', async ({ page, open, world }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/app/public_links?native_app=1', 'alice')
  await expect(page.getByRole('region', { name: 'City bike' }).getByRole('listitem')).toHaveCount(5)
  await page.getByRole('button', { name: 'New link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tracker').selectOption('Misty')
  await dialog.getByLabel(/^Name of the link/).fill('For the vet')
  await dialog.getByRole('radio', { name: 'Permanent' }).check()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code of the link For the vet' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  const misty = page.getByRole('region', { name: 'Misty' })
  await expect(misty.getByRole('listitem')).toContainText('Permanent')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await misty.getByRole('button', { name: /^Copy link/ }).click()
  await expect(misty.getByText('Copied')).toBeVisible()
  const [link] = await world.api('alice').links.listOf({ params: { id: 2 } })
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${world.origin}/pub/trackers?token=${link!.uuid}`)
  await misty.getByRole('button', { name: /^QR code/ }).click()
  await expect(page.getByRole('img', { name: 'QR code of the link For the vet' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await misty.getByRole('button', { name: /^Delete link/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(misty).toHaveCount(0)
  expect(await world.api('alice').links.listOf({ params: { id: 2 } })).toEqual([])
})

test('R-9.2 R-9.3 a link ends after its duration, and a tracker has at most five', async ({ page, open, world }) => {
  await open('/public_links?id=1', 'alice')
  const rex = page.getByRole('region', { name: 'Rex' })
  const dialog = page.getByRole('dialog')
  await expect(rex.getByRole('listitem')).toHaveCount(1)
  for (const [label, pick] of [
    ['A week', () => dialog.getByRole('radio', { name: '7 days' }).check()],
    ['For good', () => dialog.getByRole('radio', { name: 'Permanent' }).check()],
    ['All of it', () => dialog.getByRole('radio', { name: 'Everything' }).check()],
    ['Where it is', () => dialog.getByRole('radio', { name: 'Only now' }).check()],
  ] as const) {
    await page.getByRole('button', { name: 'New link' }).click()
    await dialog.getByLabel(/^Name of the link/).fill(label)
    await pick()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByRole('button', { name: 'Copy link' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await expect(rex.getByRole('listitem').filter({ hasText: label })).toBeVisible()
  }
  await expect(rex.getByRole('listitem').filter({ hasText: 'A week' })).toContainText('Until 9 Mar 2026')
  await expect(rex.getByRole('listitem').filter({ hasText: 'Where it is' })).toContainText('Only the last position')
  const links = await world.api('alice').links.listOf({ params: { id: 1 } })
  expect(links.find(({ label }) => label === 'For good')!.end_date).toMatch(/^2200-01-01/)
  await page.getByRole('button', { name: 'New link' }).click()
  await expect(dialog.getByText('You cannot create more than 5 links per Tracker')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Create link' })).toBeDisabled()
})
