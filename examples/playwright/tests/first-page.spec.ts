import { expect, test } from 'whereabouts/playwright'

test('Alice sees her eighteen trackers', async ({ page, open }) => {
  // Each test has its own world; Alice is signed in without the form.
  await open('/', 'alice')
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
})
