import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

const open = async (path = '/subscriptionSelector') => {
  const page = await openAs('alice@example.com', path)
  const list = await screen.findByRole('list', { name: 'List of trackers' })
  return { ...page, names: () => [...list.querySelectorAll('li strong')].map(({ textContent }) => textContent) }
}

test('a long list is grouped by when plans are due, and is searched and filtered', async () => {
  await using page = await open()
  const heads = within(screen.getByRole('list', { name: 'List of trackers' })).getAllByRole('heading')
  expect(heads.slice(0, 3).map(({ textContent }) => textContent)).toEqual(['Not activated 2', 'Ended 2', 'Within 30 days 2'])
  await page.user.click(screen.getByRole('button', { name: 'Ended 2' }))
  expect(page.names()).toEqual(['Old tracker', 'Puppy'])
  await page.user.click(screen.getByRole('button', { name: /^Renews by itself/ }))
  expect(page.names()).toContain('Rex')
  await page.user.click(screen.getByRole('button', { name: 'Ended 2' }))
  await page.user.type(screen.getByRole('textbox', { name: 'Search name, tag, address' }), 'rex')
  expect(page.names()).toEqual(['Rex'])
  await page.user.type(screen.getByRole('textbox', { name: 'Search name, tag, address' }), 'xyz')
  expect(screen.getByText('No tracker matches')).toBeVisible()
})

test('all shown trackers are ticked at once with one plan, with their ends before and after', async () => {
  await using page = await open()
  await page.user.click(screen.getByRole('button', { name: 'Choose several' }))
  await page.user.click(screen.getByRole('button', { name: /^Ends within 30 days/ }))
  await page.user.click(screen.getByRole('button', { name: /^Ended/ }))
  expect(screen.getByRole('checkbox', { name: 'Choose Company van' })).toBeDisabled()
  const count = page.names().length - 1
  expect(count).toBeGreaterThan(1)
  await page.user.click(screen.getByRole('checkbox', { name: 'Choose all shown' }))
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Plan for all chosen trackers' }), 'eur-12m')
  const bar = within(screen.getByRole('region', { name: 'Summary' }))
  expect(bar.getByText(`Chosen: ${count}`)).toBeVisible()
  expect(bar.getByText(new Intl.NumberFormat('en', { style: 'currency', currency: 'eur' }).format(14.95 * count))).toBeVisible()
  expect(screen.getByText(/Active until Mar 14, 2026 → Mar 14, 2027/)).toBeVisible()
  await page.user.click(screen.getByRole('checkbox', { name: 'Choose Misty' }))
  expect(bar.getByText(`Chosen: ${count - 1}`)).toBeVisible()
})

test('trackers named in the address are chosen with the plan they had, and those that cannot be bought for are named', async () => {
  await using page = await open('/subscriptionSelector?devices=2,9,1')
  expect(page.names()).toHaveLength(3)
  expect(screen.getByText(/Nothing can be bought for: Rex\./)).toBeVisible()
  expect(screen.getByRole('checkbox', { name: 'Choose Misty' })).toBeChecked()
  expect(within(screen.getByRole('region', { name: 'Summary' })).getByText('Chosen: 2')).toBeVisible()
  await page.user.click(screen.getByRole('button', { name: 'Show all' }))
  expect(page.names().length).toBeGreaterThan(3)
  await page.user.click(screen.getByRole('button', { name: 'Ended 2' }))
  await page.user.click(screen.getByRole('checkbox', { name: 'Choose all shown' }))
  expect(within(screen.getByRole('region', { name: 'Summary' })).getByText('Chosen: 3')).toBeVisible()
})

test('a large purchase has one plan for all, a line for each plan in its summary, and each tracker with its end before and after', async () => {
  await using page = await openAs('alice@example.com', '/subscription?devices=2.eur-12m,9.eur-12m,5.eur-12m,3.eur-12m,13.eur-12m,16.eur-1m')
  const summary = within(await screen.findByRole('region', { name: 'Summary' }))
  expect(summary.getByText(/^5 × 1 year/)).toBeVisible()
  expect(summary.getByText(/^1 × 1 month/)).toBeVisible()
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Plan for all chosen trackers' }), 'eur-3m')
  expect(summary.getByText(/^6 × 3 months/)).toBeVisible()
  expect(screen.getByText(/Active until Mar 14, 2026 → Jun 14, 2026/)).toBeVisible()
})
