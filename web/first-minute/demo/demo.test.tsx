import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { clock } from '#web/lib/clock.ts'
import { storage } from '#web/lib/storage.ts'
import { openAs } from '#web/test/open-as.tsx'
import { demoPosition, startDemo } from './demo-tracker.ts'

const open = (path: string) => openAs('dario@example.com', path, { features: [...FEATURES] })

test('"Just look around" puts a demo dog on the map, which no server knows and which can be removed', async () => {
  await using page = await open('/?start=report&kind=dog')
  await page.user.click(await screen.findByRole('button', { name: /^Just look around/ }))
  const row = await screen.findByRole('region', { name: 'Demo dog' })
  expect(row).toHaveTextContent('Not a real tracker.')
  expect(await screen.findByRole('button', { name: 'Demo dog' })).toBeVisible()
  const { body } = await page.portal.call('dario@example.com', 'GET', '/devices/?type=tracker')
  expect(body).toEqual([])
  await page.user.click(screen.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('No tracker yet')).toBeVisible()
  expect(storage.get('demoTracker')).toBeNull()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Demo dog' })).toBeNull())
})

test('where the map has the streets of one town only, the demo dog walks there', async () => {
  const streets = { lat: -34.894, lng: -56.153 }
  const tiles = { url: '/mock/tiles/{z}/{x}/{y}.svg', attribution: '', maxZoom: 19, streets }
  await using page = await openAs('dario@example.com', '/?start=report&kind=dog', { features: [...FEATURES], tiles })
  await page.user.click(await screen.findByRole('button', { name: /^Just look around/ }))
  await screen.findByRole('region', { name: 'Demo dog' })
  expect(JSON.parse(storage.get('demoTracker')!)).toMatchObject(streets)
})

test('the demo dog is gone after a day of the portal’s clock', async () => {
  const time = vi.spyOn(clock, 'now').mockImplementation(() => new Date('2026-03-01T08:00:00Z'))
  startDemo({ lat: 47.38, lng: 8.53 })
  time.mockRestore()
  await using _ = await open('/')
  expect(await screen.findByText('No tracker yet')).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Demo dog' })).toBeNull()
})

test('the demo dog walks at the pace of a dog and stays within 400 m', () => {
  const demo = { since: 0, lat: 47.38, lng: 8.53 }
  const way = Array.from({ length: 24 * 60 }, (_, minute) => demoPosition(demo, minute * 60_000))
  const steps = way.slice(1).map((at, index) => distanceMeters(way[index]!, at))
  expect(Math.max(...steps)).toBeLessThan(150)
  expect(Math.max(...way.map((at) => distanceMeters(demo, at)))).toBeLessThan(400)
})
