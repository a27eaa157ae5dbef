import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const PATH = '/account_email_update'
const field = (label: RegExp) => screen.findByLabelText(label, { selector: 'input' })

async function ask({ user }: Pick<Awaited<ReturnType<typeof renderAt>>, 'user'>, email: string, secret = DEMO_PASSWORD) {
  await user.type(await field(/^New e-mail/), email)
  await user.type(await field(/^Password/), secret)
  await user.click(screen.getByRole('button', { name: 'Send link' }))
}

describe('R-2.15 e-mail change', () => {
  test('a link is mailed to the new address, and the account keeps the old one until the link is opened', async () => {
    await using page = await openAs('alice@example.com', PATH)
    expect(await screen.findByText(/Until you open it, alice@example\.com stays yours/)).toBeVisible()
    await ask(page, ' Alice.New@example.com ')
    expect(await screen.findByText(/E-mail sent to alice\.new@example\.com/)).toBeVisible()
    const { body } = await page.portal.call(null, 'GET', '/mock/mail?to=alice.new@example.com', undefined, { host: 'localhost' })
    expect(body).toMatchObject([{ template: 'change_email' }])
    expect((await page.portal.call('alice@example.com', 'GET', '/users/me/')).body).toMatchObject({ email: 'alice@example.com' })
  })

  test('R-8.2 a wrong password is rejected and the typed address stays', async () => {
    await using page = await openAs('alice@example.com', PATH)
    await ask(page, 'alice.new@example.com', 'wrong')
    expect(await screen.findByText('The password you entered is incorrect.')).toBeVisible()
    expect(await field(/^New e-mail/)).toHaveValue('alice.new@example.com')
    expect(window.location.pathname).toBe(PATH)
  })

  test('an address of another account is rejected', async () => {
    await using page = await openAs('alice@example.com', PATH)
    await ask(page, 'taken@example.com')
    expect(await screen.findByText('This e-mail address is already in use')).toBeVisible()
  })

  test("the user's current address is rejected whatever its case", async () => {
    await using page = await openAs('alice@example.com', PATH)
    await ask(page, 'Alice@example.com')
    expect(await screen.findByText('This is already your e-mail address')).toBeVisible()
    expect(await field(/^New e-mail/)).toHaveFocus()
  })

  test.each([
    [401, 'The password you entered is incorrect.'],
    [403, 'The password you entered is incorrect.'],
    [429, 'Too many e-mails in a short time. Please try again in an hour.'],
    [500, 'Something went wrong, please try again'],
  ])('R-8.30 a response of %i shows “%s”', async (status, sentence) => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/users/change_email/': respondWith(status) })
    const page = await renderAt(PATH, { portal: server, as: 'alice@example.com' })
    await ask(page, 'alice.new@example.com')
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  test.each([
    ['R-5.5', 'a@b', 'Invalid e-mail address'],
    ['R-5.4', ' ', 'Please fill in all fields'],
  ])('%s the address %j is rejected without a request', async (_, email, sentence) => {
    await using page = await openAs('alice@example.com', PATH)
    await ask(page, email)
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(page.calls.some(({ path }) => path === '/users/change_email/')).toBe(false)
  })
})
