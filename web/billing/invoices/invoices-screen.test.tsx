import { within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { browser } from '#web/billing/provider-page.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const plain = (element: HTMLElement) => element.textContent.replace(/\s+/g, ' ')
const WARNING = /^Warning: your last invoice could not be debited\. Please change your payment method and pay it\./

test('R-2.72 R-3.80 R-3.83 the list shows amount and balance of each invoice', async () => {
  await using page = await openAs('bruno@example.com', '/invoices')
  const [, ...rows] = within(await page.screen.findByRole('table')).getAllByRole('row')
  expect(rows.map(plain)).toEqual(['INV-1012Feb 27, 2026Payment failed€14.95€14.95PayPDF', 'INV-1011Feb 27, 2025Paid€14.95€0.00PDF'])
})

test('R-2.4 the invoice linked from an order is highlighted', async () => {
  await using page = await openAs('alice@example.com', '/invoices?id=2')
  const rows = within(await page.screen.findByRole('table')).getAllByRole('row')
  expect(rows.filter((row) => row.hasAttribute('data-chosen')).map((row) => row.querySelector('th')?.textContent)).toEqual(['INV-1002'])
  expect(page.screen.getByRole('link', { name: 'ORD-1002' })).toHaveAttribute('href', '/orders/ORD-1002')
})

test('an invoice is saved as a PDF named after its number', async () => {
  await using page = await openAs('alice@example.com', '/invoices')
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:invoice'
  await page.user.click(await page.screen.findByRole('button', { name: 'Download invoice INV-1003 as PDF' }))
  await vi.waitFor(() => expect(saved).toEqual(['INV-1003.pdf']), { timeout: 20_000 })
  vi.restoreAllMocks()
})

test('an invoice that cannot be downloaded is reported next to its button', async () => {
  await using portal = await startSyncedPortal()
  const server = withFaults(portal, { '/users/invoices/3/pdf/': respondWith(500, '{}') })
  const { screen, user } = await renderAt('/invoices', { portal: server, as: 'alice@example.com' })
  await user.click(await screen.findByRole('button', { name: 'Download invoice INV-1003 as PDF' }))
  expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
})

test('R-4.26 R-8.22 a failed last invoice shows a warning with buttons to change the card and to pay', async () => {
  await using page = await openAs('bruno@example.com', '/invoices')
  const warning = await page.screen.findByText(WARNING)
  const buttons = within(warning.closest<HTMLElement>('[role=alert]')!).getAllByRole('button')
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Change payment method', 'Pay invoice'])
})

test('R-4.26 no warning is shown when the last invoice did not fail', async () => {
  await using page = await openAs('alice@example.com', '/invoices')
  expect(await page.screen.findByRole('table')).toBeVisible()
  expect(page.screen.queryByText(WARNING)).toBeNull()
})

test('R-4.26 the home page shows the warning too', async () => {
  await using page = await openAs('bruno@example.com', '/')
  expect(await page.screen.findByText(WARNING)).toBeVisible()
})

test('an expired card is named, and the main button leads to another card instead of a sure refusal', async () => {
  const goTo = vi.spyOn(browser, 'goTo').mockImplementation(() => {})
  await using portal = await startSyncedPortal()
  const page = await renderAt('/invoices', { portal, as: 'bruno@example.com', config: { payments: { origins: ['http://portal.test'] } } })
  expect(await page.screen.findByText('Visa •••• 0341 · expired 01/2026')).toBeVisible()
  await page.user.click(await page.screen.findByRole('button', { name: 'Pay invoice INV-1012' }))
  const dialog = within(await page.screen.findByRole('dialog'))
  expect(dialog.getByText('€14.95 will be charged to this card:')).toBeVisible()
  expect(dialog.getByText('Visa •••• 0341 · expired 01/2026')).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Pay €14.95' })).toBeNull()
  await page.user.click(dialog.getByRole('button', { name: 'Change payment method' }))
  await vi.waitFor(() => expect(goTo).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('/mock/stripe/')))
  goTo.mockRestore()
})

