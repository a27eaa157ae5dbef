import { expect, test } from '#e2e/portal.ts'

// Thirteen worlds to begin with: in this one a subscription ends tomorrow.
test.use({ scenario: 'expiring' })

test('a subscription ends, and its owner is told how to go on', async ({ page, open, world }) => {
  await open('/subscriptionSelector', 'alice')
  const misty = page.getByRole('listitem').filter({ hasText: 'Misty' })
  await expect(misty).toContainText('Active until 3 Mar 2026')
  // The server and the page, both at the moment when it ends; what falls due before has happened.
  await world.clock.until('sub_end')
  await page.reload()
  await expect(misty).toContainText('Ended on 3 Mar 2026')
  await expect(misty.getByRole('link', { name: 'Renew: Misty' })).toBeVisible()
})
