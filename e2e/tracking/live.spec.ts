import { expect, type TestWorld, test } from '#e2e/portal.ts'

test('R-9.7 a tracker moves on the open map', async ({ page, world, open }) => {
  await open('/trackers/1', 'alice')
  const card = page.getByRole('article', { name: 'Rex' })
  await expect(card).toBeVisible()
  await expect(page.getByRole('status', { name: 'Live view' })).toHaveText('Live')
  const before = await placeOf(world)
  await world.clock.advance('PT3M')
  await expect.poll(() => placeOf(world)).not.toEqual(before)
  const { last_address } = await rex(world)
  await expect(card.getByText(last_address!)).toBeVisible()
})

test('R-1.11 a dog leaves home, and its owner gets the mail', async ({ page, world, open }) => {
  await open('/', 'alice')
  await expect(page.getByRole('status', { name: 'Live view' })).toHaveText('Live')
  await world.clock.advance('PT5M')
  const mails = await world.mail.list({ query: { template: 'place_alert' } })
  expect(mails.map(({ to }) => to).sort()).toEqual(['bob@example.net', 'carol@example.net'])
  expect(mails[0]!.subject).toContain('Rex')
})

test("R-4.3 a new mode is shown as sending until the tracker's next message", async ({ page, world, open }) => {
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
  await world.sim.communicate({ params: { id: 3 } })
  await expect(card.getByText('Settings sending')).toHaveCount(0)
})

const rex = async (world: TestWorld) => (await world.api('alice').devices.get({ params: { id: 1 } })).tracker_status

const placeOf = async (world: TestWorld) => (await rex(world)).last_position
