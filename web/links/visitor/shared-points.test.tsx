import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { DEVICE_KEY, LINKS } from '#server/mock/seed/records/seed-keys.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { startWorld } from '#web/test/at-world-time.ts'
import { answering, faulty, noAnswer } from '#web/test/faulty.ts'
import { renderAt } from '#web/test/render-at.tsx'
// The canvas it brings along.
import '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const INVALID = 'Invalid link: unknown link or expired link'
type Shared = { positions: { datetime: string }[]; last_position: { datetime: string } | null; tracker: object }

async function open(token: string, path = '/pub/trackers') {
  const portal = await startWorld()
  const view = await renderAt(`${path}?token=${token}`, { portal })
  return {
    ...view,
    portal,
    shared: async () => (await portal.call(null, 'GET', `/tracker_public_share_links/${token}/`)).body as Shared,
    again: () => act(() => queryClient.invalidateQueries({ queryKey: ['shared'] })),
    reads: () => view.calls.filter(({ path: asked }) => asked.includes('public_share_links')).length,
    async [Symbol.asyncDispose]() {
      view.unmount()
      await portal[Symbol.asyncDispose]()
    },
  }
}

describe('H.3 each link shows what it allows', () => {
  test.each([
    ['of 7 days, from the beginning', LINKS.fromBeginning, 'City bike', 'For the cycling club', /^Shared until Mar 9, 2026/],
    ['for good', LINKS.permanent, 'City bike', 'Family', /^Permanent$/],
    ['with the last point, until the end of 2100', LINKS.lastPoint, 'City bike', 'Where is my bike', /^Shared until Dec 31, 2100/],
    ['until 2101', LINKS.after2100, 'City bike', 'For the grandchildren', /^Permanent$/],
    ['without a position yet', LINKS.empty, 'Rex', 'Dog sitter', /^Shared until Mar 10, 2026/],
    ['of another account', LINKS.zoePermanent, 'Cykel', 'Familjen', /^Permanent$/],
  ])('one %s', async (_, token, name, label, until) => {
    await using page = await open(token)
    expect(await screen.findByRole('heading', { level: 1, name })).toBeVisible()
    expect(screen.getByText(label)).toBeVisible()
    expect(screen.getByText(until)).toBeVisible()
    expect(page.reads()).toBe(1)
  })

  test('R-3.59 from the beginning there are more points than since it was made', async () => {
    await using all = await open(LINKS.fromBeginning)
    const points = (await all.shared()).positions
    const since = (await (await all.portal.call(null, 'GET', `/tracker_public_share_links/${LINKS.after2100}/`)).body) as Shared
    expect(points.length).toBeGreaterThan(since.positions.length)
    expect(since.positions.length).toBeGreaterThan(1)
  })

  test('R-3.60 the last point is a pin without a way', async () => {
    await using page = await open(LINKS.lastPoint)
    expect(await screen.findByRole('button', { name: 'City bike' })).toBeInTheDocument()
    const { positions, last_position } = await page.shared()
    expect(positions.length).toBeLessThanOrEqual(1)
    expect(last_position).not.toBeNull()
  })

  test('E-69 nothing that names owner or hardware is in the answer or on the page', async () => {
    await using page = await open(LINKS.permanent)
    await screen.findByRole('heading', { name: 'City bike' })
    const text = JSON.stringify(await page.shared()) + document.body.textContent
    for (const secret of ['ALICE0000003', '1000000003', 'alice', 'Almeida']) expect(text).not.toContain(secret)
    expect(Object.keys((await page.shared()).tracker).sort()).toEqual(['kind', 'name', 'type'])
  })

  test('C-16 the address with a slash at its end is the same page', async () => {
    await using page = await open(LINKS.permanent, '/pub/trackers/')
    expect(await screen.findByRole('heading', { name: 'City bike' })).toBeVisible()
    expect(page.reads()).toBe(1)
  })
})

describe('while a link is looked at', () => {
  test('the age grows fresh when the tracker speaks again', async () => {
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

  test('R-8.11 it ends: the page says so, and shows nothing of the tracker any more', async () => {
    await using page = await open(LINKS.fromBeginning)
    await screen.findByRole('heading', { name: 'City bike' })
    page.portal.clock.set({ at: new Date('2026-03-09T09:00:01Z') })
    await page.again()
    expect(await screen.findByText(INVALID)).toBeVisible()
    expect(screen.queryByText('City bike')).toBeNull()
    expect(screen.queryByRole('region', { name: 'Map' })).toBeNull()
  })

  test('R-7.8 the owner takes it back', async () => {
    await using page = await open(LINKS.permanent)
    await screen.findByRole('heading', { name: 'City bike' })
    await page.portal.call(ALICE, 'DELETE', `/tracker_public_share_links/${LINKS.permanent}/`)
    await page.again()
    expect(await screen.findByText(INVALID)).toBeVisible()
  })
})

describe('R-7.29 F what can go wrong', () => {
  const path = '/tracker_public_share_links/'

  test('while it is read it says that it loads', async () => {
    await using portal = await startWorld()
    const view = await renderAt(`/pub/trackers?token=${LINKS.permanent}`, {
      portal: faulty(portal, { [path]: () => new Promise<Response>(() => undefined) }),
    })
    await waitFor(() => expect(view.calls).toHaveLength(1))
    expect(await screen.findByText('Loading…')).toBeInTheDocument()
    expect(screen.getByRole('status')).toBeInTheDocument()
    view.unmount()
  })

  test('a server that fails is no invalid link; trying again helps', async () => {
    await using portal = await startWorld()
    const server = faulty(portal, { [path]: answering(500) })
    const view = await renderAt(`/pub/trackers?token=${LINKS.permanent}`, { portal: server })
    expect(await screen.findByRole('alert')).toHaveTextContent('We could not load this.')
    expect(screen.queryByText(INVALID)).toBeNull()
    server.mend()
    await view.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'City bike' })).toBeVisible()
    view.unmount()
  })

  test.each([401, 403])('trap 1: %i on a public link leads nobody to the login', async (status) => {
    await using portal = await startWorld()
    const view = await renderAt(`/pub/trackers?token=${LINKS.permanent}`, { portal: faulty(portal, { [path]: answering(status) }) })
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(window.location.pathname).toBe('/pub/trackers')
    view.unmount()
  })

  test('R-7.26 no answer leads to /error', async () => {
    await using portal = await startWorld()
    const view = await renderAt(`/pub/trackers?token=${LINKS.permanent}`, { portal: faulty(portal, { [path]: noAnswer }) })
    expect(await screen.findByRole('heading', { name: 'Server error' })).toBeVisible()
    view.unmount()
  })
})

test('R-1.24 the page speaks the language of whoever looks at it', async () => {
  await using portal = await startWorld()
  const view = await renderAt(`/pub/trackers?token=${LINKS.unknown}`, { portal, languages: ['fr-CA'] })
  await screen.findByRole('alert')
  expect(document.documentElement.lang).toBe('fr')
  expect(screen.queryByText(INVALID)).toBeNull()
  view.unmount()
})
