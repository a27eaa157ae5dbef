import { within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

// The first screen imports the map, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 })
const patiently = { timeout: 60_000 }

test('R-1.9 R-2.58 places are on the map by name and in a list unless their layer is off, which is saved', async () => {
  await using page = await openAs('alice@example.com', '/')
  const { screen, user } = page
  expect(await screen.findByRole('link', { name: 'Office' }, patiently)).toHaveAttribute('href', expect.stringMatching(/^\/places\/\d+$/))
  await user.click(screen.getByRole('button', { name: 'Layers' }))
  const layers = within(screen.getByRole('group', { name: 'Layers' }))
  expect(layers.queryByRole('checkbox', { name: 'Satellite view' })).toBeNull()
  const places = within(layers.getByRole('list', { name: 'Places' })).getAllByRole('button')
  expect(places.map(({ textContent }) => textContent)).toEqual(['Cabin', 'Corner shop', 'Depot', 'Home', 'Office', 'School'])
  await user.click(places[0]!)
  await user.click(layers.getByRole('checkbox', { name: 'Places' }))
  expect(screen.queryByRole('link', { name: 'Office' })).toBeNull()
  expect(layers.queryByRole('list')).toBeNull()
  await user.click(layers.getByRole('checkbox', { name: 'Names' }))
  expect(storage.get('mapLayers')).toBe('names,accuracy,trace')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('satellite images can be chosen if they are configured, and are saved and attributed', async () => {
  await using portal = await startPortal()
  const satellite = { url: '/sky/{z}/{x}/{y}.jpg', attribution: '© Sky', maxZoom: 17 }
  const { screen, user, unmount } = await renderAt('/map', { portal, as: 'alice@example.com', config: { satellite } })
  await user.click(await screen.findByRole('button', { name: 'Layers' }, patiently))
  await user.click(screen.getByRole('checkbox', { name: 'Satellite view' }))
  expect(screen.getByText('© Sky')).toBeVisible()
  unmount()
  const again = await renderAt('/trackers/1/history', { portal, as: 'alice@example.com', config: { satellite } })
  expect(await again.screen.findByText('© Sky')).toBeVisible()
  await again.user.click(await again.screen.findByRole('button', { name: 'Satellite view', pressed: true }))
  expect(again.screen.getByRole('link', { name: '© OpenStreetMap contributors' })).toBeVisible()
})
