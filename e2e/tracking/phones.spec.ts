import type { Page } from '@playwright/test'
import { expect, type TestWorld, test } from '#e2e/portal.ts'

/** A small distance (degrees) from Misty, within the initial view of the map. */
const NEARBY = 0.0006

const misty = async (world: TestWorld) => (await world.api('alice').devices.get({ params: { id: 2 } })).tracker_status
const placeOf = async (world: TestWorld) => (await misty(world)).last_position!

/** Connects a phone to Misty; returns what its owner would type into the app. */
async function connect(page: Page, app: string) {
  await page.getByRole('article', { name: 'Misty' }).getByRole('button', { name: 'Connect a phone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name of the phone' }).fill('My phone')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.getByText(app, { exact: true }).click()
  await expect(dialog.getByRole('img', { name: `QR code for ${app}` })).toBeVisible()
  const values = await dialog.locator('code').allTextContents()
  await dialog.getByRole('button', { name: 'Close' }).click()
  return values
}

/** The address as seen from this process: only browsers resolve the host name of a world. */
const reachable = (url: string) => url.replace(/w-[^.]+\.localhost/, '127.0.0.1')

/** Expects the marker of Misty to move on the map, and the card to show the new address. */
async function expectMove(page: Page, world: TestWorld, report: () => Promise<void>) {
  await expect(page.getByRole('status', { name: 'Live view' })).toHaveText('Live')
  const marker = page.getByRole('button', { name: /^Misty/, pressed: true })
  const before = await marker.boundingBox()
  await report()
  await expect.poll(() => marker.boundingBox()).not.toEqual(before)
  await expect(page.getByRole('article', { name: 'Misty' }).getByText((await misty(world)).last_address!)).toBeVisible()
}

test('a request of Traccar Client moves the marker on the live map', async ({ page, world, open }) => {
  await open('/trackers/2', 'alice')
  const [url = '', id = ''] = await connect(page, 'Traccar Client')
  const { lat, lng } = await placeOf(world)
  await expectMove(page, world, async () => {
    const now = await world.clock.now()
    const coords = { latitude: lat + NEARBY, longitude: lng, accuracy: 4.2, speed: 1.4, heading: 0, altitude: 12 }
    const location = {
      timestamp: now.toISOString(),
      coords,
      is_moving: true,
      odometer: 12,
      event: 'motionchange',
      battery: { level: 0.63, is_charging: false },
    }
    const answer = await page.request.post(reachable(url), {
      headers: { 'x-world': world.id },
      data: { location: { ...location, activity: { type: 'walking' }, extras: {} }, device_id: id },
    })
    expect([answer.status(), await answer.text()]).toEqual([200, ''])
  })
  await expect(page.getByRole('article', { name: 'Misty' }).getByText('63%')).toBeVisible()
})

test('a request of OwnTracks moves the marker on the live map', async ({ page, world, open }) => {
  await open('/trackers/2', 'alice')
  const [url = '', username = '', password = ''] = await connect(page, 'OwnTracks')
  const { lat, lng } = await placeOf(world)
  await expectMove(page, world, async () => {
    const now = await world.clock.now()
    const answer = await page.request.post(reachable(url), {
      headers: { 'x-world': world.id, authorization: `Basic ${btoa(`${username}:${password}`)}` },
      data: {
        _type: 'location',
        acc: 14,
        alt: 0,
        batt: 85,
        conn: 'm',
        lat: lat - NEARBY,
        lon: lng,
        t: 'u',
        tid: 'ty',
        tst: now.getTime() / 1000,
      },
    })
    expect([answer.status(), await answer.json()]).toEqual([200, []])
  })
})

test('a tablet that is turned while the key of a phone is shown still shows it', async ({ page, open }) => {
  await page.setViewportSize({ width: 1180, height: 820 })
  await open('/trackers/2', 'alice')
  await page.getByRole('article', { name: 'Misty' }).getByRole('button', { name: 'Connect a phone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  const values = dialog.locator('code')
  await expect(values).not.toHaveCount(0)
  const shown = await values.allTextContents()
  await page.setViewportSize({ width: 820, height: 1180 })
  await expect(values).toHaveText(shown)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('article', { name: 'Misty' }).getByRole('button', { name: 'Connect a phone' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Name of the phone' })).toBeVisible()
  await expect(values).toHaveCount(0)
})
