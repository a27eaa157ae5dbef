import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '#web/lib/api/query.ts'
import { storage } from '#web/lib/storage.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const here = () => window.location.pathname + window.location.search
const known = () => queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.data !== undefined })
const signInPage = () => screen.findByRole('heading', { name: 'Sign in' })

/** As a browser tells it after another tab has put another token, or none, where ours was. */
function tell(newValue: string | null, oldValue = storage.get('token')) {
  if (newValue) storage.set('token', newValue)
  else storage.remove('token')
  dispatchEvent(new StorageEvent('storage', { key: 'token', oldValue, newValue }))
}

test('R-4.29 R-4.30 R-4.31 logging out in another tab leads to the login page at once, and its data is forgotten', async () => {
  await using _page = await openAs('alice@example.com', '/trackers?sort=name')
  await screen.findByText('Rex', { selector: 'a' })
  sessionStorage.setItem('conflict', '{}')
  tell(null)
  await signInPage()
  expect(here()).toBe('/login?next=%2Ftrackers%3Fsort%3Dname')
  expect(screen.getByText(/Your session has ended/)).toBeVisible()
  expect([known(), sessionStorage.length]).toEqual([[], 0])
})

test('whoever signs in then in the other tab is the one here too', async () => {
  await using page = await openAs('alice@example.com', '/trackers')
  await screen.findByText('Rex', { selector: 'a' })
  tell(null)
  await signInPage()
  tell(await page.portal.token('bruno@example.com'))
  await waitFor(() => expect(here()).toBe('/trackers'))
  expect(await screen.findByRole('heading', { name: /^Trackers/ })).toBeVisible()
  expect(screen.queryByText('Rex')).toBeNull()
})

test('a renewed token leaves the page as it is', async () => {
  await using page = await openAs('alice@example.com', '/trackers')
  await screen.findByText('Rex', { selector: 'a' })
  tell(await page.portal.token('alice@example.com'), 'before')
  expect(here()).toBe('/trackers')
  expect(known()).not.toEqual([])
})

test.each(['/contact_us', '/login'])('%s, which is for anybody, stays', async (path) => {
  await renderAt(path, { token: 'abc' })
  await waitFor(() => expect(screen.getAllByRole('heading')).not.toEqual([]))
  tell(null)
  tell('another')
  expect(here()).toBe(path)
})
