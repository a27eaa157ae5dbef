import { expect, test } from '#e2e/portal.ts'

test.use({ scenario: 'dog-sitter' })

test("a test starts in a scenario from a document in the user's folder", async ({ page, open, world }) => {
  await open('/trackers/1', 'anna')
  await expect(page.getByRole('heading', { name: 'Bello' })).toBeVisible()
  await world.sim.position({ params: { id: 1 }, body: { lat: -34.93, lng: -56.16 } })
  const { message } = await world.mail.wait({ body: { to: 'sitter@example.net', template: 'place_alert' } })
  expect(message.subject).toContain('Bello')
})
