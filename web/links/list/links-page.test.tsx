import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { type Fault, respondWith, withFaults } from '#web/test/faults.ts'
// Sets up the canvas stub.
import '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const [REX, BIKE] = [1, 3]
const ofTracker = (id: number) => `GET /devices/${id}/public_share_link/`

/** A backend without a list of all links. */
async function open(path: string, faults: Record<string, Fault> = {}) {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const portal = await startPortal()
  const missing = { 'GET /tracker_public_share_links/': respondWith(404) }
  const view = await renderAt(path, { portal: withFaults(portal, { ...missing, ...faults }), as: ALICE })
  return {
    ...view,
    portal,
    reads: () => view.calls.filter((call) => call.method === 'GET' && /public_share_link\/$/.test(call.path)).map((call) => call.path),
    async [Symbol.asyncDispose]() {
      view.unmount()
      logged.mockRestore()
      await portal[Symbol.asyncDispose]()
    },
  }
}

const region = (name: string) => screen.findByRole('region', { name })

test('available links are shown while those of another tracker are still loading', async () => {
  let answer = () => {}
  const held: Fault = async (serve) => {
    await new Promise<void>((resolve) => (answer = resolve))
    return serve()
  }
  await using _page = await open('/public_links', { [ofTracker(BIKE)]: held })
  expect(await region('Rex')).toBeVisible()
  expect(screen.queryByRole('region', { name: 'City bike' })).toBeNull()
  expect(screen.getByText('Loading…')).toBeInTheDocument()
  answer()
  expect(await region('City bike')).toBeVisible()
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
})

test('with the filter of one tracker only its links are read, until the filter is reset', async () => {
  await using page = await open(`/public_links?id=${REX}`)
  await region('Rex')
  expect(page.reads()).toEqual([`/devices/${REX}/public_share_link/`])
  await page.user.click(await screen.findByRole('button', { name: /^Only links of Rex/ }))
  expect(await region('City bike')).toBeVisible()
  expect(page.reads().filter((path) => path.includes(`/${REX}/`))).toHaveLength(1)
})

test('after a link is deleted only the links of its tracker are read again', async () => {
  await using page = await open('/public_links')
  await region('City bike')
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  const before = page.reads().length
  await page.user.click(screen.getByRole('button', { name: /^Delete link.*Dog sitter/ }))
  await page.user.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByText('Dog sitter')).toBeNull())
  await waitFor(() => expect(page.reads().slice(before)).toEqual([`/devices/${REX}/public_share_link/`]))
})
