import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { DEVICE_KEY, LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { noResponse, respondWith, withFaults } from '#web/test/faults.ts'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'
import { publicLinkQuery } from './public-link-screen.tsx'
// Sets up the canvas stub.
import '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const INVALID = 'Invalid link: unknown link or expired link'
type Shared = { positions: { datetime: string }[]; last_position: { datetime: string } | null; tracker: object }

async function open(token: string, path = '/pub/trackers') {
  const portal = await startSyncedPortal()
  const view = await renderAt(`${path}?token=${token}`, { portal })
  return {
    ...view,
    portal,
    shared: async () => (await portal.call(null, 'GET', `/tracker_public_share_links/${token}/`)).body as Shared,
    again: () => act(() => queryClient.invalidateQueries({ queryKey: publicLinkQuery(token).queryKey })),
    reads: () => view.calls.filter(({ path: asked }) => asked.includes('public_share_links')).length,
    async [Symbol.asyncDispose]() {
      view.unmount()
      await portal[Symbol.asyncDispose]()
    },
  }
}

describe('links of the seed', () => {
  test.each([
    ['of 7 days, from the beginning', LINKS.fromBeginning, 'City bike', 'For the cycling club', /^Shared until Mar 9, 2026/],
    ['for good', LINKS.permanent, 'City bike', 'Family', /^Permanent$/],
    ['with the last point, until the end of 2100', LINKS.lastPoint, 'City bike', 'Where is my bike', /^Shared until Dec 31, 2100/],
    ['until 2101', LINKS.after2100, 'City bike', 'For the grandchildren', /^Permanent$/],
    ['without a position yet', LINKS.empty, 'Rex', 'Dog sitter', /^Shared until Mar 10, 2026/],
    ['of another account', LINKS.zoePermanent, 'Cykel', 'Familjen', /^Permanent$/],
  ])('a link %s shows name, label and end after one request', async (_, token, name, label, until) => {
    await using page = await open(token)
    expect(await screen.findByRole('heading', { level: 1, name })).toBeVisible()
    expect(screen.getByText(label)).toBeVisible()
    expect(screen.getByText(until)).toBeVisible()
    expect(page.reads()).toBe(1)
  })

  test('R-3.59 a link from the beginning shows more points than one since its creation', async () => {
    await using all = await open(LINKS.fromBeginning)
    const points = (await all.shared()).positions
    const since = (await (await all.portal.call(null, 'GET', `/tracker_public_share_links/${LINKS.after2100}/`)).body) as Shared
    expect(points.length).toBeGreaterThan(since.positions.length)
    expect(since.positions.length).toBeGreaterThan(1)
  })

  test('R-3.60 a link to the last position shows a pin without a track', async () => {
    await using page = await open(LINKS.lastPoint)
    expect(await screen.findByRole('button', { name: 'City bike' })).toBeInTheDocument()
    const { positions, last_position } = await page.shared()
    expect(positions.length).toBeLessThanOrEqual(1)
    expect(last_position).not.toBeNull()
  })

  test('neither the response nor the page reveals the owner or the hardware', async () => {
    await using page = await open(LINKS.permanent)
    await screen.findByRole('heading', { name: 'City bike' })
    const text = JSON.stringify(await page.shared()) + document.body.textContent
    for (const secret of ['ALICE0000003', '1000000003', 'alice', 'Almeida']) expect(text).not.toContain(secret)
    expect(Object.keys((await page.shared()).tracker).sort()).toEqual(['kind', 'name', 'type'])
  })

  test('the URL with a trailing slash shows the same page', async () => {
    await using page = await open(LINKS.permanent, '/pub/trackers/')
    expect(await screen.findByRole('heading', { name: 'City bike' })).toBeVisible()
    expect(page.reads()).toBe(1)
  })
})

describe('a visitor of a link', () => {
  test('reads who shares it and where it is, and can go there, measure the distance and call', async () => {
    await using page = await open(LINKS.onTheWay)
    expect(await screen.findByText('shared by Alice')).toBeVisible()
    expect(screen.getByText('Call me if I am late.')).toBeVisible()
    expect(screen.getByText(/, /, { selector: 'strong' })).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Directions' })).toHaveAttribute('href', expect.stringMatching(/-34\./))
    expect(screen.getByRole('link', { name: 'Call Alice' })).toHaveAttribute('href', 'tel:+59899555010')
    expect(screen.getByRole('button', { name: 'How far is it from me?' })).toBeEnabled()
    expect(page.reads()).toBe(1)
  })

  test('sees nothing of the owner without their choice', async () => {
    await using _page = await open(LINKS.permanent)
    await screen.findByRole('link', { name: 'Directions' })
    expect(screen.queryByText(/^shared by/)).toBeNull()
    expect(screen.queryByRole('link', { name: /^Call/ })).toBeNull()
  })
})

describe('open public link', () => {
  test('the age is updated when the tracker reports again', async () => {
    await using page = await open(LINKS.permanent)
    const time = await screen.findByText(/^Updated/)
    const before = time.getAttribute('datetime')
    const datetime = new Date('2026-03-02T09:00:00Z').toISOString()
    const position = { lat: -34.9, lng: -56.17, precision: 5, datetime }
    const body = { serial: 'ALICE0000003', positions: [position] }
    expect((await page.portal.call(null, 'POST', '/devices/ingest/', body, { 'x-device-key': DEVICE_KEY })).status).toBe(201)
    await page.again()
    await waitFor(() => expect(Date.parse(screen.getByText(/^Updated/).getAttribute('datetime') ?? '')).toBe(Date.parse(datetime)))
    expect(before).not.toBe(datetime)
    expect(screen.getByText('Updated now')).toBeVisible()
  })

  test('R-8.11 a link that expires while open shows nothing of the tracker any more', async () => {
    await using page = await open(LINKS.fromBeginning)
    await screen.findByRole('heading', { name: 'City bike' })
    page.portal.clock.set({ at: new Date('2026-03-09T09:00:01Z') })
    await page.again()
    expect(await screen.findByText(INVALID)).toBeVisible()
    expect(screen.queryByText('City bike')).toBeNull()
    expect(screen.queryByRole('region', { name: 'Map' })).toBeNull()
  })

  test('R-7.8 a link that the owner deletes becomes invalid', async () => {
    await using page = await open(LINKS.permanent)
    await screen.findByRole('heading', { name: 'City bike' })
    await page.portal.call(ALICE, 'DELETE', `/tracker_public_share_links/${LINKS.permanent}/`)
    await page.again()
    expect(await screen.findByText(INVALID)).toBeVisible()
  })
})

describe('R-7.29 failing public link', () => {
  const path = '/tracker_public_share_links/'

  test('a link shows a loading indicator while it is read', async () => {
    await using portal = await startSyncedPortal()
    const view = await renderAt(`/pub/trackers?token=${LINKS.permanent}`, {
      portal: withFaults(portal, { [path]: () => new Promise<Response>(() => undefined) }),
    })
    await waitFor(() => expect(view.calls).toHaveLength(1))
    expect(await screen.findByText('Loading…')).toBeInTheDocument()
    expect(screen.getByRole('status')).toBeInTheDocument()
    view.unmount()
  })

  test('a failing server is not shown as an invalid link and can be retried', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [path]: respondWith(500) })
    const view = await renderAt(`/pub/trackers?token=${LINKS.permanent}`, { portal: server })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.'))
    expect(screen.queryByText(INVALID)).toBeNull()
    server.mend()
    await view.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'City bike' })).toBeVisible()
    view.unmount()
  })

  test.each([401, 403])('a response of %i to a public link does not lead to the login page', async (status) => {
    await using portal = await startSyncedPortal()
    const view = await renderAt(`/pub/trackers?token=${LINKS.permanent}`, { portal: withFaults(portal, { [path]: respondWith(status) }) })
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(window.location.pathname).toBe('/pub/trackers')
    view.unmount()
  })

  test('R-7.26 a request without a response leads to /error', async () => {
    await using portal = await startSyncedPortal()
    const view = await renderAt(`/pub/trackers?token=${LINKS.permanent}`, { portal: withFaults(portal, { [path]: noResponse }) })
    expect(await screen.findByRole('heading', { name: 'Server error' })).toBeVisible()
    view.unmount()
  })
})

test("R-1.24 the page is shown in the visitor's language", async () => {
  await using portal = await startSyncedPortal()
  const view = await renderAt(`/pub/trackers?token=${LINKS.unknown}`, { portal, languages: ['fr-CA'] })
  await screen.findByRole('alert')
  expect(document.documentElement.lang).toBe('fr')
  expect(screen.queryByText(INVALID)).toBeNull()
  view.unmount()
})
