import { expect, type TestWorld, test } from './portal.ts'

type Mail = { id: number; template: string; links: string[] }

/** The link of the newest mail of a kind to an address. */
async function linkTo(world: TestWorld, to: string, template: string) {
  const mails = (await world.call('GET', `/mock/mail?to=${to}`)) as Mail[]
  const { links } = (await world.call('GET', `/mock/mail/${mails.find((mail) => mail.template === template)!.id}/`)) as Mail
  const { pathname, search } = new URL(links[0]!)
  return pathname + search
}

test('R-2.9 R-2.18 R-2.19 a newcomer signs up and confirms the address', async ({ page, world, open }) => {
  await open('/login')
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('First name').fill('Nina')
  await page.getByLabel('Last name').fill('Nowak')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('nina@example.com')
  await page.getByLabel(/^Password/).fill('long enough')
  await page.getByLabel('Repeat password').fill('long enough')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('We sent a link to nina@example.com.')).toBeVisible()
  await expect(page).toHaveURL(/\/account_email_sent$/)
  const link = await linkTo(world, 'nina@example.com', 'confirm_email')
  await open(link)
  await expect(page.getByRole('heading', { name: 'Your e-mail address is confirmed' })).toBeVisible()
  await open(link)
  await expect(page.getByRole('heading', { name: 'Your e-mail address is already confirmed' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to your trackers' }).click()
  await expect(page.getByRole('heading', { name: 'No tracker yet' })).toBeVisible()
})

test('R-1.21 R-2.15 R-2.16 profile, preferences and address are as they were left', async ({ page, world, open }) => {
  await open('/account', 'george')
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('First name').fill('Jorge')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Jorge Gardner')).toBeVisible()
  await page.getByLabel('Currency').selectOption('chf')
  await expect(page.getByText('Saved').last()).toBeVisible()
  await page.getByLabel('Language').last().selectOption('de')
  await expect(page.getByRole('heading', { name: 'Konto', exact: true })).toBeVisible()
  await expect(page.getByText('Gespeichert').last()).toBeVisible()
  await page.reload()
  await expect(page.getByText('Jorge Gardner')).toBeVisible()
  await expect(page.getByLabel('Währung')).toHaveValue('chf')
  await page.getByRole('link', { name: 'Ändern' }).click()
  await page.getByLabel('Neue E-Mail-Adresse').fill('jorge@example.com')
  await page.locator('[name=password]').fill(world.persona('george').password)
  await page.getByRole('button', { name: 'Link senden' }).click()
  await expect(page.getByText(/E-Mail an jorge@example\.com gesendet/)).toBeVisible()
  await open(await linkTo(world, 'jorge@example.com', 'change_email'))
  await expect(page.getByText('Ihre E-Mail-Adresse lautet jetzt jorge@example.com.')).toBeVisible()
})

test('R-1.22 R-2.17 R-5.11 a person deletes their data, with the right password only', async ({ page, world, open }) => {
  await open('/account_delete', 'zoe')
  const button = page.getByRole('button', { name: 'Delete my account' })
  await expect(button).toBeDisabled()
  await page.getByLabel(/^Password/).fill('wrong')
  await page.getByLabel(/I understand/).check()
  await button.click()
  await expect(page.getByText('The password you entered is incorrect.')).toBeVisible()
  await page.getByLabel(/^Password/).fill(world.persona('zoe').password)
  await button.click()
  await expect(page.getByText('Your data has been deleted')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.goBack()
  await expect(page).not.toHaveURL(/account_delete/)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  for (const path of ['/signup', '/account', '/account/app', '/account_profil_update', '/account_email_update', '/account_delete'])
    test(`${path} is no wider than a phone`, async ({ page, open }) => {
      await open(path, 'alice')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    })
})
