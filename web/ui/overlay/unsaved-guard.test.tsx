import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { userNameQuery } from '#web/lib/api/user-name.ts'
import { storage } from '#web/lib/storage.ts'
import { noResponse, respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

type Person = Awaited<ReturnType<typeof renderAt>>['user']

const ALICE = 'alice@example.com'
const PROFILE = '/account_profil_update'
const question = () => screen.queryByRole('dialog', { name: 'You have unsaved changes' })
const press = (name: string) => within(question()!).getByRole('button', { name })
const first = () => screen.findByLabelText(/^First name/, { selector: 'input:enabled' })
/** Waits for the user name that the draft is stored under; a real user types longer than that request takes. */
const type = async (name: string) => {
  fireEvent.input(await first(), { target: { value: name } })
  await waitFor(() => expect(queryClient.getQueryData(userNameQuery().queryKey)).toBeDefined())
}

test('a dialog with input is not closed by the backdrop, Escape or the close button', async () => {
  await using page = await openAs(ALICE, '/tags')
  await page.user.click(await screen.findByRole('button', { name: 'Add tag' }))
  const dialog = screen.getByRole('dialog', { name: 'Add tag' })
  await page.user.type(within(dialog).getByLabelText(/^Name/), 'Boats')
  fireEvent.mouseDown(dialog)
  await page.user.click(press('Keep editing'))
  expect(question()).toBeNull()
  const pressed = createEvent('cancel', dialog, { cancelable: true })
  fireEvent(dialog, pressed)
  expect(pressed.defaultPrevented).toBe(true)
  await page.user.click(press('Keep editing'))
  expect(within(dialog).getByLabelText(/^Name/)).toHaveValue('Boats')
  await page.user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await page.user.click(press('Discard changes'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a dialog without input closes at once', async () => {
  await using page = await openAs(ALICE, '/tags')
  await page.user.click(await screen.findByRole('button', { name: 'Add tag' }))
  fireEvent.mouseDown(screen.getByRole('dialog', { name: 'Add tag' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('R-7.26 a request without a response preserves the input for the return', async () => {
  await using portal = await startPortal()
  const server = withFaults(portal, { 'PATCH /users/settings/': noResponse })
  const { user } = await renderAt(PROFILE, { portal: server, as: ALICE })
  await type('Ada')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(async () => expect(await first()).toHaveValue('Ada'))
})

test('R-7.27 a session that ends leads to the login page, and the input is restored afterwards', async () => {
  await using portal = await startPortal()
  const server = withFaults(portal, { 'PATCH /users/settings/': respondWith(401) })
  const { user } = await renderAt(PROFILE, { portal: server, as: ALICE })
  await type('Ada')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  fireEvent.input(await screen.findByLabelText(/^E-mail or username/), { target: { value: ALICE } })
  fireEvent.input(screen.getByLabelText(/^Password/), { target: { value: 'Demo-1234' } })
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(async () => expect(await first()).toHaveValue('Ada'))
})

const typeContact = async (user: Person) => {
  await user.click(await screen.findByRole('button', { name: 'Add contact' }))
  fireEvent.input(screen.getByLabelText(/^Name/), { target: { value: 'Erin' } })
}
const signIn = async (user: Person, username = ALICE) => {
  fireEvent.input(await screen.findByLabelText(/^E-mail or username/), { target: { value: username } })
  fireEvent.input(screen.getByLabelText(/^Password/), { target: { value: 'Demo-1234' } })
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

test('R-7.27 a dialog is reopened with its input', async () => {
  await using page = await openAs(ALICE, '/contacts')
  await typeContact(page.user)
  await queryClient.fetchQuery(userNameQuery())
  storage.set('token', '0'.repeat(40))
  fireEvent.input(screen.getByLabelText(/^E-mail/), { target: { value: 'erin@example.net' } })
  await page.user.click(screen.getByRole('button', { name: 'Save' }))
  await signIn(page.user)
  const dialog = within(await screen.findByRole('dialog', { name: 'Add contact' }))
  await waitFor(() => expect(dialog.getByLabelText(/^Name/)).toHaveValue('Erin'))
  await page.user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('erin@example.net')).toBeVisible()
})

test('R-7.27 another user does not get the input', async () => {
  await using page = await openAs(ALICE, '/contacts')
  await typeContact(page.user)
  await queryClient.fetchQuery(userNameQuery())
  storage.set('token', '0'.repeat(40))
  fireEvent.input(screen.getByLabelText(/^E-mail/), { target: { value: 'erin@example.net' } })
  await page.user.click(screen.getByRole('button', { name: 'Save' }))
  await signIn(page.user, 'bruno@example.com')
  await page.user.click(await screen.findByRole('button', { name: 'Add contact' }))
  await queryClient.fetchQuery(userNameQuery())
  expect(screen.getByLabelText(/^Name/)).toHaveValue('')
})
