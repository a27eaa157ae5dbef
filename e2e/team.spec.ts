import { expect, test } from './portal.ts'

test('R-1.4 R-1.28 a user is invited, given trackers, and removed', async ({ page, open, world }) => {
  await open('/', 'admin')
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('nils@pro.example.com')
  await dialog.getByLabel('First name').fill('Nils')
  await dialog.getByLabel('Last name').fill('Neu')
  await dialog.getByRole('checkbox', { name: 'Van 1' }).check()
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Nils Neu' })
  await expect(row).toContainText('1 tracker')
  const team = (await world.call('GET', '/users/team/', { as: 'admin' })) as { email: string; status: string }[]
  expect(team).toContainEqual(expect.objectContaining({ email: 'nils@pro.example.com', status: 'invited' }))
  await row.getByRole('button', { name: 'Remove: Nils Neu' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Nils Neu has been removed.')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('R-1.27 the administration is in the navigation of the administrator only', async ({ page, open }) => {
  await open('/', 'alice')
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await expect(page.getByRole('link', { name: 'Orders' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0)
  await open('/administration/users', 'alice')
  await expect(page.getByText('Page not found')).toBeVisible()
})
