import { expect, test } from '#e2e/portal.ts'

test('R-4.29 R-4.31 all tabs of a browser share one session: signing out or in as another user affects every tab', async ({
  page,
  open,
  context,
}) => {
  await open('/trackers', 'alice')
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('link', { name: /Rex/ }).first()).toBeVisible()
  await open('/logout')
  await expect(other).toHaveURL(/\/login\?next=%2Ftrackers/)
  await expect(other.getByRole('status')).toHaveText('Your session has ended. Sign in to continue.')
  await expect(page.getByText('Your session has ended')).toBeHidden()

  const signIn = async (username: string) => {
    await page.getByLabel('E-mail or username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill('Demo-1234')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(/\/(\?.*)?$/)
  }
  await signIn('alice@example.com')
  await expect(other.getByRole('link', { name: /Rex/ }).first()).toBeVisible()
  await open('/login')
  await signIn('bruno@example.com')
  await expect(other).toHaveURL(/\/trackers/)
  await expect(other.getByRole('link', { name: /Rex/ })).toHaveCount(0)
  await expect(other.getByRole('heading', { name: /^Trackers/ }).first()).toBeVisible()
})
