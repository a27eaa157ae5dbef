import { waitFor, within } from '@testing-library/react'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { orders } from '#db/schema/commerce.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openConsole } from '#web/test/open-console.ts'

const { inProgress, shipping } = SEED.orders
type Page = Awaited<ReturnType<typeof openConsole>>

const references = ({ screen }: Page) =>
  within(screen.getByRole('table', { name: 'Orders' }))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)
const openOrder = async ({ screen, user }: Page, reference: string) => {
  await user.click(await screen.findByRole('link', { name: reference }))
  return within(await screen.findByRole('complementary', { name: reference }))
}

test('an order is taken from the stock, shipped and marked as delivered', async () => {
  await using page = await openConsole('/operator/orders?state=to_pick', { role: 'stock' })
  const { screen, user } = page
  const order = await openOrder(page, inProgress)
  await user.click(await order.findByRole('button', { name: 'Take from stock' }))
  await user.type(screen.getByLabelText(/^S\/N or identifier/), 'no-such-item')
  await user.click(screen.getByRole('button', { name: 'Mark as picked' }))
  expect(await screen.findByText('no-such-item is not in stock')).toBeVisible()
  await user.clear(screen.getByLabelText(/^S\/N or identifier/))
  await user.click(screen.getByRole('button', { name: 'Mark as picked' }))

  await user.click(await order.findByRole('button', { name: 'Ship' }))
  await user.type(screen.getByLabelText(/^Carrier/), 'DPD')
  await user.type(screen.getByLabelText(/^Parcel number/), '0123 45')
  await user.click(screen.getByRole('button', { name: 'Mark as shipped' }))
  expect(await order.findByRole('link', { name: '012345' })).toHaveAttribute('href', 'https://tracking.dpd.de/status/en_US/parcel/012345')

  await user.click(order.getByRole('button', { name: 'Mark as delivered' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Mark as delivered' }))
  expect(await order.findByRole('button', { name: 'Take back' })).toBeVisible()
})

test('orders are filtered by state and search, in the address, and nothing found says so', async () => {
  await using page = await openConsole('/operator/orders', { role: 'support' })
  const { screen, user } = page
  await screen.findByRole('table', { name: 'Orders' })
  expect(references(page)).toHaveLength(3)
  await user.click(screen.getByRole('button', { name: 'On its way' }))
  await waitFor(() => expect(references(page)).toEqual([shipping]))
  await user.type(screen.getByRole('textbox', { name: 'Number, e-mail, name or parcel' }), 'bruno@example.com{Enter}')
  expect(await screen.findByRole('heading', { name: 'No order found' })).toBeVisible()
  expect(window.location.search).toBe('?state=shipping&search=bruno%40example.com')
})

test('the keys j and k move through the orders, and Escape closes the details', async () => {
  await using page = await openConsole('/operator/orders', { role: 'stock' })
  const { screen, user } = page
  await screen.findByRole('table', { name: 'Orders' })
  await user.keyboard('j')
  expect(await screen.findByRole('complementary', { name: inProgress })).toBeVisible()
  await user.keyboard('j')
  expect(await screen.findByRole('complementary', { name: shipping })).toBeVisible()
  await user.keyboard('k')
  expect(await screen.findByRole('complementary', { name: inProgress })).toBeVisible()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  await user.keyboard('/')
  expect(screen.getByRole('textbox', { name: 'Number, e-mail, name or parcel' })).toHaveFocus()
})

test('a role that may only read orders sees no buttons of steps', async () => {
  await using page = await openConsole('/operator/orders', { role: 'finance' })
  const order = await openOrder(page, inProgress)
  expect(await order.findByText('alice@example.com')).toBeVisible()
  expect(order.queryByRole('button', { name: 'Ship' })).toBeNull()
})

test('several orders are chosen, also by key, checked, and shipped with parcel numbers by row and pasted ones', async () => {
  await using page = await openConsole('/operator/orders', { role: 'stock' })
  const { screen, user } = page
  await user.click(await screen.findByRole('checkbox', { name: `Choose ${inProgress}` }))
  await user.click(screen.getByRole('button', { name: 'Choose none' }))
  await user.keyboard('jx')
  expect(screen.getByText('Chosen: 1')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Ship together' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Ship several orders' }))
  await user.click(dialog.getByRole('button', { name: 'Check' }))
  expect(await dialog.findByLabelText(/^Carrier/)).toBeInvalid()
  await user.type(dialog.getByLabelText(/^Carrier/), 'DPD')
  await user.type(dialog.getByLabelText(`Parcel number of ${inProgress}`), '0123')
  await user.type(dialog.getByLabelText(/^Or paste lines/), 'ORD-9999,DHL,77\nnonsense')
  await user.click(dialog.getByRole('button', { name: 'Check' }))
  expect(await dialog.findByText('Lines that cannot be read: 2')).toBeVisible()
  await user.clear(dialog.getByLabelText(/^Or paste lines/))
  await user.type(dialog.getByLabelText(/^Or paste lines/), 'ORD-9999,DHL,77')
  await user.click(dialog.getByRole('button', { name: 'Check' }))

  const preview = within(await screen.findByRole('table', { name: 'Result' }))
  expect(preview.getByText('Will be shipped')).toBeVisible()
  expect(preview.getByText('No such order')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Mark as shipped' }))
  expect(await within(screen.getByRole('table', { name: 'Result' })).findByText('Shipped')).toBeVisible()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: `Choose ${inProgress}` })).toBeNull())
  expect(screen.queryByRole('button', { name: 'Ship together' })).toBeNull()
})

