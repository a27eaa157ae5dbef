import { expect, test } from '#e2e/portal.ts'

/** About 130 m south of Rex. */
const NEAR = 0.0012

test('a dog is found: distance, directions, compass, and an arrow back when the map has moved on', async ({
  page,
  open,
  world,
  context,
}) => {
  const rex = (await world.api('alice').devices.get({ params: { id: 1 } })).tracker_status.last_position ?? { lat: 0, lng: 0 }
  // The clock of the page is frozen, and with it the gliding map.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: rex.lat - 0.02, longitude: rex.lng, accuracy: 12 })
  await open('/trackers/1', 'alice')
  const card = page.getByRole('article', { name: 'Rex' })
  await card.getByRole('button', { name: 'How far is it from me?' }).click()
  await expect(card.getByText('1.4 mi from you, north')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Directions' })).toHaveAttribute('href', /google\.com\/maps\/dir/)

  await context.setGeolocation({ latitude: rex.lat - NEAR, longitude: rex.lng, accuracy: 5 })
  await card.getByRole('button', { name: 'Compass' }).click()
  const compass = page.getByRole('dialog', { name: 'Rex' })
  await expect(compass.getByText('146 yd from you, north')).toBeVisible()
  await expect(compass.getByRole('alert')).toContainText('no compass')
  await compass.getByRole('button', { name: 'Close' }).first().click()

  const { x, y, width, height } = (await page.getByRole('region', { name: 'Map' }).boundingBox())!
  const edge = page.getByRole('button', { name: /^Rex is out of view, .* to the south/ })
  await expect(async () => {
    await page.mouse.move(x + width - 150, y + 80)
    await page.mouse.down()
    await page.mouse.move(x + width - 150, y + height - 80, { steps: 5 })
    await page.mouse.up()
    await expect(edge).toBeVisible({ timeout: 1000 })
  }).toPass()
  await edge.click()
  await expect(card.getByRole('button', { name: 'Follow on the map' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: /^Rex is out of view/ })).toBeHidden()
})
