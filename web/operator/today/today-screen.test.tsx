import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openConsole } from '#web/test/open-console.ts'

async function open() {
  const page = await openConsole('/operator', { role: 'support' })
  const { screen } = page
  await screen.findByRole('heading', { name: 'Today' })
  return { ...page, waiting: within(await screen.findByRole('region', { name: 'What waits' })) }
}

test('the console opens on what waits, and each kind leads to the screen where it is worked on', async () => {
  await using page = await open()
  const { screen, user, waiting } = page
  expect(window.location.pathname).toBe('/operator')
  const rows = waiting.getAllByRole('listitem').map(({ textContent }) => textContent.replace(/\d+$/, ''))
  expect(rows).toEqual(['Requests of owners', 'Orders to send', 'Failed payments', 'Unexplained payments', 'Late mails'])
  await user.click(waiting.getByRole('link', { name: /^Orders to send/ }))
  expect(await screen.findByRole('heading', { name: /^Orders/ })).toBeVisible()
  expect(window.location.search).toBe('?state=to_pick')
})

test('the figures of the business are shown for a day, a week and a month', async () => {
  await using page = await open()
  const table = within(page.screen.getByRole('table', { name: 'Figures' }))
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Figure', '24 hours', '7 days', '30 days'])
  expect(table.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Sign-ups',
    'Activations',
    'Renewals',
    'Ended subscriptions',
  ])
  expect(page.screen.getByText('Active trackers').nextElementSibling!.textContent).toMatch(/^\d+$/)
})
