import { expect, test } from 'whereabouts/playwright'

const REX = 1

test('a friend gets a mail when a dog leaves home', async ({ page, open, world }) => {
  await open('/trackers/1', 'alice')
  await expect(page.getByRole('heading', { name: 'Rex' })).toBeVisible()
  // The tracker reports a position through the same code as a real one.
  await world.sim.position({ params: { id: REX }, body: { lat: -34.9055, lng: -56.1913 } })
  const { message } = await world.mail.wait({ body: { to: 'bob@example.net', template: 'place_alert' } })
  expect(message.subject).toContain('Rex')
  // The journal records every request of the page with its response.
  await world.requests.wait({ body: { route: 'devices.list', persona: 'alice', status: 200 } })
})
