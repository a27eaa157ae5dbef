import type { Route } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'

test('R-1.9 R-2.61 R-2.63 a place is created, moved on the map and deleted', async ({ page, world, open }) => {
  await open('/places/new', 'alice')
  await page.getByLabel(/^Name/).fill('Vet')
  await page.getByLabel(/^Address/).fill('Behind the old oak')
  await page.getByRole('radio', { name: 'Other' }).check()
  await page.getByRole('button', { name: 'Put the circle here' }).click()
  const centre = page.getByRole('button', { name: /^Centre of the place/ })
  await centre.hover()
  await page.mouse.down()
  const { x, y } = (await centre.boundingBox())!
  await page.mouse.move(x + 60, y + 40, { steps: 5 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Place created')).toBeVisible()
  const places = await world.api('alice').places.list({ query: {} })
  expect(places.find(({ name }) => name === 'Vet')).toMatchObject({ radius: 200 })
  await page.getByRole('button', { name: 'Delete: Vet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Place deleted')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Vet', exact: true })).toHaveCount(0)
})

test('R-1.4 R-2.63 R-3.31 a place is located by its address, resized by slider and by its border, and renamed', async ({
  page,
  world,
  open,
}) => {
  const kept = async (name: string) => (await world.api('alice').places.list({ query: {} })).find((place) => place.name === name)
  await open('/places', 'alice')
  await page.getByRole('link', { name: 'New place' }).click()
  await page.getByLabel(/^Name/).fill('Dentist')
  await page.getByLabel(/^Address/).fill('18 de Julio 1360')
  await page.getByRole('radio', { name: 'Other' }).check()
  await page.getByRole('slider', { name: 'Radius' }).press('ArrowRight')
  await expect(page.getByLabel(/^Radius in metres/)).toHaveValue('250')
  await page.getByRole('checkbox', { name: 'Rex' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Place created')).toBeVisible()
  const created = await kept('Dentist')
  expect(created).toMatchObject({ radius: 250, lat: expect.closeTo(-34.9, 1) })

  await page.getByRole('link', { name: 'Edit: Dentist' }).click()
  await page.getByLabel(/^Name/).fill('Dr. Silva')
  const border = page.locator('.leaflet-marker-icon span')
  await border.hover()
  await page.mouse.down()
  const { x, y } = (await border.boundingBox())!
  await page.mouse.move(x + 80, y, { steps: 5 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('link', { name: 'Dr. Silva', exact: true })).toBeVisible()
  const changed = await kept('Dr. Silva')
  expect(changed!.radius).toBeGreaterThan(250)
  expect(changed!.lat).toBe(created!.lat)
})

test('R-1.15 R-2.62 places are imported from a csv, and bad rows are listed with the reason', async ({ page, open, world }) => {
  await open('/places/import', 'alice')
  const csv = 'name;address;type\nVet;18 de Julio 1360;other\nNowhere;Qwertz 12345;home\nCastle;Ellauri 350;castle\n'
  await page.getByLabel(/^Choose a csv file/).setInputFiles({ name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const preview = page.getByRole('region', { name: 'Preview of places.csv' })
  await expect(preview.getByRole('listitem')).toHaveText([/Vet.*18 de Julio 1360/, /Nowhere/, /Castle.*not one of the possible ones/])
  const held = new Promise<Route>((resolve) => void page.route('**/tracker_places/import_csv/', resolve))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('progressbar', { name: 'Import' })).toBeVisible()
  await (await held).continue()
  await expect(page.getByText('1 place created')).toBeVisible()
  await expect(page.getByText('2 rows refused')).toBeVisible()
  await expect(page.getByText('Address not found')).toBeVisible()
  await page.getByRole('link', { name: 'Show places' }).click()
  await expect(page.getByRole('link', { name: 'Vet', exact: true })).toBeVisible()
  const places = await world.api('alice').places.list({ query: {} })
  expect(places.filter(({ name }) => ['Vet', 'Nowhere', 'Castle'].includes(name))).toHaveLength(1)
})
