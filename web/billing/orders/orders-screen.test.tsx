import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startWorld } from '#web/test/at-world-time.ts'
import { answering, faulty } from '#web/test/faulty.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const plain = (element: HTMLElement) => element.textContent.replace(/\s+/g, ' ')

test('R-2.4 R-3.76 R-3.77 R-3.79 E-76 orders stand newest first, in the words of the reader', async () => {
  await using page = await openAs('alice@example.com', '/orders')
  const [, ...rows] = within(await page.screen.findByRole('table')).getAllByRole('row')
  expect(rows.map(plain)).toEqual([
    'ORD-1003Mar 1, 2026In progress€49.80',
    'ORD-1002Feb 21, 2026ShippingShow invoice€9.90',
    'ORD-1001Dec 27, 2025DeliveredShow invoice€14.95',
  ])
  expect(within(rows[2]!).getByRole('link', { name: 'Show invoice' })).toHaveAttribute('href', '/invoices?id=1')
  expect(page.screen.getByRole('navigation')).toBeVisible()
})

test('R-2.71 R-3.75 E-77 an order shows its lines, its tax and what it costs', async () => {
  await using page = await openAs('alice@example.com', '/orders')
  await page.user.click(await page.screen.findByRole('link', { name: 'ORD-1003' }))
  expect(await page.screen.findByRole('heading', { name: 'Order ORD-1003' })).toBeVisible()
  const [, ...lines] = within(await page.screen.findByRole('table')).getAllByRole('row')
  expect(lines.map(plain)).toEqual(['2 years – Family car2€24.90€49.80'])
  const facts = page.screen.getAllByRole('term').map((name) => `${name.textContent} ${name.nextElementSibling?.textContent}`)
  expect(facts).toEqual(['Date Mar 1, 2026', 'Status In progress', 'Net amount €41.16', 'Tax €8.64', 'Total €49.80'])
})

test('R-2.71 an unknown reference is an order not found, and the list is next', async () => {
  await using page = await openAs('alice@example.com', '/orders/ORD-0')
  expect(await page.screen.findByRole('heading', { name: 'Order not found' })).toBeVisible()
  await page.user.click(page.screen.getByRole('link', { name: 'All orders' }))
  expect(await page.screen.findByRole('table', { name: 'Orders' })).toBeVisible()
})

test('R-8.27 without orders the page says so', async () => {
  await using page = await openAs('bruno@example.com', '/orders')
  expect(await page.screen.findByText('No order available')).toBeVisible()
})

test('R-8.18 orders that can not be loaded say so, and are asked for again', async () => {
  await using portal = await startWorld()
  const server = faulty(portal, { '/users/orders/': answering(500) })
  const { screen, user } = await renderAt('/orders', { portal: server, as: 'alice@example.com' })
  expect(await screen.findByRole('alert')).toHaveTextContent('An error occurred while loading your orders')
  server.mend()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'ORD-1001' })).toBeVisible()
})

test('R-3.77 a status that nobody knows is shown as it is', async () => {
  await using portal = await startWorld()
  const order = { reference: 'ORD-7', date: '2026-01-01T00:00:00Z', status: 'on_hold', total: 100, currency: 'eur', invoice: null }
  const server = faulty(portal, { '/users/orders/': answering(200, JSON.stringify([order])) })
  const { screen } = await renderAt('/orders', { portal: server, as: 'alice@example.com' })
  expect(await screen.findByRole('cell', { name: 'on_hold' })).toBeVisible()
})

test('D-01 C-48 a member of a team finds no such page, and nothing is asked', async () => {
  await using page = await openAs('member@pro.example.com', '/orders')
  expect(await page.screen.findByText('Page not found')).toBeVisible()
  expect(page.calls.filter(({ path }) => path.startsWith('/users/orders'))).toEqual([])
})
