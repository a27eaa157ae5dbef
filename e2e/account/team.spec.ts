import { expect, test } from '#e2e/portal.ts'

test('R-1.4 R-1.28 a user is invited, given trackers, and removed', async ({ page, open, world }) => {
  await open('/', 'admin')
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('list', { name: 'Account' }).getByRole('link', { name: 'Team' }).click()
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('nils@pro.example.com')
  await dialog.getByLabel('First name').fill('Nils')
  await dialog.getByLabel('Last name').fill('Neu')
  await dialog.getByRole('checkbox', { name: 'Van 1' }).check()
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Nils Neu' })
  await expect(row).toContainText('1 tracker')
  const team = await world.api('admin').team.list()
  expect(team).toContainEqual(expect.objectContaining({ email: 'nils@pro.example.com', status: 'invited' }))
  await row.getByRole('button', { name: 'Remove: Nils Neu' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Nils Neu has been removed.')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('R-1.28 R-1.29 an invited user sets a password and signs in; the address of the administration is saved', async ({
  page,
  open,
  world,
}) => {
  const invited = { email: 'nils@pro.example.com', first_name: 'Nils', last_name: 'Neu', devices: [] }
  await world.api('admin').team.invite({ body: invited })
  await open(await world.mail.linkTo(invited.email, 'invitation'))
  await page.getByLabel('New password *', { exact: true }).fill('A-new-one-22')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await page.getByLabel('E-mail or username').fill(invited.email)
  await page.getByLabel('Password', { exact: true }).fill('A-new-one-22')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('No tracker yet')).toBeVisible()
  await open('/administration/users', 'admin')
  await expect(page.getByRole('listitem').filter({ hasText: 'Nils Neu' })).toContainText('Active')
  await page.getByRole('textbox', { name: 'Administration e-mail' }).fill('office@pro.example.com')
  await page.getByRole('region', { name: 'Administration e-mail' }).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  expect(await world.api('admin').users.settings()).toMatchObject({ admin_email: 'office@pro.example.com' })
})

test("R-1.27 only an administrator's navigation shows the administration", async ({ page, open }) => {
  await open('/', 'alice')
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await expect(page.getByRole('link', { name: 'Orders' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Team' })).toHaveCount(0)
  await open('/administration/users', 'alice')
  await expect(page.getByText('Page not found')).toBeVisible()
})
