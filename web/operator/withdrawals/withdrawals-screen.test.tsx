import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { declareWithdrawal } from '#server/billing/withdrawals/withdraw.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openConsole } from '#web/test/open-console.ts'

const { shipping } = SEED.orders
type Page = Awaited<ReturnType<typeof openConsole>>

/** The list is read when its screen is opened, so customers withdraw before that. */
async function openWithdrawals(role: 'finance' | 'support' = 'finance') {
  const page = await openConsole('/operator', { role })
  const declare = (reference: string, email: string) =>
    declareWithdrawal(page.portal.world, { days: 14, countries: null }, { reference, email, name: null, language: 'en' })
  await declare(shipping, 'alice@example.com')
  await declare('ORD-9999', 'stranger@example.net')
  await page.user.click(await page.screen.findByRole('link', { name: 'Withdrawals' }))
  await page.screen.findByRole('table', { name: 'Withdrawals' })
  return page
}

const references = ({ screen }: Page) =>
  within(screen.getByRole('table', { name: 'Withdrawals' }))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)

test('a withdrawal shows what the customer declared, the contract, and what has to happen next', async () => {
  await using page = await openWithdrawals()
  const { screen, user } = page
  expect(references(page)).toEqual(['ORD-9999', shipping])
  await user.click(screen.getByRole('link', { name: shipping }))
  const details = within(await screen.findByRole('complementary'))
  expect(await details.findByText('alice@example.com')).toBeVisible()
  expect(details.getByText(/once the order is marked as returned/)).toBeVisible()
  expect(details.queryByText('Paid back')).toBeNull()
  expect(details.getByRole('link', { name: shipping })).toHaveAttribute('href', `/operator/orders?order=${shipping}`)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  // The focus is still on the row that was closed.
  await user.keyboard('k')
  expect(await within(await screen.findByRole('complementary')).findByText('stranger@example.net')).toBeVisible()
})

test('withdrawals are filtered by what follows and found by address, and nothing found says so', async () => {
  await using page = await openWithdrawals('support')
  const { screen, user } = page
  await user.click(screen.getByRole('button', { name: 'Unknown contract' }))
  await waitFor(() => expect(references(page)).toEqual(['ORD-9999']))
  await user.type(screen.getByRole('textbox', { name: /^Number, e-mail/ }), 'alice@{Enter}')
  expect(await screen.findByRole('heading', { name: 'No withdrawal found' })).toBeVisible()
  expect(window.location.search).toBe('?outcome=unknown&search=alice%40')
})

test('without any withdrawal the screen says where customers declare one', async () => {
  await using page = await openConsole('/operator/withdrawals', { role: 'finance' })
  expect(await page.screen.findByText(/end of the pages/)).toBeVisible()
})
