import { guidelines, runAxe } from '#e2e/axe.ts'
import { expect, test } from '#e2e/portal.ts'
import { forbidOtherHosts } from '#e2e/problems.ts'

test('R-1.1 R-1.7 an owner signs in and sees eighteen trackers on the map', async ({ page, world, open }) => {
  const onlyOurHost = forbidOtherHosts(page, world.origin)
  await open('/')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('E-mail or username').fill('alice@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Demo-1234')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
  await page.getByRole('button', { name: 'Not in use (4)' }).click()
  await expect(page.getByRole('link', { name: 'Puppy' })).toBeVisible()
  await expect(page).toHaveTitle('Whereabouts - Map')
  await expect(page.getByRole('region', { name: 'Map' }).getByRole('button', { name: /City bike/ })).toBeVisible()
  await expect(page.getByRole('link', { name: '© OpenStreetMap contributors' })).toBeVisible()
  onlyOurHost()
})

test('R-8.1 a wrong password is reported on the form, which keeps the name', async ({ page, open }) => {
  await open('/login')
  await page.getByLabel('E-mail or username').fill('alice@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('Incorrect username or password')
  await expect(page.getByLabel('E-mail or username')).toHaveValue('alice@example.com')
})

test('R-2.6 R-4.29 R-4.31 signing out leads to the login page, and Back shows nothing private', async ({ page, open }) => {
  await open('/', 'alice')
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
  await open('/logout')
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => [localStorage.getItem('token'), sessionStorage.length])).toEqual([null, 0])
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeHidden()
})

test('R-2.7 a forgotten password is reset with the link of the e-mail', async ({ page, world, open }) => {
  await open('/login?view=reset_password')
  await page.getByLabel(/e-mail/i).fill('zoe@example.com')
  await page.getByRole('button', { name: /send/i }).click()
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible()
  await open(await world.mail.linkTo('zoe@example.com', 'password_reset'))
  await page.getByLabel('New password *', { exact: true }).fill('A-new-one-22')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
  const { token } = await world.api().sessions.signIn({ body: { username: 'zoe@example.com', password: 'A-new-one-22' } })
  expect(token).toMatch(/^[0-9a-f]{40}$/)
})

test('R-2.55 a token in the address becomes the session and is removed from the address', async ({ page, world, open }) => {
  await open(`/?token=${world.persona('dario').token}`)
  await expect(page).toHaveURL(/\/$/)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toMatch(/^[0-9a-f]{40}$/)
})

test('R-2.55 a token of another user in the address asks before it replaces the open session', async ({ page, world, open }) => {
  await open('/', 'alice')
  await open(`/trackers?token=${world.persona('dario').token}`)
  await expect(page.getByRole('heading', { name: 'Switch accounts?' })).toBeVisible()
  expect(await runAxe(page, guidelines)).toMatchObject({ findings: [] })
  await page.getByRole('button', { name: /^Stay as alice/ }).click()
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
  await open(`/trackers?token=${world.persona('dario').token}`)
  await page.getByRole('button', { name: /^Switch to dario/ }).click()
  await expect(page).toHaveURL(/\/trackers$/)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBe(world.persona('dario').token)
})
