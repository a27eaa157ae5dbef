import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openConsole } from '#web/test/open-console.ts'

test('claims of care plans are listed with owner, reason and address, by state', async () => {
  await using page = await openConsole('/operator', { role: 'support' })
  const { screen, user, portal } = page
  const claim = { reason: 'lost', description: 'In the river', delivery: 'Alice\nEllauri 350' }
  await portal.call('alice@example.com', 'POST', '/devices/4/care_claim/', claim)
  await user.click(await screen.findByRole('link', { name: 'Care claims' }))
  const table = within(await screen.findByRole('table', { name: 'Care claims' }))
  const row = table.getByRole('row', { name: /^Alice Almeida/ })
  for (const text of ['alice@example.com', 'Family car', 'It is lost', 'In the river', 'Ellauri 350', 'Not paid'])
    expect(row).toHaveTextContent(text)
  expect(within(row).getByRole('link', { name: 'Alice Almeida' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/operator\/customers\/\d+$/),
  )
  await user.click(screen.getByRole('button', { name: 'Ordered' }))
  expect(await screen.findByText('No claims here')).toBeVisible()
})

test('claims are found by owner within a state, and sorted by date, all in the address', async () => {
  await using page = await openConsole('/operator', { role: 'support' })
  const { screen, user, portal } = page
  const claim = { reason: 'lost', description: 'In the river', delivery: 'Alice\nEllauri 350' }
  await portal.call('alice@example.com', 'POST', '/devices/4/care_claim/', claim)
  await user.click(await screen.findByRole('link', { name: 'Care claims' }))
  await screen.findByRole('table', { name: 'Care claims' })
  await user.click(screen.getByRole('button', { name: 'Not paid' }))
  const search = screen.getByRole('textbox', { name: 'Name of the tracker, owner, number or order' })
  await user.type(search, 'george@{Enter}')
  expect(await screen.findByText('No claims here')).toBeVisible()
  await user.clear(screen.getByRole('textbox', { name: 'Name of the tracker, owner, number or order' }))
  await user.type(screen.getByRole('textbox', { name: 'Name of the tracker, owner, number or order' }), 'family{Enter}')
  const date = await screen.findByRole('columnheader', { name: 'Date' })
  expect(date).toHaveAttribute('aria-sort', 'descending')
  await user.click(within(date).getByRole('button'))
  await waitFor(() => expect(window.location.search).toBe('?status=open&search=family&sort=date'))
  expect(await screen.findByRole('row', { name: /^Alice Almeida/ })).toBeVisible()
})
