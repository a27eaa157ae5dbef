import { expect, test } from '#e2e/portal.ts'

// One of fifteen scenarios: a subscription ends tomorrow.
test.use({ scenario: 'expiring' })

test('an ended subscription offers its owner to renew it', async ({ page, open, world }) => {
  await open('/subscriptionSelector', 'alice')
  const misty = page.getByRole('listitem').filter({ hasText: 'Misty' })
  await expect(misty).toContainText(/Active until (3 Mar|Mar 3,) 2026/)
  // Moves server and page to the end of the subscription and runs every job due before.
  await world.clock.until('subscription_end')
  await page.reload()
  await expect(misty).toContainText(/Ended on (3 Mar|Mar 3,) 2026/)
  await expect(misty.getByRole('link', { name: 'Renew: Misty' })).toBeVisible()
})
