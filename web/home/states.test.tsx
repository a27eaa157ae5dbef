import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { queryClient } from '#web/lib/api/query.ts'
import { session } from '#web/lib/session.ts'
import { noResponse, respondWith, withFaults } from '#web/test/faults.ts'
import { forgiven } from '#web/test/habits.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'

const ALICE = 'alice@example.com'
const LIST = '/devices/?'
const SCREENS = ['/', '/trackers', '/trackers/1', '/map', '/trackers/1/history'] as const

const HEADINGS = { '/': 'Trackers', '/trackers': 'Trackers', '/trackers/1': 'Trackers', '/map': 'Map', '/trackers/1/history': 'History' }

/** A text of each screen that appears once the list is loaded. */
const ready = {
  '/': () => screen.findByRole('region', { name: 'List of trackers' }),
  '/trackers': () => screen.findByRole('table'),
  '/trackers/1': () => screen.findByRole('article', { name: 'Rex' }),
  '/map': () => screen.findByRole('region', { name: 'Map' }),
  '/trackers/1/history': () => screen.findByRole('list', { name: 'Stops and trips' }),
}

/** Delays the response with the list until `answer` is called. */
function slow(portal: Awaited<ReturnType<typeof startSyncedPortal>>) {
  let answer = () => {}
  const gate = new Promise<void>((resolve) => {
    answer = resolve
  })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input).startsWith(LIST)) await gate
    return portal.fetch(input, init)
  }
  return { fetch, token: portal.token, answer: () => answer() }
}

describe('loading', () => {
  test.each(SCREENS)('%s shows that it is loading and then the trackers', async (path) => {
    await using portal = await startSyncedPortal()
    const server = slow(portal)
    const view = await renderAt(path, { portal: server, as: ALICE })
    await waitFor(() => expect(view.calls.some((call) => call.path.startsWith(LIST))).toBe(true))
    await waitFor(() => expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Loading…'))
    expect(screen.queryByRole('alert')).toBeNull()
    server.answer()
    await ready[path]()
    await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
    view.unmount()
  })
})

describe('R-7.29 failed list', () => {
  test.each(SCREENS)('%s shows an error in place, and trying again recovers', async (path) => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [LIST]: respondWith(500) })
    const view = await renderAt(path, { portal: server, as: ALICE })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.'))
    expect(window.location.pathname).toBe(path)
    if (path !== '/trackers') expect(screen.getByRole('region', { name: 'Map' })).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(HEADINGS[path])
    server.mend()
    await view.user.click(screen.getByRole('button', { name: 'Try again' }))
    await ready[path]()
    await waitFor(() => expect(screen.queryByText('We could not load this.')).toBeNull())
    view.unmount()
  })

  test.each(['/', '/trackers'])('%s shows the list without a click once polling brings it', async (path) => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [LIST]: respondWith(500) })
    const view = await renderAt(path, { portal: server, as: ALICE })
    await screen.findByRole('alert')
    server.mend()
    await queryClient.refetchQueries({ queryKey: trackerKeys.devices, type: 'active' })
    await ready[path as '/']()
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    view.unmount()
  })

  test.each([
    ['an empty body', respondWith(500, '')],
    ['an HTML page', respondWith(502, '<html><h1>Bad gateway</h1></html>')],
    ['truncated JSON', respondWith(503, '{"code":')],
    ['a body that breaks the contract', respondWith(200, '{"devices":"many"}')],
  ])('R-8.29 %s is shown as the same failure', async (_, fault) => {
    await using portal = await startSyncedPortal()
    const view = await renderAt('/trackers', { portal: withFaults(portal, { [LIST]: fault }), as: ALICE })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.'))
    forgiven.splice(0)
    view.unmount()
  })

  test('R-7.26 no response leads to /error', async () => {
    await using portal = await startSyncedPortal()
    const view = await renderAt('/trackers', { portal: withFaults(portal, { [LIST]: noResponse }), as: ALICE })
    expect(await screen.findByRole('heading', { name: 'Server error' })).toBeVisible()
    expect(window.location.pathname).toBe('/error')
    view.unmount()
  })

  test.each(SCREENS)('R-7.27 an expired session leads from %s to the login page, which leads back', async (path) => {
    await using portal = await startSyncedPortal()
    const view = await renderAt(path, { portal, token: 'stale' })
    await screen.findByRole('button', { name: 'Sign in' })
    expect(window.location.pathname).toBe('/login')
    expect(new URLSearchParams(window.location.search).get('next') ?? '/').toBe(path)
    view.unmount()
  })
})

