import { waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { singleKeys } from '#web/lib/navigation/shortcuts.ts'
import { openConsole } from '#web/test/open-console.ts'

afterEach(() => singleKeys.turn(true))

test('the keys move through rows that open nothing, and not past the last one', async () => {
  await using page = await openConsole('/operator/staff', { role: 'admin' })
  const { screen, user } = page
  const members = within(await screen.findByRole('table', { name: 'Staff' }))
    .getAllByRole('row')
    .slice(1)
  await user.keyboard('j')
  expect(members[0]).toHaveFocus()
  await user.keyboard('j{ArrowDown}k')
  expect(members[1]).toHaveFocus()
  await user.keyboard('j'.repeat(members.length))
  expect(members.at(-1)).toHaveFocus()
})

test('? lists the keys of the tables, and so does a button; single keys can be turned off there', async () => {
  await using page = await openConsole('/operator/customers', { role: 'support' })
  const { screen, user } = page
  const table = within(await screen.findByRole('table', { name: 'Customers' }))
  await user.keyboard('?')
  const list = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  for (const words of ['Next or previous row', 'Choose all rows, or none']) expect(list.getByText(words)).toBeVisible()
  expect(list.queryByText('List of trackers')).toBeNull()
  await user.click(list.getByRole('checkbox', { name: 'Single-key shortcuts' }))
  await user.click(list.getByRole('button', { name: 'Close' }))
  await user.keyboard('j?')
  expect(table.getAllByRole('link')[0]).not.toHaveFocus()
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }))
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('letters that are typed into a field move nothing', async () => {
  await using page = await openConsole('/operator/stock', { role: 'stock' })
  const { screen, user } = page
  await screen.findByRole('table', { name: 'Stock' })
  await user.keyboard('/jx?')
  expect(screen.getByRole('textbox', { name: 'Identifier or S/N' })).toHaveValue('jx?')
  await waitFor(() => expect(window.location.search).toBe(''))
})
