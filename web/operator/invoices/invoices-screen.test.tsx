import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { item, startCheckout, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openConsole } from '#web/test/open-console.ts'

type Page = Awaited<ReturnType<typeof openConsole>>

/** The invoices are read when their screen is opened, so the purchase comes before that. */
async function openInvoice(role: 'finance' | 'support' = 'finance') {
  const page = await openConsole('/operator/orders', { role })
  const { portal, screen, user } = page
  await submitPayment(portal, await startCheckout(portal, { items: [item(SEED.devices.oldTracker, 'eur-1m')] }))
  const [{ id, number }] = (await portal.call('alice@example.com', 'GET', '/users/invoices/')).body
  await user.click(await screen.findByRole('link', { name: 'Invoices' }))
  await user.click(await screen.findByRole('link', { name: number }))
  return { page, number, invoice: within(await screen.findByRole('complementary', { name: `Invoice ${id}` })) }
}

const numbers = ({ screen }: Page) =>
  within(screen.getByRole('table', { name: 'Invoices' }))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)

test('an invoice is paid back in part and then in whole, and says before what that means', async () => {
  const { page, invoice, number } = await openInvoice()
  await using _ = page
  const { screen, user } = page
  await user.click(await invoice.findByRole('button', { name: 'Pay back' }))
  const dialog = within(screen.getByRole('dialog', { name: `Pay back ${number}` }))
  expect(dialog.getByText(/what the invoice paid for ends now/)).toBeVisible()
  const field = dialog.getByLabelText(/^Amount in EUR/)
  await user.clear(field)
  await user.type(field, '1000')
  await user.click(dialog.getByRole('button', { name: 'Pay back' }))
  expect(await dialog.findByText(/^Enter an amount up to/)).toBeVisible()
  await user.clear(field)
  await user.type(field, '0,50')
  expect(dialog.getByText(/goes on\.$/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Pay back €0.50' }))
  expect(await invoice.findByText(/^CN-1001/)).toBeVisible()

  await user.click(invoice.getByRole('button', { name: 'Pay back' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: /^Pay back €/ }))
  expect(await invoice.findByText(/^CN-1002/)).toBeVisible()
  expect(invoice.getByText('Nothing of this invoice can be paid back.')).toBeVisible()
})

test('invoices are filtered by state and found by mail, in the address', async () => {
  await using page = await openConsole('/operator/invoices', { role: 'support' })
  const { screen, user } = page
  await screen.findByRole('table', { name: 'Invoices' })
  await user.click(screen.getByRole('button', { name: 'Failed' }))
  await waitFor(() => expect(numbers(page)).toEqual(['INV-1012']))
  await user.type(screen.getByRole('textbox', { name: /^Number, e-mail/ }), 'alice@{Enter}')
  expect(await screen.findByRole('heading', { name: 'No invoice found' })).toBeVisible()
  expect(window.location.search).toBe('?state=failed&search=alice%40')
})

test('a role that may only read invoices sees neither refund nor export', async () => {
  const { page, invoice } = await openInvoice('support')
  await using _ = page
  expect(await invoice.findByText('alice@example.com')).toBeVisible()
  expect(invoice.queryByRole('button', { name: 'Pay back' })).toBeNull()
  expect(page.screen.queryByRole('button', { name: 'Accounting' })).toBeNull()
})

test('the accounting of the last month is downloaded', async () => {
  await using page = await openConsole('/operator/invoices', { role: 'finance' })
  const { screen, user, calls } = page
  await user.click(await screen.findByRole('button', { name: 'Accounting' }))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByLabelText(/^From/)).toHaveValue('02/01/2026')
  expect(dialog.getByLabelText(/^To/)).toHaveValue('02/28/2026')
  await user.click(dialog.getByRole('button', { name: 'Download' }))
  await waitFor(() => expect(calls.some(({ path }) => path.startsWith('/operator/api/accounting/'))).toBe(true))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
