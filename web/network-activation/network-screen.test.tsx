import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'

test('R-2.33 R-4.9 a silent tracker is reactivated on the network', async () => {
  await using page = await openAs(ALICE, '/network_activate?id=9')
  expect(await screen.findByRole('heading', { name: 'Network deactivated' })).toBeVisible()
  expect(screen.getByText(/Old tracker has been silent for over 90 days/)).toBeVisible()
  expect(screen.queryByRole('navigation')).toBeNull()
  expect(screen.getByRole('link', { name: 'All trackers' })).toHaveAttribute('href', '/trackers')
  await page.user.click(screen.getByRole('button', { name: 'Activate the network' }))
  expect(await screen.findByRole('heading', { name: 'The network is active again' })).toBeVisible()
  const { body } = await page.portal.call(ALICE, 'GET', '/devices/9/tracker_config/')
  expect(body.network_state).toBe('active')
  await page.user.click(screen.getByRole('link', { name: 'To the tracker' }))
  await waitFor(() => expect(window.location.pathname).toBe('/trackers/9'))
})

test('a tracker on the network needs no activation', async () => {
  await using _page = await openAs(ALICE, '/network_activate?id=1')
  expect(await screen.findByRole('heading', { name: 'The network is active' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Activate the network' })).toBeNull()
})

test('without an id, the trackers that are off the network are listed', async () => {
  await using page = await openAs(ALICE, '/network_activate')
  await page.user.click(await screen.findByRole('link', { name: 'Old tracker' }))
  expect(await screen.findByRole('button', { name: 'Activate the network' })).toBeVisible()
})

test('without an id and without such trackers, the screen says that nothing needs to be done', async () => {
  await using _page = await openAs('dario@example.com', '/network_activate')
  expect(await screen.findByText('No tracker chosen')).toBeVisible()
})

test("another account's tracker is not found", async () => {
  await using _page = await openAs('dario@example.com', '/network_activate?id=9')
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Tracker not found'))
})

test('R-8.30 a failed activation is reported and the button stays', async () => {
  await using portal = await startSyncedPortal()
  const server = withFaults(portal, { '/devices/9/network_activate/': respondWith(500) })
  const { user } = await renderAt('/network_activate?id=9', { portal: server, as: ALICE })
  await user.click(await screen.findByRole('button', { name: 'Activate the network' }))
  expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
  server.mend()
  await user.click(screen.getByRole('button', { name: 'Activate the network' }))
  expect(await screen.findByRole('heading', { name: 'The network is active again' })).toBeVisible()
})

test('support is offered no activation', async () => {
  await using _page = await openAs('support@example.com', '/network_activate?id=9')
  expect(await screen.findByText(/view everything but change nothing/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Activate the network' })).toBeNull()
})

test.each(['/', '/trackers/9'])('from %s the activation of a silent tracker is one click away', async (path) => {
  await using page = await openAs(ALICE, path)
  const links = await screen.findAllByRole('link', { name: /Its network is deactivated|Network activation/ })
  await page.user.click(links.at(-1)!)
  expect(await screen.findByRole('button', { name: 'Activate the network' })).toBeVisible()
})
