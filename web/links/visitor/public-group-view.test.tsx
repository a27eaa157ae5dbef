import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { renderAt } from '#web/test/render-at.tsx'
// Sets up the canvas stub.
import '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const { rex, misty, puppy } = SEED.devices

/** Opens the page of a new link that shows these trackers. */
async function open(devices: number[]) {
  const portal = await startPortal()
  await portal.call(ALICE, 'PATCH', `/devices/${puppy}/`, { name: 'Misty' })
  const body = { devices, label: 'Our outing', permanent: true, from_beginning: true }
  const { uuid } = (await portal.call(ALICE, 'POST', '/tracker_public_share_links/', body)).body
  const view = await renderAt(`/pub/trackers?token=${uuid}`, { portal })
  const list = within(await screen.findByRole('list', { name: 'Trackers' }))
  return {
    ...view,
    portal,
    list,
    choices: () => list.getAllByRole('button').map(({ textContent }) => textContent?.replace(/(Updated|No position).*/, '')),
    async [Symbol.asyncDispose]() {
      view.unmount()
      await portal[Symbol.asyncDispose]()
    },
  }
}

test('a visitor sees all trackers of a link on the map and in a list, and nothing about their owner', async () => {
  await using page = await open([rex, misty])
  expect(screen.getByRole('heading', { level: 1, name: 'Our outing' })).toBeVisible()
  expect(page.choices()).toEqual(['All trackers', 'Rex', 'Misty'])
  expect(screen.getByText('Permanent')).toBeVisible()
  expect(page.list.getAllByText(/^Updated/)).toHaveLength(2)
  expect(page.list.getByRole('button', { name: 'All trackers' })).toHaveAttribute('aria-pressed', 'true')
  expect(document.body.textContent).not.toMatch(/ALICE|Almeida|alice/)
})

test('a visitor chooses the tracker that the map follows, and all of them again', async () => {
  await using page = await open([rex, misty])
  const press = (name: RegExp) => page.user.click(page.list.getByRole('button', { name }))
  await press(/^Rex/)
  expect(page.list.getByRole('button', { name: /^Rex/ })).toHaveAttribute('aria-pressed', 'true')
  expect(await screen.findByRole('button', { name: 'Rex', pressed: true })).toBeInTheDocument()
  await press(/^All/)
  expect(page.list.getByRole('button', { name: 'All trackers' })).toHaveAttribute('aria-pressed', 'true')
})

test('trackers of the same name are chosen one at a time', async () => {
  await using page = await open([misty, puppy])
  const [first, second] = page.list.getAllByRole('button', { name: /^Misty/ })
  await page.user.click(second!)
  expect([first, second].map((button) => button!.getAttribute('aria-pressed'))).toEqual(['false', 'true'])
})

test('a tracker that leaves the account leaves the page, which then shows the only other one', async () => {
  await using page = await open([misty, puppy])
  await page.user.click(page.list.getAllByRole('button', { name: /^Misty/ })[1]!)
  await page.portal.call(ALICE, 'DELETE', `/devices/${misty}/`)
  await act(() => queryClient.invalidateQueries())
  expect(await screen.findByRole('heading', { level: 1, name: 'Misty' })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Trackers' })).toBeNull())
})
