import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const codeOf = async (portal: Portal): Promise<string> => (await portal.call(null, 'GET', `/mock/second_factor/${ALICE}`)).body.code
const card = () => screen.findByRole('region', { name: 'Second step at sign-in' })
const codeField = () => screen.findByRole('textbox', { name: /^Code or recovery code/ })

async function typePassword(portal: Portal) {
  const page = await renderAt('/login?next=%2Faccount', { portal })
  await page.user.type(await screen.findByRole('textbox', { name: /E-mail or username/ }), ALICE)
  await page.user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'Demo-1234')
  await page.user.click(screen.getByRole('button', { name: 'Sign in' }))
  return page
}

test('after the password the code of the app signs in, and a wrong code is explained', async () => {
  await using portal = await startPortal({ scenario: 'second_factor' })
  const { user } = await typePassword(portal)
  expect(await screen.findByRole('heading', { name: 'Confirm that it is you' })).toHaveFocus()
  expect(storage.get('token')).toBeNull()
  await user.type(await codeField(), '000000')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('This code is wrong, or it was used before.')).toBeVisible()
  await user.clear(await codeField())
  await user.type(await codeField(), await codeOf(portal))
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(storage.get('token')).toMatch(/^\w{20,}$/))
  expect(window.location.pathname).toBe('/account')
})

test('a recovery code signs in, and the back link leads to the password', async () => {
  await using portal = await startPortal({ scenario: 'second_factor' })
  const { user } = await typePassword(portal)
  await user.click(await screen.findByRole('button', { name: 'Sign in again' }))
  await user.type(await screen.findByRole('textbox', { name: /E-mail or username/ }), ALICE)
  await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'Demo-1234')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await user.type(await codeField(), 'seed-c0de-0000-0001')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(storage.get('token')).toMatch(/^\w{20,}$/))
})

test('an app is set up with its first code, shows the recovery codes once, and is turned off with password and code', async () => {
  await using portal = await startPortal()
  const { user } = await renderAt('/account/security', { portal, as: ALICE, config: { features: [...FEATURES] } })
  const inside = within(await card())
  await user.click(await inside.findByRole('button', { name: 'Set up an app' }))
  expect(await inside.findByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  expect(inside.queryByRole('button', { name: 'Set up an app' })).toBeNull()
  await user.click(inside.getByRole('button', { name: 'Copy the key' }))
  expect(await inside.findByText('Copied')).toBeVisible()
  expect(await navigator.clipboard.readText()).toMatch(/^[A-Z2-7]{32}$/)
  await user.type(inside.getByRole('textbox', { name: /^Code from the app/ }), await codeOf(portal))
  await user.click(inside.getByRole('button', { name: 'Turn on' }))
  const codes = await inside.findByRole('region', { name: 'Your recovery codes' })
  const shown = within(codes).getAllByRole('listitem')
  expect(shown).toHaveLength(10)
  const recovery = shown[0]!.textContent!
  await user.click(inside.getByRole('button', { name: 'I have saved them' }))
  expect(inside.queryByText(recovery)).toBeNull()
  expect(await inside.findByText('Recovery codes left: 10')).toBeVisible()

  await user.click(inside.getByRole('button', { name: 'Turn off' }))
  await user.type(inside.getByLabelText(/^Password/, { selector: 'input' }), 'Demo-1234')
  await user.type(await codeField(), recovery)
  await user.click(inside.getAllByRole('button', { name: 'Turn off' }).at(-1)!)
  expect(await inside.findByRole('button', { name: 'Set up an app' })).toBeVisible()
})

test('an administrator who needs a second factor is redirected to its page', async () => {
  await using portal = await startPortal({ secondFactor: { isRequired: true } })
  await renderAt('/', { portal, as: 'admin@pro.example.com', config: { features: [...FEATURES] } })
  await waitFor(() => expect(window.location.pathname).toBe('/account/security'))
  expect(await screen.findByText(/^Your role needs a second step/)).toBeVisible()
})

test('a passkey is renamed', async () => {
  await using portal = await startPortal()
  const { user } = await renderAt('/account/security', { portal, as: 'newcomer@pro.example.com', config: { features: [...FEATURES] } })
  const inside = within(await card())
  await user.click(await inside.findByRole('button', { name: 'Rename Laptop' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename Laptop' }))
  const name = dialog.getByRole('textbox', { name: /^Name of the passkey/ })
  await user.clear(name)
  await user.type(name, 'Work laptop')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await inside.findByText('Work laptop')).toBeVisible()
})
