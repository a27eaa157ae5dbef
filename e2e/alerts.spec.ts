import { expect, test } from './portal.ts'

type Alert = { name: string | null; devices: number[]; trigger: string | null; vehicle_alert: boolean }

test('R-1.4 R-1.10 R-2.64 R-2.66 an alert is put together as a sentence, changed and deleted', async ({ page, open, world }) => {
  const kept = async (name: string) =>
    ((await world.call('GET', '/tracker_alerts/', { as: 'alice' })) as Alert[]).find((alert) => alert.name === name)
  await open('/alerts', 'alice')
  await page.getByRole('link', { name: 'New alert' }).click()
  const sentence = page.getByRole('status').filter({ hasText: 'When' })
  await expect(sentence).toHaveText('When … enters …, tell …')
  await page.getByLabel('Search: Which trackers').fill('mis')
  await page.getByRole('checkbox', { name: 'Misty' }).check()
  await page.getByRole('radio', { name: 'Leaves a place' }).check({ force: true })
  await page.getByRole('combobox', { name: 'Which place' }).selectOption('Home')
  await page.getByRole('button', { name: 'Add contact' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Name/).fill('Erin')
  await dialog.getByLabel(/^E-mail/).fill('erin@example.net')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(sentence).toHaveText('When Misty leaves Home, tell Erin.')
  await page.getByLabel(/^Name of the alert/).fill('Cat is out')
  await page.getByRole('button', { name: 'Create alert' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'Cat is out' })
  await expect(line).toContainText('When Misty leaves Home, tell Erin.')
  expect(await kept('Cat is out')).toMatchObject({ devices: [2], trigger: 'leave', vehicle_alert: false })

  await page.getByRole('link', { name: 'Edit: Cat is out' }).click()
  await page.getByRole('radio', { name: 'Enters a place' }).check({ force: true })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(line).toContainText('When Misty enters Home, tell Erin.')
  expect(await kept('Cat is out')).toMatchObject({ trigger: 'enter' })

  await page.getByRole('button', { name: 'Delete: Cat is out' }).click()
  await expect(dialog).toContainText('When Misty enters Home, tell Erin.')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Alert deleted')).toBeVisible()
  await expect(line).toHaveCount(0)
  expect(await kept('Cat is out')).toBeUndefined()
})