test("a refused card is reported in the dialog, whose main button then leads to the provider's page of the invoice", async () => {
  const goTo = vi.spyOn(browser, 'goTo').mockImplementation(() => {})
  await using portal = await startSyncedPortal()
  const page = await renderAt('/invoices', { portal, as: 'bruno@example.com', config: { payments: { origins: ['http://portal.test'] } } })
  await page.user.click(await page.screen.findByRole('button', { name: 'Pay invoice INV-1012' }))
  const dialog = within(await page.screen.findByRole('dialog'))
  await page.user.click(await dialog.findByRole('button', { name: 'Try this card again' }))
  expect((await dialog.findByText(/^The payment failed\. Check your card/)).parentElement).toHaveAttribute('role', 'alert')
  await page.user.click(dialog.getByRole('button', { name: 'Pay on the card provider’s page' }))
  expect(goTo).toHaveBeenCalledExactlyOnceWith('http://portal.test/mock/stripe/invoice/in_seed_12')
  goTo.mockRestore()
})

test('a paid invoice is marked as paid', async () => {
  await using page = await openAs('usha@example.com', '/invoices')
  await page.user.click(await page.screen.findByRole('button', { name: 'Pay invoice INV-1010' }))
  await page.user.click(within(await page.screen.findByRole('dialog')).getByRole('button', { name: 'Pay $17.23' }))
  expect(await page.screen.findByText('Invoice INV-1010 is paid.')).toBeVisible()
  const [, row] = within(page.screen.getByRole('table')).getAllByRole('row')
  expect(row).toHaveTextContent(/Paid.*\$0\.00/)
  expect(page.screen.queryByRole('button', { name: /^Pay/ })).toBeNull()
})

test.each([
  ['already_paid', 'This invoice is already paid.'],
  ['no_payment_method', 'There is no card to pay with. Add one first.'],
])('the error %s has its own sentence', async (code, sentence) => {
  await using portal = await startSyncedPortal()
  const server = withFaults(portal, { '/users/invoices/10/pay/': respondWith(409, JSON.stringify({ detail: '', code })) })
  const { screen, user } = await renderAt('/invoices', { portal: server, as: 'usha@example.com' })
  await user.click(await screen.findByRole('button', { name: 'Pay invoice INV-1010' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: /^Pay/ }))
  expect(await dialog.findByText(sentence)).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Pay on the card provider’s page' })).toBeNull()
})

test("a payment URL that is not the provider's is not opened", async () => {
  const goTo = vi.spyOn(browser, 'goTo').mockImplementation(() => {})
  await using portal = await startSyncedPortal()
  const body = JSON.stringify({ detail: '', code: 'payment_failed', hosted_url: 'https://evil.example/invoice' })
  const server = withFaults(portal, { '/users/invoices/10/pay/': respondWith(409, body) })
  const { screen, user } = await renderAt('/invoices', { portal: server, as: 'usha@example.com' })
  await user.click(await screen.findByRole('button', { name: 'Pay invoice INV-1010' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Pay $17.23' }))
  await user.click(await dialog.findByRole('button', { name: 'Pay on the card provider’s page' }))
  expect(await dialog.findByText('Something went wrong, please try again')).toBeVisible()
  expect(goTo).not.toHaveBeenCalled()
  goTo.mockRestore()
})

test('R-8.26 an account without invoices sees an empty state', async () => {
  await using page = await openAs('dario@example.com', '/invoices')
  expect(await page.screen.findByText('No invoice available')).toBeVisible()
})

test('a team member gets a not-found page', async () => {
  await using page = await openAs('member@pro.example.com', '/invoices')
  expect(await page.screen.findByText('Page not found')).toBeVisible()
  expect(page.calls.filter(({ path }) => path.startsWith('/users/invoices'))).toEqual([])
})

test('an invoice shows its refunded amount, and a dispute at the bank', async () => {
  await using portal = await startSyncedPortal()
  await portal.call(null, 'POST', '/mock/payments/invoices/3/refund', { amount: 100 })
  await portal.call(null, 'POST', '/mock/payments/invoices/3/dispute', { outcome: 'lost' })
  const { screen } = await renderAt('/invoices', { portal, as: 'alice@example.com' })
  const row = (await screen.findByRole('button', { name: 'Download invoice INV-1003 as PDF' })).closest('tr')!
  expect(plain(row)).toContain('Paid€1.00 refundedPaid back by your bank')
})

test('the portal reports that the payment service is unreachable', async () => {
  await using portal = await startSyncedPortal()
  const body = JSON.stringify({ detail: '', code: 'unavailable', service: 'payments' })
  const server = withFaults(portal, { '/users/invoices/10/pay/': respondWith(503, body) })
  const { screen, user } = await renderAt('/invoices', { portal: server, as: 'usha@example.com' })
  await user.click(await screen.findByRole('button', { name: 'Pay invoice INV-1010' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: /^Pay/ }))
  expect(await dialog.findByText('The payment service cannot be reached right now. Please try again in a few minutes.')).toBeVisible()
})
