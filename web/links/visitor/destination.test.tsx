import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { toFixed7 } from '#db/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const { rex, misty, newTracker } = SEED.devices
const home = { name: 'Grandparents', address: 'Rambla 1', type: 'other', radius: 100, lat: -34.9, lng: -56.16 }
type Page = Awaited<ReturnType<typeof openAs>>

/** A fix a minute for ten minutes: 500 metres a minute towards the place, which is 5 km away now. */
async function approach({ portal }: Page, deviceId: number) {
  const now = portal.clock.now().getTime()
  const rows = Array.from({ length: 11 }, (_, minute) => ({
    time: Math.floor((now - (10 - minute) * MINUTE_MS) / 1000),
    lat: toFixed7(home.lat + (5100 + (10 - minute) * 500) / 111_195.08),
    lng: toFixed7(home.lng),
    ...{ precision: 8, event: null, battery: null },
  }))
  await portal.world.db.write('everything', (tx) => portal.world.positions.add(tx, deviceId, rows))
}

async function share(page: Page, devices: number[]): Promise<string> {
  const destination = (await page.portal.call(ALICE, 'POST', '/tracker_places/', home)).body.id
  const body = { devices, destination, label: 'On our way', permanent: true, from_beginning: true, last_point: true }
  return (await page.portal.call(ALICE, 'POST', '/tracker_public_share_links/', body)).body.uuid
}

test('an owner chooses the destination of a tracker, and finds it in the list of links', async () => {
  await using page = await openAs(ALICE, '/public_links?id=1', { features: [...FEATURES] })
  await page.user.click((await screen.findAllByRole('button', { name: 'New link' }))[0]!)
  const select = await screen.findByLabelText('On the way to')
  expect(select).toHaveDisplayValue('No destination')
  await page.user.selectOptions(select, 'Home')
  expect(screen.getByText(/^Visitors see this place on the map/)).toBeVisible()
  await page.user.click(screen.getByRole('button', { name: 'Create link' }))
  expect(await screen.findByText('On the way to: Home')).toBeInTheDocument()
})

test('without the feature for destinations, the form loads no places', async () => {
  await using page = await openAs(ALICE, '/public_links', { features: FEATURES.filter((feature) => feature !== 'linkDestination') })
  await page.user.click((await screen.findAllByRole('button', { name: 'New link' }))[0]!)
  expect(await screen.findByRole('button', { name: 'Create link' })).toBeVisible()
  expect(screen.queryByLabelText('On the way to')).toBeNull()
  expect(page.calls.filter(({ path }) => path.includes('tracker_places'))).toEqual([])
})

test('an owner writes a name and a number for visitors, if the backend stores them', async () => {
  await using page = await openAs(ALICE, '/public_links?id=1', { features: [...FEATURES] })
  await page.user.click((await screen.findAllByRole('button', { name: 'New link' }))[0]!)
  await page.user.click(await screen.findByText('Who shares it, and how to answer'))
  await page.user.type(screen.getByLabelText('Your name, for visitors'), 'Alice')
  await page.user.type(screen.getByLabelText('Phone number that visitors may call'), '+598 99 1')
  await page.user.click(screen.getByRole('button', { name: 'Create link' }))
  await waitFor(async () => {
    const { body } = await page.portal.call(ALICE, 'GET', '/devices/1/public_share_link/')
    expect(body[0]).toMatchObject({ shared_by: 'Alice', phone: '+598 99 1' })
    expect(body[0]).not.toHaveProperty('note')
  })
  page.unmount()
  await using other = await openAs(ALICE, '/public_links?id=1', { features: FEATURES.filter((feature) => feature !== 'linkAnswer') })
  await other.user.click((await screen.findAllByRole('button', { name: 'New link' }))[0]!)
  expect(await screen.findByRole('button', { name: 'Create link' })).toBeVisible()
  expect(screen.queryByText('Who shares it, and how to answer')).toBeNull()
})

test('a visitor sees the destination on the map, the estimated arrival and the distance, until the tracker is silent', async () => {
  await using page = await openAs(ALICE, '/public_links')
  await approach(page, newTracker)
  const uuid = await share(page, [newTracker])
  page.unmount()
  const view = await renderAt(`/pub/trackers?token=${uuid}`, { portal: page.portal })
  expect(await screen.findByText(/^Arrives about \d+:15\sAM · 5 km$/)).toBeVisible()
  expect(screen.getByText('Destination: Grandparents')).toBeVisible()
  expect(await screen.findByRole('img', { name: 'Destination: Grandparents' })).toBeInTheDocument()
  page.portal.clock.set({ at: new Date(page.portal.clock.now().getTime() + 6 * MINUTE_MS) })
  await act(() => queryClient.invalidateQueries())
  await waitFor(() => expect(screen.queryByText(/^Arrives/)).toBeNull())
  expect(screen.getByText('Destination: Grandparents')).toBeVisible()
  view.unmount()
})

test('in a list of several trackers only approaching ones have an arrival', async () => {
  await using page = await openAs(ALICE, '/public_links')
  await approach(page, newTracker)
  const uuid = await share(page, [rex, misty, newTracker])
  page.unmount()
  const view = await renderAt(`/pub/trackers?token=${uuid}`, { portal: page.portal })
  expect(await screen.findByText(/^Arrives about/)).toBe(
    screen.getByRole('button', { name: /^New tracker.*Arrives/ }).querySelector('small + small'),
  )
  expect(screen.getByText('Destination: Grandparents')).toBeVisible()
  view.unmount()
})
