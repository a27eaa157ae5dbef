import { expect, test } from './portal.ts'

test('R-9.7 a tracker moves on the map while one watches', async ({ page, world, open }) => {
  await open('/trackers/1', 'alice')
  const card = page.getByRole('article', { name: 'Rex' })
  await expect(card).toBeVisible()
  await expect(page.getByRole('status', { name: 'Live view' })).toHaveText('Live')
  const before = await placeOf(world)
  await world.advance('PT3M')
  await expect.poll(() => placeOf(world)).not.toEqual(before)
  const address = ((await world.call('GET', '/devices/1/', { as: 'alice' })) as Rex).tracker_status.last_address
  await expect(card.getByText(address)).toBeVisible()
})

test('R-1.11 a dog leaves home, and its owner gets the mail', async ({ page, world, open }) => {
  await open('/', 'alice')
  await expect(page.getByRole('status', { name: 'Live view' })).toHaveText('Live')
  await world.advance('PT5M')
  const mails = (await world.call('GET', '/mock/mail?template=place_alert')) as { to: string; subject: string }[]
  expect(mails.map(({ to }) => to).sort()).toEqual(['bob@example.net', 'carol@example.net'])
  expect(mails[0]!.subject).toContain('Rex')
})

test('R-4.3 a new mode is sending until the tracker speaks', async ({ page, world, open }) => {
  await open('/trackers/3', 'alice')
  const card = page.getByRole('article', { name: 'City bike' })
  await card.getByRole('button', { name: 'Mode' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('radio', { name: /^Intense/ })
    .first()
    .check()
  await dialog.getByRole('button', { name: 'Use this mode' }).click()
  await expect(card.getByText('Settings sending').first()).toBeVisible()
  await page.request.post(`${world.origin.replace(/w-[^.]+\.localhost/, '127.0.0.1')}/devices/ingest/`, {
    headers: { 'x-world': world.id, 'x-device-key': 'demo-device-key' },
    data: { identifier: '1000000003', positions: [] },
  })
  await expect(card.getByText('Settings sending')).toHaveCount(0)
})

type Rex = { tracker_status: { last_address: string; last_position: { lat: number; lng: number } } }

const placeOf = async (world: { call(method: string, path: string, options: { as: string }): Promise<unknown> }) =>
  ((await world.call('GET', '/devices/1/', { as: 'alice' })) as Rex).tracker_status.last_position
