import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '#web/lib/api/query.ts'
import { storage } from '#web/lib/storage.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'

const here = () => window.location.pathname + window.location.search
const known = () => queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.data !== undefined })
const signInPage = () => screen.findByRole('heading', { name: 'Sign in' })

/** Fires the `storage` event that a browser sends after another tab has changed or removed the token. */
function tell(newValue: string | null, oldValue = storage.get('token')) {
  if (newValue) storage.set('token', newValue)
  else storage.remove('token')
  dispatchEvent(new StorageEvent('storage', { key: 'token', oldValue, newValue }))
}

test('R-4.29 R-4.30 R-4.31 signing out in another tab leads to the login page at once and clears the cached data', async () => {
  await using _page = await openAs('alice@example.com', '/trackers?sort=name')
  await screen.findByText('Rex', { selector: 'a' })
  sessionStorage.setItem('conflict', '{}')
  tell(null)
  await signInPage()
  expect(here()).toBe('/login?next=%2Ftrackers%3Fsort%3Dname')
  expect(screen.getByText(/Your session has ended/)).toBeVisible()
  expect([known(), sessionStorage.length]).toEqual([[], 0])
})

test('a user who then signs in in the other tab is signed in here too', async () => {
  await using page = await openAs('alice@example.com', '/trackers')
  await screen.findByText('Rex', { selector: 'a' })
  tell(null)
  await signInPage()
  tell(await page.portal.token('bruno@example.com'))
  await waitFor(() => expect(here()).toBe('/trackers'))
  expect(await screen.findByRole('heading', { name: /^Trackers/ })).toBeVisible()
  expect(screen.queryByText('Rex')).toBeNull()
})

test('a tab that had no time to render the login page shows nothing of the previous user', async () => {
  await using page = await openAs('alice@example.com', '/trackers')
  await screen.findByText('Rex', { selector: 'a' })
  const bruno = await page.portal.token('bruno@example.com')
  tell(null)
  tell(bruno, null)
  expect(await screen.findByText('No tracker yet')).toBeVisible()
  expect(screen.queryByText('Rex')).toBeNull()
  expect(here()).toBe('/trackers')
})

test('data whose rejection arrived late is loaded again for the user who signs in in the other tab', async () => {
  await using page = await openAs('alice@example.com', '/trackers')
  await screen.findByText('Rex', { selector: 'a' })
  tell(null)
  await signInPage()
  await queryClient.prefetchQuery({ queryKey: devicesQuery().queryKey, queryFn: () => Promise.reject(new Error('401')) })
  tell(await page.portal.token('alice@example.com'))
  expect(await screen.findByText('Rex', { selector: 'a' })).toBeVisible()
})

test('a renewed token leaves the page unchanged', async () => {
  await using page = await openAs('alice@example.com', '/trackers')
  await screen.findByText('Rex', { selector: 'a' })
  tell(await page.portal.token('alice@example.com'), 'before')
  expect(here()).toBe('/trackers')
  expect(known()).not.toEqual([])
})

/** Never responds: a late response could lead to the error page. */
const SILENT_SERVER = { fetch: () => new Promise<Response>(() => undefined), token: () => 'abc' }

test.each(['/contact_us', '/login'])('the public page %s stays open when the session changes in another tab', async (path) => {
  await renderAt(path, { token: 'abc', portal: SILENT_SERVER })
  await waitFor(() => expect(screen.getAllByRole('heading')).not.toEqual([]))
  tell(null)
  tell('another')
  expect(here()).toBe(path)
})
