import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

test('a closed dialog returns the focus, or moves it to the content when the opener is gone', async () => {
  await using page = await openAs('alice@example.com', '/contacts')
  const edit = await screen.findByRole('button', { name: 'Edit: Dave' })
  await page.user.click(edit)
  await page.user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(edit).toHaveFocus()
  await page.user.click(screen.getByRole('button', { name: 'Delete: Dave' }))
  await page.user.click(screen.getByRole('button', { name: 'Delete' }))
  await screen.findByText('Contact deleted')
  expect(screen.queryByText('Dave')).toBeNull()
  expect(screen.getByRole('main')).toHaveFocus()
})
