import { expect, test } from '#e2e/portal.ts'
import { choose } from './compose-alert.ts'

test('R-1.4 R-1.10 R-2.64 R-2.66 an alert is composed as a sentence, changed and deleted', async ({ page, open, world }) => {
  const kept = async (name: string) => (await world.api('alice').alerts.list({ query: {} })).find((alert) => alert.name === name)
  await open('/alerts', 'alice')
  await page.getByRole('link', { name: 'New alert' }).click()
  const sentence = page.getByRole('status').filter({ hasText: 'When' })
  await expect(sentence).toHaveText('When … enters …, tell me.')
  await choose(page, 'Which trackers', async (choices) => {
    await choices.getByLabel('Search: Which trackers').fill('mis')
    await choices.getByRole('checkbox', { name: 'Misty' }).check()
  })
  await choose(page, 'What happens', (choices) => choices.getByRole('radio', { name: 'Leaves a place' }).check())
  await choose(page, 'Which place', (choices) => choices.getByRole('radio', { name: /^Home/ }).check())
  await page.getByRole('button', { name: /^Whom to tell/ }).click()
  await page.getByRole('checkbox', { name: /^Me / }).uncheck()
  await page.getByRole('button', { name: 'Add contact' }).click()
  const adding = page.getByRole('dialog', { name: 'Add contact' })
  await adding.getByLabel(/^Name/).fill('Erin')
  await adding.getByLabel(/^E-mail/).fill('erin@example.net')
  await adding.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(sentence).toHaveText('When Misty leaves Home, tell Erin.')
  await page.getByLabel(/^Name of the alert/).fill('Cat is out')
  await page.getByRole('button', { name: 'Create alert' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'Cat is out' })
  await expect(line).toContainText('When Misty leaves Home, tell Erin.')
  expect(await kept('Cat is out')).toMatchObject({ devices: [2], trigger: 'leave', vehicle_alert: false })

  await page.getByRole('link', { name: 'Cat is out' }).click()
  await choose(page, 'What happens', (choices) => choices.getByRole('radio', { name: 'Enters a place' }).check())
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(line).toContainText('When Misty enters Home, tell Erin.')
  expect(await kept('Cat is out')).toMatchObject({ trigger: 'enter' })

  await page.getByRole('button', { name: 'Delete: Cat is out' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('When Misty enters Home, tell Erin.')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Alert deleted')).toBeVisible()
  await expect(line).toHaveCount(0)
  expect(await kept('Cat is out')).toBeUndefined()
})

test('the card of a tracker leads to an alert that notifies its owner', async ({ page, open, world }) => {
  await open('/trackers/2', 'alice')
  await page.getByRole('article', { name: 'Misty' }).getByRole('link', { name: 'New alert' }).click()
  await expect(page.getByRole('button', { name: 'Which trackers: Misty' })).toBeVisible()
  await choose(page, 'What happens', (choices) => choices.getByRole('radio', { name: 'Leaves a place' }).check())
  await choose(page, 'Which place', (choices) => choices.getByRole('radio', { name: /^Home/ }).check())
  await expect(page.getByRole('status').filter({ hasText: 'When' })).toHaveText('When Misty leaves Home, tell me.')
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  const own = (await world.api('alice').contacts.list({ query: {} })).find(({ email }) => email === 'alice@example.com')
  expect((await world.api('alice').alerts.list({ query: {} })).at(-1)).toMatchObject({ devices: [2], contacts: [own?.id] })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('an alert of many trackers is created without scrolling, and each choice returns to its part of the sentence', async ({
    page,
    open,
    world,
  }) => {
    await open('/alerts/new', 'alice')
    await expect(page.getByRole('button', { name: 'Create alert' })).toBeInViewport({ ratio: 1 })
    await choose(page, 'Which trackers', async (choices) => {
      for (const box of (await choices.getByRole('checkbox').all()).slice(0, 8)) await box.check()
    })
    await expect(page.getByRole('button', { name: /^Which trackers: / })).toBeFocused()
    await choose(page, 'Which place', (choices) => choices.getByRole('radio', { name: /^Home/ }).check())
    await expect(page.getByText(/^Would (not )?have fired/).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create alert' })).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: 'Create alert' }).click()
    await expect(page.getByText('Saved')).toBeVisible()
    expect((await world.api('alice').alerts.list({ query: {} })).at(-1)?.devices).toHaveLength(8)
  })
})
