import { expect, test } from '#e2e/portal.ts'

const REX = 1

test('a dog leaves home, and a friend gets a mail', async ({ open, world }) => {
  await open('/trackers/1', 'alice')
  // The tracker itself reports where it is; it goes through the same door as a real one.
  await world.sim.position({ params: { id: REX }, body: { lat: -34.9055, lng: -56.1913 } })
  const { message } = await world.mail.wait({ body: { to: 'bob@example.net', template: 'place_alert' } })
  expect(message.subject).toContain('Rex')
  // The journal knows every call of the page, and what was answered.
  await world.requests.wait({ body: { route: 'devices.list', persona: 'alice', status: 200 } })
})
