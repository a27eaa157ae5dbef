import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openConsole } from '#web/test/open-console.ts'

const here = () => window.location.pathname + window.location.search

test('a customer is found by an order, and a click opens the page of the customer', async () => {
  await using page = await openConsole('/operator/customers', { role: 'support' })
  const { screen, user } = page
  await screen.findByRole('table', { name: 'Customers' })
  await user.keyboard('/')
  await user.keyboard(`${SEED.orders.delivered}{Enter}`)
  expect(await screen.findByText(`Order: ${SEED.orders.delivered}`)).toBeVisible()
  expect(here()).toBe(`/operator/customers?q=${SEED.orders.delivered}`)
  await user.click(within(screen.getByRole('table', { name: 'Customers' })).getByRole('link'))
  expect(await screen.findByRole('heading', { level: 1, name: /^Alice/ })).toBeVisible()
  expect(here()).toMatch(/^\/operator\/customers\/\d+$/)
})

test('a search without a result says what to try', async () => {
  await using page = await openConsole('/operator/customers?q=nobody@nowhere', { role: 'finance' })
  expect(await page.screen.findByRole('heading', { name: 'Nobody found' })).toBeVisible()
})

test('the keys j and k and the arrows move the focus through the customers, and Enter opens one', async () => {
  await using page = await openConsole('/operator/customers?sort=name', { role: 'support' })
  const { screen, user } = page
  const links = within(await screen.findByRole('table', { name: 'Customers' })).getAllByRole('link')
  await user.keyboard('j')
  expect(links[0]).toHaveFocus()
  await user.keyboard('j{ArrowDown}k')
  expect(links[1]).toHaveFocus()
  const name = links[1]!.textContent!
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name })).toBeVisible()
})
