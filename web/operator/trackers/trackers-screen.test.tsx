import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openConsole } from '#web/test/open-console.ts'

type Page = Awaited<ReturnType<typeof openConsole>>

const names = ({ screen }: Page) =>
  within(screen.getByRole('table', { name: 'Trackers' }))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)

test('support finds a tracker with its owner, and opens the page of the customer', async () => {
  await using page = await openConsole('/operator/trackers', { role: 'support' })
  const { screen, user } = page
  await screen.findByRole('table', { name: 'Trackers' })
  await user.keyboard('/rex{Enter}')
  await waitFor(() => expect(names(page)).toEqual(['Rex']))
  expect(screen.getByText('Alice Almeida')).toBeVisible()
  expect(screen.getByText('alice@example.com')).toBeVisible()
  expect(window.location.search).toBe('?search=rex')
  await user.click(screen.getByRole('link', { name: 'Rex' }))
  expect(await screen.findByRole('heading', { level: 1, name: /^Alice/ })).toBeVisible()
})

test('a search for trackers without a result says what to try', async () => {
  await using page = await openConsole('/operator/trackers?search=no+such+tracker', { role: 'finance' })
  expect(await page.screen.findByRole('heading', { name: 'No tracker found' })).toBeVisible()
})
