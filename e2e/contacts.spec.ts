import { expect, test } from './portal.ts'

type Contact = { name: string; email: string; phone: string | null }

test('R-1.4 R-2.68 D-35 a contact is added once, changed, and deleted with the alerts that would tell nobody', async ({
  page,
  open,
  world,
}) => {
  const kept = async () => (await world.call('GET', '/tracker_contacts/', { as: 'alice' })) as Contact[]
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

  await page.getByRole('button', { name: 'Edit: Erin' }).click()
  await dialog.getByLabel('Phone').fill('+598 2 901 23 45')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('+598 2 901 23 45')).toBeVisible()
  expect(await kept()).toContainEqual(expect.objectContaining({ name: 'Erin', phone: '+598 2 901 23 45' }))

  await page.getByRole('button', { name: 'Delete: Bob' }).click()
  await expect(dialog).toContainText('When Rex or Misty enters Home, tell Bob.')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Contact deleted')).toBeVisible()
  expect((await kept()).map(({ name }) => name)).toEqual(['Carol', 'Dave', 'Erin'])
  const alerts = (await world.call('GET', '/tracker_alerts/', { as: 'alice' })) as { trigger: string | null }[]
  expect(alerts.filter(({ trigger }) => trigger === 'enter')).toEqual([])
})
