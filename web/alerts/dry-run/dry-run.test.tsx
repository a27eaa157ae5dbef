import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { toFixed7 } from '#db/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'
const CALL = '/tracker_alerts/dry_run/'
const { misty } = SEED.devices
const { home } = SEED.places
const START = `/alerts/new?tracker=${misty}&place=${home}`
const METERS_PER_DEGREE = 111_195

/** A server with a cat that was 40 m outside of its place for two positions on five mornings and on the night of the first day. */
async function startWithCat() {
  const portal = await startSyncedPortal()
  const { lat, lng, radius } = (await portal.call(ALICE, 'GET', `/tracker_places/${home}/`)).body
  const { db } = portal.world
  const midnight = Math.floor(ANCHOR.getTime() / 86_400_000) * 86_400
  const rows = [10, 9, 8, 7, 6].flatMap((daysAgo) =>
    Array.from({ length: 144 }, (_, nth) => {
      const isOut = nth === 66 || nth === 67 || ((nth === 139 || nth === 140) && daysAgo === 10)
      const point = { lat: toFixed7(lat + (isOut ? radius + 40 : 0) / METERS_PER_DEGREE), lng: toFixed7(lng) }
      return { time: midnight - daysAgo * 86_400 + nth * 600, ...point, precision: 5, event: null, battery: null }
    }),
  )
  await db.write('everything', async (tx) => {
    await db.positions.remove(tx, misty)
    await db.positions.add(tx, misty, rows)
  })
  return Object.assign(portal, { readPlace: async () => (await portal.call(ALICE, 'GET', `/tracker_places/${home}/`)).body, radius })
}

const open = (portal: Parameters<typeof withFaults>[0], faults = {}, features: readonly string[] = FEATURES) => {
  const server = withFaults(portal, faults)
  return renderAt(START, { portal: server, as: ALICE, config: { features: [...features] } }).then((view) => ({ ...view, server }))
}

test('a complete alert shows what it would have fired, by day and by night', async () => {
  await using portal = await startWithCat()
  await open(portal)
  expect(await screen.findByText('Would have fired 6 times')).toBeVisible()
  expect(screen.getByText('Last 30 days')).toBeVisible()
  expect(screen.getByText(/at night$/)).toBeVisible()
  expect(screen.getByRole('img', { name: /: 2, .*: 1/ })).toBeVisible()
})

test('every firing is a dot on a map, with the place', async () => {
  await using portal = await startWithCat()
  await open(portal)
  expect(await screen.findByText('Would have fired 6 times')).toBeVisible()
  await waitFor(() => expect(document.querySelectorAll('[data-firing]')).toHaveLength(6))
})

test('the form of a place tries its alert again with the radius that is typed, and takes over the proposed one', async () => {
  await using portal = await startWithCat()
  const [contact] = (await portal.call(ALICE, 'GET', '/tracker_contacts/')).body
  await portal.call(ALICE, 'POST', '/tracker_alerts/', { devices: [misty], contacts: [contact.id], place: home, trigger: 'leave' })
  const { user } = await renderAt(`/places/${home}`, { portal, as: ALICE, config: { features: [...FEATURES] } })
  const choice = await screen.findByRole('combobox', { name: 'Tried with this border' })
  await user.selectOptions(choice, await within(choice).findByRole('option', { name: /^When Misty leaves/ }))
  expect(await screen.findByText('Would have fired 6 times')).toBeVisible()
  const field = screen.getByRole('spinbutton', { name: /^Radius in metres/ })
  await user.clear(field)
  await user.type(field, '400')
  expect(await screen.findByText('Would not have fired')).toBeVisible()
  await user.clear(field)
  await user.type(field, String(portal.radius))
  await user.click(await screen.findByRole('button', { name: /^Set Home to / }))
  expect(Number((field as HTMLInputElement).value)).toBeGreaterThan(portal.radius)
  expect((await portal.readPlace()).radius).toBe(portal.radius)
})

