import { expect, test } from 'whereabouts/playwright'

test('a forgotten password is reset with the link of a mail', async ({ page, open, world }) => {
  const { email } = world.persona('zoe')
  await open('/login?view=reset_password')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send' }).click()
  // Waits for the mail; its links are fields, so no text has to be searched.
  await open(await world.mail.linkTo(email, 'password_reset'))
  await page.getByLabel('New password *', { exact: true }).fill('A-new-one-22')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByRole('status').first()).toBeVisible()
  const { token } = await world.api().sessions.signIn({ body: { username: email, password: 'A-new-one-22' } })
  expect(token).toMatch(/^[0-9a-f]{40}$/)
})
