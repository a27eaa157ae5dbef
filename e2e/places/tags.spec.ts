import { expect, test } from '#e2e/portal.ts'

test('R-1.4 R-2.70 a tag gets a colour and trackers, filters list and map, and is deleted', async ({ page, open, world }) => {
  const carriers = async () =>
    (await world.api('alice').devices.list({ query: { type: 'tracker' } })).filter(({ tag }) => tag?.name === 'Weekend')
  await open('/tags', 'alice')
  await page.getByRole('button', { name: 'Add tag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Name/).fill('Weekend')
  await dialog.getByRole('radio', { name: 'Purple' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const trackers = page.getByRole('region', { name: 'Trackers with the tag Weekend' })
  for (const name of ['City bike', 'Cessna']) await trackers.getByRole('checkbox', { name }).check()
  await trackers.getByRole('button', { name: 'Save' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'Weekend' })
  await line.getByRole('link', { name: '2 trackers' }).click()

  await expect(page.getByRole('rowheader')).toHaveText([/^Cessna/, /^City bike/])
  expect(await carriers()).toEqual([
    expect.objectContaining({ name: 'Cessna', tag: expect.objectContaining({ color: '#7b4fb5' }) }),
    expect.objectContaining({ name: 'City bike' }),
  ])
  await page.getByRole('link', { name: 'Map', exact: true }).first().click()
  await expect(page).toHaveURL(/[?]tag=\d+$/)
  await expect(page.getByRole('region', { name: 'List of trackers' }).getByRole('listitem')).toHaveCount(2)

  await open('/tags', 'alice')
  await page.getByRole('button', { name: 'Delete: Weekend' }).click()
  await expect(dialog).toContainText('2 trackers lose the tag')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Tag deleted')).toBeVisible()
  expect(await carriers()).toEqual([])
})
