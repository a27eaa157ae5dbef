import { screen, within } from '@testing-library/react'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { devices } from '#db/schema/devices.ts'
import type { DeviceRow } from '#db/scope.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const GRACE = { graceDays: 14 }
const { rex, oldTracker, puppy, newTracker, proVan } = SEED.devices

const findCard = async (name: string) => within(await screen.findByRole('article', { name }))

test('the card of a resting tracker says since when it rests and how that ends, and leads to the shop', async () => {
  await using _page = await openAs(ALICE, `/trackers/${oldTracker}`, GRACE)
  const card = await findCard('Old tracker')
  expect(await card.findByText('Rests since Feb 14, 2026. Renew to see where it is.')).toBeVisible()
  expect(await card.findByRole('link', { name: /^Renew/ })).toHaveAttribute('href', `/subscription?devices=${oldTracker}`)
})

test('the card of a tracker in grace says when it ends fully', async () => {
  await using _page = await openAs(ALICE, `/trackers/${puppy}`, GRACE)
  expect(await (await findCard('Puppy')).findByText('Ends fully on Mar 15, 2026')).toBeVisible()
})

test('the card of a tracker that was never activated says until when it is shown', async () => {
  await using _page = await openAs(ALICE, `/trackers/${newTracker}`, GRACE)
  expect(await (await findCard('New tracker')).findByText('Shown without a subscription until Mar 15, 2026')).toBeVisible()
})

test('a backend without days of grace has no resting trackers', async () => {
  await using _page = await openAs(ALICE, `/trackers/${oldTracker}`)
  const card = await findCard('Old tracker')
  await card.findByRole('link', { name: /^Renew/ })
  expect(card.queryByText(/Rests|Resting/)).toBeNull()
})

test('the pin of a resting tracker is that of an old position, and the list says that it rests', async () => {
  await using _page = await openAs(ALICE, '/trackers', GRACE)
  const row = (await screen.findByRole('link', { name: 'Old tracker' })).closest('tr')!
  expect(within(row).getByText(/^Resting/)).toBeVisible()
  expect(within(row).getByTitle(/^Rests since/)).toBeVisible()
})

test('the history of a resting tracker says since when it rests and leads to the shop', async () => {
  await using _page = await openAs(ALICE, `/trackers/${oldTracker}/history`, GRACE)
  expect(await screen.findByText(/^Rests since Feb 14, 2026/)).toBeVisible()
  const link = await screen.findByRole('link', { name: 'Renew the subscription' })
  expect(link).toHaveAttribute('href', `/subscription?devices=${oldTracker}`)
})

test('the import of a file says which of its positions are shown only after a renewal', async () => {
  await using page = await openAs(ALICE, `/trackers/${oldTracker}/settings`, { ...GRACE, features: [...FEATURES] })
  await page.user.click(await screen.findByText('Advanced'))
  await page.user.click(await screen.findByRole('button', { name: 'Import positions' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Import positions' }))
  const pick = async (day: string) => {
    const gpx = `<gpx version="1.1"><trk><trkseg><trkpt lat="-34.9" lon="-56.1"><time>${day}T12:00:00Z</time></trkpt></trkseg></trk></gpx>`
    await page.user.upload(await dialog.findByLabelText(/^Choose a file/), new File([gpx], 'walk.gpx'))
    expect(await dialog.findByText('Positions: 1')).toBeVisible()
  }
  await pick('2026-02-27')
  expect(dialog.getByText('Shown after a renewal: positions from Feb 14, 2026 on')).toBeVisible()
  await page.user.click(dialog.getByRole('button', { name: 'Choose another file' }))
  await pick('2026-02-01')
  expect(dialog.queryByText(/^Shown after a renewal/)).toBeNull()
})

/** The world with changed trackers. */
async function startWith(id: number, values: Partial<DeviceRow>) {
  const portal = await startPortal()
  await portal.world.db.write('everything', (tx) => tx.update(devices).set(values).where(eq(devices.id, id)))
  return portal
}

test('team members see that they should ask their administrator, owners of pro trackers that they should ask support', async () => {
  const subEndDate = new Date(Date.parse('2026-03-02T09:00:00Z') - 30 * DAY_MS)
  const ended = { subState: 'ended' as const, subEndDate }
  await using portal = await startWith(proVan, { ...ended, isLinkedToPro: false })
  const member = await renderAt(`/trackers/${proVan}`, { portal, as: 'member@pro.example.com', config: GRACE })
  expect(await screen.findByText(/Ask the administrator of your team to renew it/)).toBeVisible()
  member.unmount()
  await using own = await startWith(rex, { ...ended, isLinkedToPro: true })
  const owner = await renderAt(`/trackers/${rex}`, { portal: own, as: ALICE, config: GRACE })
  expect(await screen.findByText(/Ask support to renew it/)).toBeVisible()
  owner.unmount()
})

test('a public link of a resting tracker says that it is not shared at the moment', async () => {
  const subEndDate = new Date(Date.parse('2026-03-02T09:00:00Z') - 30 * DAY_MS)
  await using portal = await startWith(rex, { subState: 'ended', subEndDate })
  const body = { label: 'For the vet', permanent: true, from_beginning: true }
  const { uuid } = (await portal.call(ALICE, 'POST', `/devices/${rex}/public_share_link/`, body)).body
  const view = await renderAt(`/pub/trackers?token=${uuid}`, { portal })
  expect(await screen.findByText('Not shared at the moment')).toBeVisible()
  view.unmount()
})
