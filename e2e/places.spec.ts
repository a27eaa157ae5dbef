import { expect, test } from './portal.ts'

test('R-1.9 R-2.61 R-2.63 a place is made, moved on the map and deleted', async ({ page, world, open }) => {
  await open('/places/new', 'alice')
  await page.getByLabel(/^Name/).fill('Vet')
  await page.getByLabel(/^Address/).fill('Behind the old oak')
  await page.getByRole('radio', { name: 'Other' }).check({ force: true })
  await page.getByRole('button', { name: 'Put the circle here' }).click()
  const centre = page.getByRole('button', { name: /^Centre of the place/ })
  await centre.hover()
  await page.mouse.down()
  const { x, y } = (await centre.boundingBox())!
  await page.mouse.move(x + 60, y + 40, { steps: 5 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Place created')).toBeVisible()
  const places = (await world.call('GET', '/tracker_places/', { as: 'alice' })) as { name: string; radius: number }[]
  expect(places.find(({ name }) => name === 'Vet')).toMatchObject({ radius: 200 })
  await page.getByRole('button', { name: 'Delete: Vet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Place deleted')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Vet', exact: true })).toHaveCount(0)
})

test('R-1.15 R-2.62 places come from a csv, bad rows with their reason', async ({ page, open }) => {
  await open('/places/import', 'alice')
  const csv = 'name;address;type\nVet;18 de Julio 1360;other\nNowhere;Qwertz 12345;home\n'
  await page.getByLabel(/^Choose a csv file/).setInputFiles({ name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText('1 place created')).toBeVisible()
  await expect(page.getByText('Address not found')).toBeVisible()
  await page.getByRole('link', { name: 'Show places' }).click()
  await expect(page.getByRole('link', { name: 'Vet', exact: true })).toBeVisible()
})
