import { expect, test } from '#e2e/portal.ts'

test('R-2.32 R-2.34 R-2.48 the host app checks the session and passes on its capabilities', async ({ page, open, world }) => {
  await open('/verify_auth?native_app=1&deeplink=1&host_version=ios-com.example.portal-1.12.3', 'alice')
  await expect(page.getByText(`Signed in as ${world.persona('alice').email}`)).toBeVisible()
  const stored = (key: string) => page.evaluate((name) => localStorage.getItem(name), key)
  expect([await stored('verifyNative'), await stored('integerVersion')]).toEqual(['true', '11203'])
  await open('/deep-link?target=findmy')
  await expect(page.getByRole('heading', { name: 'Find my tracker' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/app/native/findmy')
  await open('/deep-link?target=rtb')
  await expect(page.getByRole('heading', { name: 'App update needed' })).toBeVisible()
})

test('R-2.30 R-2.31 a plain browser is redirected to the portal, and a signed-out user to support', async ({ page, open }) => {
  await open('/contact_us')
  await expect(page.getByRole('link', { name: 'Write an e-mail' })).toHaveAttribute('href', /^mailto:/)
  await open('/main')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})
