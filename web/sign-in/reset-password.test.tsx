import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { renderAt } from '#web/test/render-at.tsx'

const REQUEST = '/login?view=reset_password'
const answering = (status: number, body: unknown) => ({ fetch: async () => Response.json(body, { status }), token: () => '' })
const email = () => screen.findByRole('textbox', { name: /E-mail/ })
const newPassword = () => screen.findByLabelText(/^New password/, { selector: 'input' })

describe('requesting a reset link', () => {
  test.each(['alice@example.com', 'nobody@example.com'])(
    'R-2.7 the response for %s does not reveal whether it has an account',
    async (address) => {
      await using portal = await startPortal()
      const { user } = await renderAt('/login', { portal })
      await user.click(await screen.findByRole('link', { name: 'Forgot password?' }))
      await screen.findByRole('heading', { name: 'Forgot password?' })
      await user.type(await email(), address)
      await user.click(screen.getByRole('button', { name: 'Send link' }))
      expect(await screen.findByRole('heading', { name: 'Check your e-mail' })).toBeVisible()
      expect(screen.getByRole('status')).toHaveTextContent(`If an account belongs to ${address}`)
    },
  )

  test.each(['a@b', 'a b@c.de', '@c.de'])('R-5.5 %s is rejected without a request', async (address) => {
    const { user, calls } = await renderAt(REQUEST)
    await user.type(await email(), address)
    await user.click(screen.getByRole('button', { name: 'Send link' }))
    expect(await screen.findByText('Invalid e-mail address')).toBeVisible()
    expect(await email()).toHaveFocus()
    expect(calls).toEqual([])
  })

  test('R-5.4 an empty e-mail field is rejected', async () => {
    const { user } = await renderAt(REQUEST)
    await email()
    await user.click(screen.getByRole('button', { name: 'Send link' }))
    expect(await screen.findByText('Please fill in all fields')).toBeVisible()
  })
})

describe('choosing a new password', () => {
  test('R-5.2 a short password is rejected without a request', async () => {
    const { user, calls } = await renderAt(`${REQUEST}&key=abc`)
    await user.type(await newPassword(), 'short')
    await user.click(screen.getByRole('button', { name: 'Save password' }))
    expect(await screen.findByText('The password must have at least 8 characters')).toBeVisible()
    expect(await newPassword()).toBeInvalid()
    expect(calls).toEqual([])
  })

  test('R-8.12 an expired key offers a new link', async () => {
    const { user } = await renderAt(`${REQUEST}&key=abc`, { portal: answering(410, { detail: 'Old.', code: 'expired' }) })
    await user.type(await newPassword(), 'long enough')
    await user.click(screen.getByRole('button', { name: 'Save password' }))
    expect(await screen.findByRole('heading', { name: 'Oops, your link has expired!' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Send a new link' })).toHaveAttribute('href', REQUEST)
  })

  test('an unknown key is rejected', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt(`${REQUEST}&key=00000000-0000-4000-8000-000000000000`, { portal })
    await user.type(await newPassword(), 'long enough')
    await user.click(screen.getByRole('button', { name: 'Save password' }))
    expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeVisible()
  })

  test('a valid key changes the password', async () => {
    const { user, calls } = await renderAt(`${REQUEST}&key=abc`, { portal: answering(200, { status: 'changed' }) })
    await user.type(await newPassword(), 'long enough')
    await user.click(screen.getByRole('button', { name: 'Save password' }))
    expect(await screen.findByRole('heading', { name: 'Password changed' })).toBeVisible()
    expect(calls[0]).toMatchObject({ method: 'POST', path: '/users/password_reset/confirm/' })
    expect(screen.getByRole('link', { name: 'Back to sign in' })).toHaveAttribute('href', '/login')
  })
})