test('the form of a way takes over the proposed width', async () => {
  await using portal = await startWithCat()
  const { lat, lng, radius } = await portal.readPlace()
  const points = [
    [lat, lng - 0.05],
    [lat, lng + 0.05],
  ]
  await portal.call(ALICE, 'PATCH', `/tracker_places/${home}/`, { shape: { type: 'corridor', points, width: radius } })
  const [contact] = (await portal.call(ALICE, 'GET', '/tracker_contacts/')).body
  await portal.call(ALICE, 'POST', '/tracker_alerts/', { devices: [misty], contacts: [contact.id], place: home, trigger: 'leave' })
  const { user } = await renderAt(`/places/${home}`, { portal, as: ALICE, config: { features: [...FEATURES] } })
  const choice = await screen.findByRole('combobox', { name: 'Tried with this border' })
  await user.selectOptions(choice, await within(choice).findByRole('option', { name: /^When Misty leaves/ }))
  expect(await screen.findByText(/^With a width of .* on each side it would have fired/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: /^Set Home to / }))
  expect(await screen.findByText('Would not have fired')).toBeVisible()
  expect((await portal.readPlace()).shape.width).toBe(radius)
})

test('the form of an area takes over the border that is proposed further out', async () => {
  await using portal = await startWithCat()
  const { lat, lng, radius } = await portal.readPlace()
  const north = radius / METERS_PER_DEGREE
  const points = [
    [lat - north, lng - 0.05],
    [lat - north, lng + 0.05],
    [lat + north, lng + 0.05],
    [lat + north, lng - 0.05],
  ]
  await portal.call(ALICE, 'PATCH', `/tracker_places/${home}/`, { shape: { type: 'polygon', points } })
  const [contact] = (await portal.call(ALICE, 'GET', '/tracker_contacts/')).body
  await portal.call(ALICE, 'POST', '/tracker_alerts/', { devices: [misty], contacts: [contact.id], place: home, trigger: 'leave' })
  const { user } = await renderAt(`/places/${home}`, { portal, as: ALICE, config: { features: [...FEATURES] } })
  const choice = await screen.findByRole('combobox', { name: 'Tried with this border' })
  await user.selectOptions(choice, await within(choice).findByRole('option', { name: /^When Misty leaves/ }))
  expect(await screen.findByText(/^With a border .* further out it would have fired/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: /^Move the border of Home out by / }))
  expect(await screen.findByText('Would not have fired')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(async () => expect((await portal.readPlace()).shape.points[2][0]).toBeGreaterThan(lat + north))
})

test('the proposed value of a rule changes the unsaved alert, which is tried again with it', async () => {
  await using portal = await startWithCat()
  const { user } = await renderAt(`/alerts/new?tracker=${misty}`, { portal, as: ALICE, config: { features: [...FEATURES] } })
  await user.click(await screen.findByRole('button', { name: /^What happens/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.selectOptions(dialog.getByLabelText('Something else'), 'Stands too long')
  const minutes = dialog.getByLabelText('Minutes in one place')
  await user.clear(minutes)
  await user.type(minutes, '1425')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(await screen.findByText(/^With 1,435 min instead of 1,425 min it would have fired/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Set to 1,435 min' }))
  expect(document.querySelector('span[role="status"]')).toHaveTextContent('for 1,435 min')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Set to 1,435 min' })).toBeNull())
})

test('the proposed radius changes the place, and the alert is tried again with it', async () => {
  await using portal = await startWithCat()
  const { user } = await open(portal)
  expect(await screen.findByText('This changes the place itself, for all its alerts.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: /^Set Home to / }))
  expect(await screen.findByText('Would not have fired')).toBeVisible()
  expect((await portal.readPlace()).radius).toBeGreaterThan(portal.radius)
  expect(screen.queryByRole('button', { name: /^Set Home to / })).toBeNull()
})

test('an incomplete alert is not tried', async () => {
  await using portal = await startWithCat()
  const { calls } = await renderAt('/alerts/new', { portal, as: ALICE, config: { features: [...FEATURES] } })
  expect(await screen.findByRole('button', { name: 'Create alert' })).toBeVisible()
  expect(screen.queryByText('Last 30 days')).toBeNull()
  expect(calls.filter(({ path }) => path === CALL)).toEqual([])
})

test('a failed try is shown and can be repeated', async () => {
  await using portal = await startWithCat()
  const { user, server } = await open(portal, { [CALL]: respondWith(500) })
  expect(await screen.findByText('The past days could not be checked.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Create alert' })).toBeEnabled()
  server.mend()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Would have fired 6 times')).toBeVisible()
})

test('a backend without dry runs gets no such request', async () => {
  await using portal = await startWithCat()
  const { calls } = await open(
    portal,
    {},
    FEATURES.filter((name) => name !== 'alertDryRun'),
  )
  expect(await screen.findByRole('button', { name: 'Create alert' })).toBeVisible()
  await waitFor(() => expect(calls.some(({ path }) => path.startsWith('/tracker_contacts/'))).toBe(true))
  expect(calls.filter(({ path }) => path === CALL)).toEqual([])
})
