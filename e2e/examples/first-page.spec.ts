import { expect, test } from '#e2e/portal.ts'

test('Alice sees her eighteen trackers', async ({ page, open }) => {
  // A world of this test's own, and Alice signed in to it without the form.
  await open('/', 'alice')
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
})
