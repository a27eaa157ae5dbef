import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

test('R-2.24 the trackers on Helium are listed with network, activation date and last event', async () => {
  await using page = await openAs('alice@example.com', '/operators/helium/')
  const [, ...rows] = within(await page.screen.findByRole('table')).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent.replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^TrailerNetwork active[A-Z].* 20\d\d.+ · .+ago$/),
  ])
  expect(within(rows[0]!).getByRole('link', { name: 'Trailer' })).toHaveAttribute('href', '/trackers/17')
  expect(page.screen.getByText(/^Helium is a radio network/)).toBeVisible()
})

test('a tracker deactivated by the network links to its activation', async () => {
  await using portal = await startSyncedPortal()
  const { body } = await portal.call('alice@example.com', 'GET', '/devices/?type=tracker')
  const old = body.find(({ name }: { name: string }) => name === 'Old tracker')
  const server = withFaults(portal, { '/devices/?type': respondWith(200, JSON.stringify([{ ...old, operator: 'helium' }])) })
  const { screen } = await renderAt('/operators/helium/', { portal: server, as: 'alice@example.com' })
  expect(await screen.findByText('Network deactivated')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Activate network' })).toHaveAttribute('href', '/network_activate?id=9')
})

test('a consumer is pointed to a pro account, and an administrator is not', async () => {
  await using page = await openAs('dario@example.com', '/operators/helium/')
  expect(await page.screen.findByText('No Helium tracker')).toBeVisible()
  expect(await page.screen.findByRole('link', { name: 'Contact support' })).toHaveAttribute('href', 'mailto:support@example.com')
  page.unmount()
  await using pro = await openAs('admin@pro.example.com', '/operators/helium/')
  expect(await pro.screen.findByRole('link', { name: 'Truck 2' })).toBeVisible()
  expect(pro.screen.queryByRole('link', { name: 'Contact support' })).toBeNull()
})

test('R-2.24 a list that fails to load shows an error in place', async () => {
  await using portal = await startSyncedPortal()
  const server = withFaults(portal, { '/devices/?type': respondWith(500) })
  const { screen } = await renderAt('/operators/helium/', { portal: server, as: 'alice@example.com' })
  expect(await screen.findByText('We could not load this.')).toBeVisible()
})
