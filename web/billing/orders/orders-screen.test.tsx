import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const plain = (element: HTMLElement) => element.textContent.replace(/\s+/g, ' ')

test("R-2.4 R-3.76 R-3.77 R-3.79 orders are listed newest first in the user's language", async () => {
  await using page = await openAs('alice@example.com', '/orders')
  const [, ...rows] = within(await page.screen.findByRole('table')).getAllByRole('row')
  expect(rows.map(plain)).toEqual([
    'ORD-1003Mar 1, 2026In progress€49.80',
    'ORD-1002Feb 21, 2026ShippingDHL 00340434161094Show invoice€9.90',
    'ORD-1001Dec 27, 2025DeliveredShow invoice€14.95',
  ])
  expect(within(rows[2]!).getByRole('link', { name: 'Show invoice' })).toHaveAttribute('href', '/invoices?id=1')
  expect(page.screen.getByRole('navigation')).toBeVisible()
})

test('R-2.71 R-3.75 an order shows its lines, tax and total', async () => {
  await using page = await openAs('alice@example.com', '/orders')
  await page.user.click(await page.screen.findByRole('link', { name: 'ORD-1003' }))
  expect(await page.screen.findByRole('heading', { name: 'Order ORD-1003' })).toBeVisible()
  const [, ...lines] = within(await page.screen.findByRole('table')).getAllByRole('row')
  expect(lines.map(plain)).toEqual(['2 years – Family car2€24.90€49.80'])
  const facts = page.screen.getAllByRole('term').map((name) => `${name.textContent} ${name.nextElementSibling?.textContent}`)
  expect(facts).toEqual(['Date Mar 1, 2026', 'Status In progress', 'Net amount €41.16', 'Tax €8.64', 'Total €49.80'])
})

test('an order that is on its way shows its carrier and leads to the page of its parcel', async () => {
  await using page = await openAs('alice@example.com', '/orders/ORD-1002')
  const parcel = await page.screen.findByRole('link', { name: '00340434161094' })
  expect(parcel).toHaveAttribute('href', 'https://www.dhl.com/en/home/tracking.html?tracking-id=00340434161094')
  const facts = page.screen.getAllByRole('term').map((name) => `${name.textContent} ${name.nextElementSibling?.textContent}`)
  expect(facts.slice(1, 5)).toEqual(['Status Shipping', 'Carrier DHL', 'Parcel number 00340434161094', 'Shipped Feb 22, 2026'])
})

test('an order leads to the page on which customers withdraw from it, where the server has one', async () => {
  await using page = await openAs('alice@example.com', '/orders/ORD-1002', { withdrawal: '/mail/withdraw/' })
  expect(await page.screen.findByRole('link', { name: 'Withdraw from a contract' })).toHaveAttribute(
    'href',
    '/mail/withdraw/?language=en&reference=ORD-1002',
  )
})

test('R-2.71 an unknown reference shows that the order was not found and links to the list', async () => {
  await using page = await openAs('alice@example.com', '/orders/ORD-0')
  expect(await page.screen.findByRole('heading', { name: 'Order not found' })).toBeVisible()
  await page.user.click(page.screen.getByRole('link', { name: 'All orders' }))
  expect(await page.screen.findByRole('table', { name: 'Orders' })).toBeVisible()
})

test('R-8.27 an account without orders sees an empty state', async () => {
  await using page = await openAs('bruno@example.com', '/orders')
  expect(await page.screen.findByText('No order available')).toBeVisible()
})

test('claims of care plans are listed below the orders; support finds those of all accounts in the console', async () => {
  await using portal = await startSyncedPortal()
  const claim = { reason: 'lost', description: 'In the river', delivery: 'Alice\nEllauri 350' }
  await portal.call('alice@example.com', 'POST', '/devices/4/care_claim/', claim)
  const config = { features: [...FEATURES] }
  const show = async (as: string) => {
    const view = await renderAt('/orders', { portal, as, config })
    const [head, ...rows] = within(await view.screen.findByRole('table', { name: 'Replacements of care plans' })).getAllByRole('row')
    const shown = [plain(head!), ...rows.map(plain)]
    const link = within(rows[0]!).getByRole('link', { name: 'Family car' }).getAttribute('href')
    view.unmount()
    return { shown, link }
  }
  expect(await show('alice@example.com')).toEqual({
    shown: ['TrackerDateStatusDelivery addressOrder', 'Family carMar 2, 2026Not paidAlice Ellauri 350'],
    link: '/trackers/4/settings#care',
  })
  const { screen } = await renderAt('/orders', { portal, as: 'support@example.com', config })
  const link = await screen.findByRole('link', { name: 'Replacements of care plans' })
  expect(link).toHaveAttribute('href', '/operator/claims')
  expect(screen.queryByRole('table', { name: 'Replacements of care plans' })).toBeNull()
})

test('R-8.18 orders that cannot be loaded show an error and can be retried', async () => {
  await using portal = await startSyncedPortal()
  const server = withFaults(portal, { '/users/orders/': respondWith(500) })
  const { screen, user } = await renderAt('/orders', { portal: server, as: 'alice@example.com' })
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('An error occurred while loading your orders'))
  server.mend()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'ORD-1001' })).toBeVisible()
})

test('R-3.77 an unknown status is shown as is', async () => {
  await using portal = await startSyncedPortal()
  const order = { reference: 'ORD-7', date: '2026-01-01T00:00:00Z', status: 'on_hold', total: 100, currency: 'eur', invoice: null }
  const server = withFaults(portal, { '/users/orders/': respondWith(200, JSON.stringify([order])) })
  const { screen } = await renderAt('/orders', { portal: server, as: 'alice@example.com' })
  expect(await screen.findByRole('cell', { name: 'on_hold' })).toBeVisible()
})

test('a team member gets a not-found page without a request', async () => {
  await using page = await openAs('member@pro.example.com', '/orders')
  expect(await page.screen.findByText('Page not found')).toBeVisible()
  expect(page.calls.filter(({ path }) => path.startsWith('/users/orders'))).toEqual([])
})