test('columns are hidden and shown again, and the browser keeps the choice for each member of staff', async () => {
  await using page = await openConsole('/operator/orders', { role: 'support' })
  const { screen, user } = page
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  await user.click(await screen.findByText('Columns', { selector: 'summary' }))
  await user.click(screen.getByRole('checkbox', { name: 'Contents' }))
  expect(heads()).toEqual(['Order', 'Customer', 'Date', 'State', 'Total'])
  expect(screen.queryByRole('checkbox', { name: 'Order' })).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Invoices' }))
  await screen.findByRole('table', { name: 'Invoices' })
  await user.click(screen.getByRole('link', { name: 'Orders' }))
  await screen.findByRole('table', { name: 'Orders' })
  expect(heads()).toEqual(['Order', 'Customer', 'Date', 'State', 'Total'])
  await user.click(screen.getByText('Columns', { selector: 'summary' }))
  await user.click(screen.getByRole('checkbox', { name: 'Contents' }))
  expect(heads()).toContain('Contents')
})

test('a head sorts the orders, in the address, and keeps the focus; pressed again it turns the order round', async () => {
  await using page = await openConsole('/operator/orders', { role: 'support' })
  const { screen, user } = page
  const head = async (name: string) => within(await screen.findByRole('columnheader', { name })).getByRole('button')
  expect(await screen.findByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'descending')
  const newestFirst = references(page)
  await user.click(await head('Date'))
  await waitFor(() => expect(references(page)).toEqual(newestFirst.toReversed()))
  expect(window.location.search).toBe('?sort=date')
  expect(await head('Date')).toHaveFocus()
  await user.click(await head('Date'))
  await waitFor(() => expect(references(page)).toEqual(newestFirst))
  expect(window.location.search).toBe('')
  await user.click(await head('Total'))
  await waitFor(() => expect(screen.getByRole('columnheader', { name: 'Total' })).toHaveAttribute('aria-sort', 'ascending'))
  expect(screen.getByRole('columnheader', { name: 'Date' })).not.toHaveAttribute('aria-sort')
  expect(screen.queryByRole('button', { name: 'Contents' })).toBeNull()
})

test('next to the details of an order the table leaves out the columns that they show', async () => {
  await using page = await openConsole('/operator/orders', { role: 'support' })
  const { screen, user } = page
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  await screen.findByRole('table', { name: 'Orders' })
  expect(heads()).toEqual(['Order', 'Customer', 'Contents', 'Date', 'State', 'Total'])
  await user.keyboard('j')
  await screen.findByRole('complementary')
  expect(heads()).toEqual(['Order', 'Customer', 'Date', 'State'])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(heads()).toContain('Total'))
})

test('the labels of the chosen orders are printed together', async () => {
  await using page = await openConsole('/operator/orders', { role: 'stock' })
  const { screen, user, portal } = page
  const delivery = 'Alice Almeida\nEllauri 350'
  await portal.world.db.write('everything', (tx) => tx.update(orders).set({ delivery }).where(eq(orders.reference, inProgress)))
  const printed: string[] = []
  const print = vi.spyOn(window, 'print').mockImplementation(() => {
    printed.push(...[...document.querySelectorAll('body > ul > li')].map(({ textContent }) => textContent ?? ''))
    window.dispatchEvent(new Event('afterprint'))
  })
  await user.click(await screen.findByRole('checkbox', { name: `Choose ${inProgress}` }))
  await user.click(screen.getByRole('button', { name: 'Print labels' }))
  await waitFor(() => expect(printed).toEqual([`${delivery}\n${inProgress}`]))
  await waitFor(() => expect(document.querySelector('body > ul')).toBeNull())
  expect(screen.getByText('Chosen: 1')).toBeVisible()
  print.mockRestore()
})
