import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { passkeys } from '#db/schema/factors.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { renderAt } from '#web/test/render-at.tsx'

type Portal = Awaited<ReturnType<typeof startPortal>>
type User = Awaited<ReturnType<typeof renderAt>>['user']

const ALICE = 'alice@example.com'
const NEW_PASSWORD = 'a brand-new passphrase'
const NEW_EMAIL = 'alice.new@example.com'
const input = (label: RegExp) => screen.findByLabelText(label, { selector: 'input' })
const codeOf = async (portal: Portal): Promise<string> => (await portal.call(null, 'GET', `/mock/second_factor/${ALICE}`)).body.code

async function changePassword(user: User) {
  await user.type(await input(/^Current password/), DEMO_PASSWORD)
  await user.type(await input(/^New password/), NEW_PASSWORD)
  await user.type(await input(/^Repeat new password/), NEW_PASSWORD)
  await user.click(screen.getByRole('button', { name: 'Change password' }))
}

async function changeEmail(user: User) {
  await user.type(await input(/^New e-mail/), NEW_EMAIL)
  await user.type(await input(/^Password/), DEMO_PASSWORD)
  await user.click(screen.getByRole('button', { name: 'Send link' }))
}

/** The response to the sign-in with the new password: 401 `second_factor` if it is correct. */
const isPasswordNew = async (portal: Portal) =>
  (await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: ALICE, password: NEW_PASSWORD })).body.code ===
  'second_factor'
const isMailSent = async (portal: Portal) => (await portal.call(null, 'GET', `/mock/mail?to=${NEW_EMAIL}`)).body.length > 0

const FORMS = [
  { name: 'password', path: '/account/password', fill: changePassword, isSaved: isPasswordNew },
  { name: 'e-mail', path: '/account_email_update', fill: changeEmail, isSaved: isMailSent },
]

describe.each(FORMS)('the $name form of a user with a second factor whose sign-in is old', ({ path, fill, isSaved }) => {
  async function open({ withPasskey = true } = {}) {
    const portal = await startPortal({ scenario: 'second_factor' })
    if (!withPasskey) await portal.world.db.write([], (tx) => tx.delete(passkeys))
    const { user } = await renderAt(path, { portal, as: ALICE, config: { features: [...FEATURES] } })
    await screen.findAllByLabelText(/password/i, { selector: 'input' })
    portal.clock.set({ at: new Date(portal.clock.now().getTime() + 11 * 60_000) })
    await fill(user)
    const dialog = await screen.findByRole('dialog', { name: 'Confirm that it is you' })
    const confirm = async (code: string) => {
      const field = await within(dialog).findByRole('textbox', { name: /^Code or recovery code/ })
      await user.clear(field)
      await user.type(field, code)
      await user.click(within(dialog).getByRole('button', { name: 'Confirm' }))
    }
    return { portal, user, dialog, confirm, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
  }

  test('the dialog asks for the factor, explains a wrong code, and saves with the correct one', async () => {
    await using page = await open()
    expect(within(page.dialog).queryByLabelText(/^Password/, { selector: 'input' })).toBeNull()
    await page.confirm('000000')
    expect(await within(page.dialog).findByText('This code is wrong, or it was used before.')).toBeVisible()
    expect(await isSaved(page.portal)).toBe(false)
    await page.confirm(await codeOf(page.portal))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(async () => expect(await isSaved(page.portal)).toBe(true))
  })

  test('the dialog offers a passkey only to a user who has one', async () => {
    for (const withPasskey of [true, false]) {
      await using page = await open({ withPasskey })
      await within(page.dialog).findByRole('textbox', { name: /^Code or recovery code/ })
      expect(within(page.dialog).queryAllByText(/passkey/i)).toHaveLength(withPasskey ? 2 : 0)
      cleanup()
    }
  })

  test('nothing is saved when the dialog is closed, and the form keeps its values', async () => {
    await using page = await open()
    await page.user.click(within(page.dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await isSaved(page.portal)).toBe(false)
    for (const field of screen.getAllByLabelText(/password/i, { selector: 'input' })) expect(field).not.toHaveValue('')
    expect(screen.queryByText('The password you entered is incorrect.')).toBeNull()
  })
})
