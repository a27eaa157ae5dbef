import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { limits } from '#scripts/test-setup/limits.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { storage } from '#web/lib/storage.ts'
import { type Fault, noResponse, respondWith, withFaults } from '#web/test/faults.ts'
import { renderAt } from '#web/test/render-at.tsx'
// Sets up the canvas stub.
import '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const INVALID = 'Invalid link: unknown link or expired link'
const LINK = '/tracker_public_share_links/'
const LIST = '/devices/?type=tracker'

/** A backend without a call for links, which returns Alice's trackers in the list for a link's token. */
async function open(faults: Record<string, Fault>, { token, session }: { token?: string; session?: string } = {}) {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const portal = await startPortal()
  const linked = token ?? (await portal.token(ALICE))
  const path = `/pub/trackers?token=${encodeURIComponent(linked)}`
  const view = await renderAt(path, { portal: withFaults(portal, faults), ...(session && { token: session }) })
  return {
    ...view,
    linked,
    async [Symbol.asyncDispose]() {
      view.unmount()
      logged.mockRestore()
      await portal[Symbol.asyncDispose]()
    },
  }
}

const PAGE = '<!doctype html><h1>Not Found</h1>'

test.each([
  ['401', respondWith(401, '{"detail":"Authentication credentials were not provided."}')],
  ['403', respondWith(403, '{"detail":"No permission."}')],
  ['404 as a page', respondWith(404, PAGE)],
  ['404 as JSON', respondWith(404, '{"detail":"Not found.","code":"not_found"}')],
  ['405', respondWith(405, '{"detail":"Method not allowed."}')],
  ['501', respondWith(501, '')],
  ['its start page', respondWith(200, PAGE)],
])('where the call for a link answers %s, the list of trackers is asked with the token of the link', async (_, fault) => {
  await using page = await open({ [LINK]: fault })
  const list = await screen.findByRole('list', { name: 'Trackers' })
  expect(within(list).getByRole('button', { name: /Rex/ })).toBeVisible()
  expect(screen.queryByText(/Permanent|Shared until/)).toBeNull()
  expect(page.calls.map(({ path, headers }) => [path, headers.get('authorization')])).toEqual([
    [`${LINK}${page.linked}/`, null],
    [LIST, `Bearer ${page.linked}`],
  ])
})

test('a reload of the page only reads the list', async () => {
  await using page = await open({ [LINK]: respondWith(404, PAGE) })
  await screen.findByRole('list', { name: 'Trackers' })
  await queryClient.invalidateQueries()
  expect(page.calls.slice(2).map(({ path }) => path)).toEqual([LIST])
})

test('the session and the stored trackers of a signed-in visitor are unchanged', async () => {
  storage.set('lastTrackers', 'mine')
  await using _page = await open({ [LINK]: respondWith(401) }, { session: 'mine' })
  await screen.findByRole('list', { name: 'Trackers' })
  expect(storage.get('token')).toBe('mine')
  expect(storage.get('lastTrackers')).toBe('mine')
  storage.remove('lastTrackers')
})

test.each([
  ['forty hexadecimal digits', 'f'.repeat(40)],
  ['a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-nA_ture'],
  ['a token with characters that an address encodes', 'a+b/c=='],
])('%s that opens nothing is an invalid link, also to a visitor who is signed in', async (_, token) => {
  await using page = await open({ [LINK]: respondWith(404, PAGE) }, { token, session: 'mine' })
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(INVALID))
  expect(page.calls[1]?.headers.get('authorization')).toBe(`Bearer ${token}`)
  expect(storage.get('token')).toBe('mine')
  expect(window.location.pathname).toBe('/pub/trackers')
})

test('a link to no tracker is an invalid link', async () => {
  await using _page = await open({ [LINK]: respondWith(401), [LIST]: respondWith(200, '[]') })
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(INVALID))
})

test.each([
  ['the call for a link fails', { [LINK]: respondWith(500, PAGE) }, 1],
  ['the list of trackers fails', { [LINK]: respondWith(404, PAGE), [LIST]: respondWith(503) }, 2],
])('where %s, the page says that it could not load', async (_, faults, requests) => {
  await using page = await open(faults)
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.'))
  expect(page.calls).toHaveLength(requests)
})

test('without a response from the list of trackers the visitor is told that the server does not respond', async () => {
  await using _page = await open({ [LINK]: respondWith(404, PAGE), [LIST]: noResponse })
  expect(await screen.findByRole('heading', { name: 'Server error' }, { timeout: 3 * limits.element })).toBeVisible()
})
