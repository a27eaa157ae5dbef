import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'

const REX = 1

/** Taps or clicks the four corners of the part of the map that no button covers. */
async function drawArea(page: Page, tap: (x: number, y: number) => Promise<void>) {
  await page.getByRole('radio', { name: 'Area' }).check()
  const map = page.getByRole('region', { name: 'Map' })
  await expect(page.getByRole('button', { name: 'Add a point here' })).toBeVisible()
  await map.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await map.boundingBox())!
  const corners = [
    [0.2, 0.25],
    [0.7, 0.25],
    [0.7, 0.6],
    [0.2, 0.6],
  ] as const
  for (const [nth, [right, down]] of corners.entries()) {
    await tap(x + width * right, y + height * down)
    await expect(page.getByText(nth === 0 ? '1 point' : `${nth + 1} points`, { exact: true })).toBeVisible()
  }
}

async function savePark(page: Page) {
  await page.getByLabel(/^Name/).fill('Park')
  await page.getByRole('radio', { name: 'Other' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Place created')).toBeVisible()
}

test('R-1.9 D-137 an area drawn by mouse fires an alert when a dog leaves it', async ({ page, world, open }) => {
  await open('/places/new', 'alice')
  await drawArea(page, (x, y) => page.mouse.click(x, y))
  const corner = page.getByRole('button', { name: /^Point 3;/ })
  await corner.hover()
  await page.mouse.down()
  const { x, y } = (await corner.boundingBox())!
  await page.mouse.move(x + 40, y + 40, { steps: 5 })
  await page.mouse.up()
  await savePark(page)
  const alice = world.api('alice')
  const park = (await alice.places.list({ query: {} })).find(({ name }) => name === 'Park')!
  expect(park.shape?.points).toHaveLength(4)
  const contacts = [(await alice.contacts.list({ query: {} }))[0]!.id]
  await world.sim.position({ params: { id: REX }, body: { lat: park.lat, lng: park.lng } })
  await alice.alerts.create({ body: { devices: [REX], contacts, place: park.id, trigger: 'leave', vehicle_alert: false } })
  await world.clock.advance('PT20M')
  await world.sim.position({ params: { id: REX }, body: { lat: park.lat + (2 * park.radius) / 111_195, lng: park.lng } })
  const { firings } = await alice.firings.list({ query: { device: REX } })
  expect(firings.map(({ kind, place_name }) => `${kind} ${place_name}`)).toContain('place_leave Park')
})

test('a trip of the history is saved as a way', async ({ page, world, open }) => {
  await open(`/trackers/${REX}/history`, 'alice')
  const legs = page.getByRole('list', { name: 'Stops and trips' }).getByRole('button')
  await expect(legs.first()).toBeVisible()
  const save = page.getByRole('link', { name: 'Save as way' })
  for (let nth = 0; nth < 6 && (await save.count()) === 0; nth++) await legs.nth(nth).click()
  await save.click()
  await expect(page.getByRole('radio', { name: 'Way' })).toBeChecked()
  await page.getByLabel(/^Name/).fill('Walk')
  await page.getByRole('radio', { name: 'Other' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Place created')).toBeVisible()
  const walk = (await world.api('alice').places.list({ query: {} })).find(({ name }) => name === 'Walk')!
  expect(walk.shape).toMatchObject({ type: 'corridor', width: 100 })
  expect(walk.shape!.points.length).toBeGreaterThan(2)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('an area is drawn by touch, and its last corner is taken back', async ({ page, world, open }) => {
    await open('/places/new', 'alice')
    await drawArea(page, (x, y) => page.touchscreen.tap(x, y))
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('3 points', { exact: true })).toBeVisible()
    await savePark(page)
    const park = (await world.api('alice').places.list({ query: {} })).find(({ name }) => name === 'Park')!
    expect(park.shape?.points).toHaveLength(3)
  })
})