describe('partial failures', () => {
  test("when today's track fails to load, the card says so and shows a dash", async () => {
    await using portal = await startSyncedPortal()
    const view = await renderAt('/trackers/1', { portal: withFaults(portal, { '/devices/1/tracker_data/': respondWith(500) }), as: ALICE })
    const card = within(await screen.findByRole('article', { name: 'Rex' }))
    expect(await card.findByText('We could not load this.')).toBeVisible()
    expect(card.getByText('Today').nextElementSibling).toHaveTextContent('–')
    expect(await card.findByRole('button', { name: 'Share' })).toBeEnabled()
    view.unmount()
  })

  test('when role and e-mail status fail to load, no banner is shown and available actions stay available', async () => {
    await using portal = await startSyncedPortal()
    const view = await renderAt('/trackers/1', { portal: withFaults(portal, { '/options/': respondWith(500) }), as: ALICE })
    const card = within(await screen.findByRole('article', { name: 'Rex' }))
    expect(card.getByRole('button', { name: 'Boost' })).toBeEnabled()
    expect(screen.queryByText(/not confirmed yet/)).toBeNull()
    view.unmount()
  })

  test('when links fail to load, the dialog says so without a form, and opened again it loads them', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { '/devices/1/public_share_link/': respondWith(500) })
    const view = await renderAt('/trackers/1', { portal: server, as: ALICE })
    await view.user.click(await screen.findByRole('button', { name: 'Share' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('We could not load this.')).toBeVisible()
    expect(dialog.queryByRole('button', { name: 'Create link' })).toBeNull()
    server.mend()
    await view.user.click(dialog.getByRole('button', { name: 'Close' }))
    await view.user.click(screen.getByRole('button', { name: 'Share' }))
    expect(await screen.findByRole('button', { name: 'Create link' })).toBeVisible()
    view.unmount()
  })
})

describe("F: nothing there, and not one's own", () => {
  test('/trackers of an account without trackers shows a way to support and no list or search', async () => {
    await using page = await openAs('dario@example.com', '/trackers')
    expect(await page.screen.findByText('No tracker yet')).toBeVisible()
    expect(page.screen.getByRole('link', { name: 'Ask support for help' })).toHaveAttribute('href', 'mailto:support@example.com')
    expect(page.screen.queryByRole('textbox')).toBeNull()
    expect(page.screen.queryByRole('table')).toBeNull()
  })

  test('/map of an account without trackers keeps its map', async () => {
    await using page = await openAs('dario@example.com', '/map')
    expect(await page.screen.findByText('No tracker has a position yet')).toHaveAttribute('role', 'status')
    expect(page.screen.getByRole('button', { name: 'Show all trackers' })).toBeDisabled()
  })

  test.each([
    ['another account', 51],
    ['an unknown tracker', 999_999],
    ['an id that is not a number', 'rex'],
    ['an id with a leading zero', '01'],
  ])('/trackers/:id of %s is not found, and the list stays', async (_, id) => {
    await using page = await openAs(ALICE, `/trackers/${id}`)
    await waitFor(() => expect(page.screen.getByRole('alert')).toHaveTextContent('Tracker not found'))
    expect(page.screen.getAllByRole('link', { name: /^Rex/ })).toHaveLength(1)
    expect(page.screen.queryByRole('article')).toBeNull()
    await page.user.click(page.screen.getByRole('link', { name: 'All trackers' }))
    await waitFor(() => expect(page.screen.queryByRole('alert')).toBeNull())
    expect(window.location.pathname).toBe('/trackers')
  })

  test('R-3.6 a tracker without a position has a card without movement today', async () => {
    await using page = await openAs(ALICE, '/trackers/7')
    const card = within(await page.screen.findByRole('article', { name: 'New tracker' }))
    expect(await card.findByText('No movement today')).toBeVisible()
  })
})

test('the icon of the installed portal shows how many trackers need attention, until the session ends', async () => {
  const [setAppBadge, clearAppBadge] = [vi.fn(async () => undefined), vi.fn(async () => undefined)]
  Object.assign(navigator, { setAppBadge, clearAppBadge })
  {
    await using _ = await openAs('alice@example.com', '/')
    expect(await screen.findByRole('button', { name: 'Lost 3' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Attention/ })).toBeNull()
    await waitFor(() => expect(setAppBadge).toHaveBeenLastCalledWith(3))
    session.end()
    expect(clearAppBadge).toHaveBeenCalled()
  }
  for (const name of ['setAppBadge', 'clearAppBadge']) Reflect.deleteProperty(navigator, name)
})
