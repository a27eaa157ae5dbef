import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { clock } from '#web/lib/clock.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'
// Sets up the canvas stub.
import '#web/test/open-as.tsx'

const INVALID = 'Invalid link: unknown link or expired link'
const realNow = clock.now
beforeEach(() => {
  clock.now = () => new Date('2026-03-02T09:00:00Z')
})
afterEach(() => {
  clock.now = realNow
})

const open = async (token: string | null, as?: string) => {
  const portal = await startPortal()
  const view = await renderAt(`/pub/trackers${token === null ? '' : `?token=${token}`}`, { portal, ...(as && { as }) })
  return {
    ...view,
    portal,
    async [Symbol.asyncDispose]() {
      view.unmount()
      await portal[Symbol.asyncDispose]()
    },
  }
}

describe('R-2.41 valid link', () => {
  test('R-1.12 a valid link shows name, label, age and end to anybody', async () => {
    await using page = await open(LINKS.fromBeginning)
    expect(await page.screen.findByRole('heading', { level: 1, name: 'City bike' })).toBeVisible()
    expect(page.screen.getByText('For the cycling club')).toBeVisible()
    expect(page.screen.getByText(/^Updated .* ago$/)).toBeVisible()
    expect(page.screen.getByText(/^Shared until Mar 9, 2026/)).toBeVisible()
    expect(page.screen.getByRole('region', { name: 'Map' })).toBeInTheDocument()
    expect(document.title).toBe('Whereabouts - Shared tracker')
    expect(document.querySelector('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    expect(page.screen.queryByRole('navigation')).toBeNull()
  })

  test.each([
    ['R-3.58 a permanent link', LINKS.permanent, /^Permanent$/],
    ['R-9.4 a link until after 2100', LINKS.after2100, /^Permanent$/],
    ['a link until the end of 2100', LINKS.lastPoint, /^Shared until Dec 31, 2100/],
  ])('the link %s shows its end', async (_, token, words) => {
    await using page = await open(token)
    expect(await page.screen.findByText(words)).toBeVisible()
  })

  test('R-3.60 a link without a position says so and still shows the map', async () => {
    await using page = await open(LINKS.empty)
    expect(await page.screen.findByText('No position yet')).toBeVisible()
    expect(page.screen.getByRole('heading', { name: 'Rex' })).toBeVisible()
    expect(page.screen.getByRole('region', { name: 'Map' })).toBeInTheDocument()
  })
})

describe('session of a visitor', () => {
  test('the token of a link is not stored as a session', async () => {
    await using page = await open(LINKS.permanent)
    await page.screen.findByRole('heading', { name: 'City bike' })
    expect(storage.get('token')).toBeNull()
    expect(window.location.search).toBe(`?token=${LINKS.permanent}`)
  })

  test('a signed-in owner stays signed in, and the request is sent without the session', async () => {
    await using page = await open(LINKS.permanent, 'alice@example.com')
    await page.screen.findByRole('heading', { name: 'City bike' })
    expect(storage.get('token')).not.toBe(LINKS.permanent)
    expect(storage.get('token')).toBeTruthy()
    expect(page.calls).toHaveLength(1)
    expect(page.calls[0]?.headers.has('authorization')).toBe(false)
  })

  test('R-2.41 a stale session does not affect a link', async () => {
    await using portal = await startPortal()
    const { screen } = await renderAt(`/pub/trackers?token=${LINKS.permanent}`, { portal, token: 'stale' })
    expect(await screen.findByRole('heading', { name: 'City bike' })).toBeVisible()
    expect(storage.get('token')).toBe('stale')
  })
})

describe('R-8.11 invalid link', () => {
  test.each([
    ['an unknown link', LINKS.unknown, 1],
    ['an expired link', LINKS.expired, 1],
    ['a link whose uuid is none', 'f'.repeat(40), 1],
    ['a link with a blank that no header can have', '%0a', 0],
    ['a link with letters that no header can have', '%E2%82%AC', 0],
    ['an empty link', '', 0],
    ['a missing link', null, 0],
  ])('%s shows the same sentence', async (_, token, calls) => {
    await using page = await open(token)
    await waitFor(() => expect(page.screen.getByRole('alert')).toHaveTextContent(INVALID))
    expect(page.screen.getByRole('alert').textContent).toBe(INVALID)
    expect(page.screen.getByText('Ask the person who sent it for a new one.')).toBeVisible()
    expect(page.screen.getByRole('link', { name: 'Go to the start page' })).toHaveAttribute('href', '/')
    expect(page.calls).toHaveLength(calls)
    expect(window.location.pathname).toBe('/pub/trackers')
  })

  test('R-7.7 a link removed while it is open becomes invalid', async () => {
    await using page = await open(LINKS.permanent)
    await page.screen.findByRole('heading', { name: 'City bike' })
    await page.portal.call('alice@example.com', 'DELETE', `/tracker_public_share_links/${LINKS.permanent}/`)
    const { queryClient } = await import('#web/lib/api/query.ts')
    await queryClient.invalidateQueries()
    await waitFor(() => expect(page.screen.getByRole('alert')).toHaveTextContent(INVALID))
    expect(page.screen.queryByText('City bike')).toBeNull()
  })
})
