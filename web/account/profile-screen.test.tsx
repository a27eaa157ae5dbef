import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const PATH = '/account_profil_update'
const field = (label: RegExp) => screen.findByLabelText(label, { selector: 'input:enabled' })
const save = () => screen.getByRole('button', { name: 'Save' })

describe('R-2.16 profile', () => {
  test('R-1.21 R-3.51 R-3.52 R-3.53 a changed profile is saved and shown on the account page', async () => {
    await using page = await openAs('alice@example.com', PATH)
    const first = await field(/^First name/)
    expect([first, await field(/^Last name/), await field(/^Birth date/)].map((input) => (input as HTMLInputElement).value)).toEqual([
      'Alice',
      'Almeida',
      '04/17/1988',
    ])
    await page.user.clear(first)
    await page.user.type(first, ' Ally ')
    await page.user.clear(await field(/^Birth date/))
    await page.user.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(await screen.findByText('Ally Almeida')).toBeVisible()
    expect(window.location.pathname).toBe('/account')
    const { body } = await page.portal.call('alice@example.com', 'GET', '/users/settings/')
    expect(body).toMatchObject({ firstname: 'Ally', lastname: 'Almeida', birthday: null })
  })

  test('R-5.6 R-5.7 an empty name is rejected', async () => {
    await using page = await openAs('alice@example.com', PATH)
    await page.user.clear(await field(/^Last name/))
    await page.user.click(save())
    expect(await screen.findByText('Please fill in all fields')).toBeVisible()
    expect(await field(/^Last name/)).toHaveFocus()
  })

  test.each(['1899-12-31', '2999-01-01'])('R-3.47 a birth date of %s is rejected', async (day) => {
    await using page = await openAs('alice@example.com', PATH)
    await page.user.clear(await field(/^Birth date/))
    await page.user.type(await field(/^Birth date/), day)
    await page.user.click(save())
    expect(await screen.findByText('Choose a past date, 1900 or later')).toBeVisible()
    expect(page.calls.some(({ method }) => method === 'PATCH')).toBe(false)
  })

  test('leaving with unsaved changes asks for confirmation', async () => {
    await using page = await openAs('alice@example.com', PATH)
    await page.user.type(await field(/^First name/), 'x')
    await page.user.click(screen.getByRole('link', { name: 'Account' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'You have unsaved changes' }))
    await page.user.click(dialog.getByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(window.location.pathname).toBe('/account'))
  })

  test('R-8.30 a profile that failed to load can be retried', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/users/settings/': respondWith(500) })
    const { user } = await renderAt(PATH, { portal: server, as: 'alice@example.com' })
    await screen.findByText('We could not load this.')
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await field(/^First name/)).toHaveValue('Alice')
  })
})
