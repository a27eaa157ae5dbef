import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const { rex } = SEED.devices
const CONFIG = { features: [...FEATURES] }
const HEADING = 'Positions that could not be used'

test('the owner sees how many positions had a time in the future, and the time of the last one', async () => {
  await using portal = await startPortal()
  const positions = ['2026-03-04T10:00:00Z', '2026-03-05T12:30:00Z'].map((datetime) => ({ lat: 1, lng: 1, precision: 5, datetime }))
  const key = { 'x-device-key': 'demo-device-key' }
  await portal.call(null, 'POST', '/devices/ingest/', { identifier: '1000000001', positions }, key)
  await renderAt(`/trackers/${rex}/settings`, { portal, as: ALICE, config: CONFIG })
  const section = within(await screen.findByRole('region', { name: HEADING }))
  expect(section.getByText(/^In the future: 2\. The last one came on Mar 2, 2026.* with the time Mar 5, 2026/)).toBeVisible()
})

test('the owner sees how many messages had no satellite fix, without advice about the clock', async () => {
  await using portal = await startPortal()
  const key = (await portal.call(ALICE, 'POST', `/devices/${rex}/keys/`, {})).body.key
  for (const valid of ['0', 'false', 'V']) await portal.call(null, 'GET', `/ingest/osmand?id=${key}&lat=-34.9&lon=-56.15&valid=${valid}`)
  await renderAt(`/trackers/${rex}/settings`, { portal, as: ALICE, config: CONFIG })
  const section = within(await screen.findByRole('region', { name: HEADING }))
  expect(section.getByText(/^Without a satellite fix: 3\. The last one came on Mar 2, 2026/)).toBeVisible()
  expect(section.queryByText(/Check the date and time/)).toBeNull()
})

test('a tracker without rejected positions has no such section', async () => {
  await using portal = await startPortal()
  await renderAt(`/trackers/${rex}/settings`, { portal, as: ALICE, config: CONFIG })
  await screen.findByRole('button', { name: 'Remove tracker' })
  expect(screen.queryByRole('region', { name: HEADING })).toBeNull()
})
