import { expect, test } from '#e2e/portal.ts'

test('R-1.4 R-2.68 a contact is added once, changed, and deleted with the alerts that would have no recipient left', async ({
  page,
  open,
  world,
}) => {
  const { alerts, contacts } = world.api('alice')
  await open('/contacts', 'alice')
  await page.getByRole('button', { name: 'Add contact' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Name/).fill('Erin')
  await dialog.getByLabel(/^E-mail/).fill('bob@example.net')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('You already have a contact with this e-mail address')).toBeVisible()
  await dialog.getByLabel(/^E-mail/).fill('erin@example.net')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'erin@example.net' })).toBeVisible()

  await page.getByRole('link', { name: 'Erin' }).click()
  const details = page.getByRole('region', { name: 'Edit contact' })
  await expect(details.getByLabel(/^Name/)).toHaveValue('Erin')
  await details.getByLabel('Phone').fill('+598 2 901 23 45')
  await details.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '+598 2 901 23 45' })).toBeVisible()
  expect(await contacts.list({ query: {} })).toContainEqual(expect.objectContaining({ name: 'Erin', phone: '+598 2 901 23 45' }))

  await page.getByRole('button', { name: 'Delete: Bob' }).click()
  await expect(dialog).toContainText('When Rex or Misty enters Home, tell Bob.')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Contact deleted')).toBeVisible()
  expect((await contacts.list({ query: {} })).map(({ name }) => name)).toEqual(['Carol', 'Dave', 'Erin'])
  expect((await alerts.list({ query: {} })).filter(({ trigger }) => trigger === 'enter')).toEqual([])
})

test('R-7.27 a contact being typed survives the end of the session', async ({ page, open }) => {
  await open('/contacts', 'alice')
  await page.getByRole('button', { name: 'Add contact' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add contact' })
  const named = page.waitForResponse('**/api-auth/session/login/')
  await dialog.getByLabel(/^Name/).fill('Erin')
  await dialog.getByLabel(/^E-mail/).fill('erin@example.net')
  await named
  await page.evaluate(() => localStorage.setItem('token', '0'.repeat(40)))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
  await page.getByLabel('E-mail or username').fill('alice@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Demo-1234')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog.getByLabel(/^Name/)).toHaveValue('Erin')
  await expect(dialog.getByLabel(/^E-mail/)).toHaveValue('erin@example.net')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'erin@example.net' })).toBeVisible()
})
