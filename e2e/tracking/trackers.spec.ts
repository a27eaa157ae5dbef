import { expect, test } from '#e2e/portal.ts'

test('R-1.4 R-2.57 R-2.75 a tracker is found by search and sort, renamed, and removed', async ({ page, open, world }) => {
  await open('/trackers', 'alice')
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(page.getByRole('rowheader').first()).toContainText('Cessna')
  await page.getByRole('textbox', { name: /^Search/ }).fill('hik')
  await page.getByRole('link', { name: 'Hiker' }).click()
  await page.getByRole('link', { name: 'Tracker settings' }).click()
  const about = page.getByRole('region', { name: 'About the tracker' })
  await about.getByLabel(/^Name/).fill('Mountain')
  await about.getByRole('combobox', { name: 'Tag' }).selectOption('Vehicles')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved').last()).toBeVisible()
  const hiker = () => world.api('alice').devices.get({ params: { id: 16 } })
  expect(await hiker()).toMatchObject({ name: 'Mountain', tag: { name: 'Vehicles' } })
  await page.getByRole('button', { name: 'Remove tracker' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Mountain?' })
  await dialog.getByRole('button', { name: 'Remove tracker' }).click()
  await expect(page.getByText('Tracker removed')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Trackers 17' })).toBeVisible()
  await expect(hiker()).rejects.toThrow('404 not_found')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('R-1.7 on a phone the list says once that a tracker was never activated', async ({ page, open }) => {
    await open('/trackers', 'alice')
    const list = page.getByRole('region', { name: 'List of trackers' })
    await list.getByRole('button', { name: 'Not in use (4)' }).click()
    await expect(list.getByRole('link', { name: /^New tracker/ }).getByText('Not activated')).toHaveCount(1)
    await expect(list.getByRole('link', { name: /^Old tracker/ }).getByText(/^Resting/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Show less' })).toBeVisible()
  })
})
