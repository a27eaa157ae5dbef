import { fireEvent, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

const at = (search: string) => waitFor(() => expect(window.location.search).toBe(search))

async function openPicker(path: string) {
  const view = await openAs('alice@example.com', path)
  await view.user.click(await view.screen.findByTitle('Choose a day'))
  return view
}

test('R-2.59 the calendar marks days with data and the chosen day', async () => {
  await using page = await openPicker('/trackers/1/history?day=2026-02-20')
  await page.user.click(await page.screen.findByRole('button', { name: 'Feb 18, 2026, with data' }))
  await at('?day=2026-02-18')
  expect(page.screen.queryByRole('button', { name: /with data/ })).toBeNull()
})

test('days without data are not marked, and future days cannot be chosen', async () => {
  await using page = await openPicker('/trackers/18/history')
  expect(await page.screen.findByRole('button', { name: 'Mar 1, 2026, with data' })).toBeEnabled()
  expect(page.screen.getByRole('button', { name: 'Mar 2, 2026' })).toBeEnabled()
  expect(page.screen.getByRole('button', { name: 'Mar 3, 2026' })).toBeDisabled()
})

test('a typed date is accepted', async () => {
  await using page = await openPicker('/trackers/1/history')
  fireEvent.change(await page.screen.findByLabelText('Date'), { target: { value: '2026-02-14' } })
  await page.user.click(page.screen.getByRole('button', { name: 'Show' }))
  await at('?day=2026-02-14')
})

test('a typed period is accepted, and one that ends before it begins is refused', async () => {
  await using page = await openPicker('/trackers/1/history')
  const { screen, user } = page
  await user.click(await screen.findByRole('radio', { name: 'Period' }))
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-02-20' } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-02-18' } })
  await user.click(screen.getByRole('button', { name: 'Show' }))
  expect(await screen.findByText(/at most 366 days/)).toBeVisible()
  await at('')
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-02-21' } })
  await user.click(screen.getByRole('button', { name: 'Show' }))
  await at('?from=2026-02-20&to=2026-02-21')
  const days = () => within(screen.getByRole('list', { name: 'Stops and trips' })).getAllByRole('heading')
  await waitFor(() => expect(days().map(({ textContent }) => textContent)).toEqual(['Friday, February 20', 'Saturday, February 21']))
})

test('a day chosen with a typed time opens the history at that time', async () => {
  await using page = await openPicker('/trackers/1/history?day=2026-02-18')
  const { screen, user } = page
  await user.type(await screen.findByLabelText('Time'), '3 pm')
  await user.click(await screen.findByRole('button', { name: 'Feb 20, 2026, with data' }))
  await at('?day=2026-02-20&at=15%3A00')
  await waitFor(() => expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/^3:00\sPM, /))
})

test('a time that cannot be read is refused at its field', async () => {
  await using page = await openPicker('/trackers/1/history')
  const { screen, user } = page
  await user.type(await screen.findByLabelText('Time'), 'noon')
  await user.click(screen.getByRole('button', { name: 'Show' }))
  expect(await screen.findByText('Write a time such as 15:00.')).toBeVisible()
  await at('')
})

test('a period is picked in the calendar with its first and its last day', async () => {
  await using page = await openPicker('/trackers/1/history?day=2026-02-20')
  const { screen, user } = page
  await user.click(await screen.findByRole('radio', { name: 'Period' }))
  await user.click(await screen.findByRole('button', { name: /^Feb 9, 2026/ }))
  await user.click(screen.getByRole('button', { name: /^Feb 11, 2026/ }))
  await at('?from=2026-02-09&to=2026-02-11')
})

test.each([
  ['Last 7 days', '?from=2026-02-24&to=2026-03-02'],
  ['This month', '?from=2026-03-01&to=2026-03-02'],
  ['Last month', '?from=2026-02-01&to=2026-02-28'],
])('%s is a period by its name', async (name, search) => {
  await using page = await openPicker('/trackers/1/history')
  await page.user.click(await page.screen.findByRole('radio', { name: 'Period' }))
  await page.user.click(page.screen.getByRole('button', { name }))
  await at(search)
})

test('the last seven days are one click away, and Escape closes the calendar', async () => {
  await using page = await openPicker('/trackers/1/history')
  const { screen, user } = page
  await user.click(await screen.findByRole('radio', { name: 'Period' }))
  await user.click(screen.getByRole('button', { name: 'Last 7 days' }))
  await at('?from=2026-02-24&to=2026-03-02')
  await user.click(await screen.findByTitle('Choose a day'))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('radio', { name: 'Period' })).toBeNull()
})
