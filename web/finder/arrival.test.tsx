import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { toFixed7 } from '#db/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const { cityBike } = SEED.devices
type Page = Awaited<ReturnType<typeof openAs>>

/** A fix a minute for ten minutes: 300 metres a minute from the north towards a place, whose border is 3 km away now. */
async function approach({ portal }: Page, name: string) {
  const place = (await portal.call(ALICE, 'GET', '/tracker_places/')).body.find((one: { name: string }) => one.name === name)
  const now = portal.clock.now().getTime()
  const rows = Array.from({ length: 11 }, (_, minute) => ({
    time: Math.floor((now - (10 - minute) * MINUTE_MS) / 1000),
    lat: toFixed7(place.lat + (place.radius + 3000 + (10 - minute) * 300) / 111_195.08),
    lng: toFixed7(place.lng),
    ...{ precision: 8, event: null, battery: null },
  }))
  await portal.world.db.write('everything', (tx) => portal.world.positions.add(tx, cityBike, rows))
}

const findCard = async () => within(await screen.findByRole('article', { name: 'City bike' }))

test('the card shows which place a tracker is heading for, about when it arrives and how far away it is, while that is clear', async () => {
  await using page = await openAs(ALICE, '/places')
  await approach(page, 'Home')
  page.unmount()
  const view = await renderAt(`/trackers/${cityBike}`, { portal: page.portal, as: ALICE })
  // 3 km, times 1.3, at 300 metres a minute: 13 minutes after 9:00 UTC.
  const arrival = await (await findCard()).findByText(/^Arrives at Home about/)
  expect(arrival.textContent).toMatch(/^Arrives at Home about \d+:15\s?[AP]M · 3 km$/)
  page.portal.clock.set({ at: new Date(page.portal.clock.now().getTime() + 6 * MINUTE_MS) })
  await act(() => queryClient.invalidateQueries())
  expect(arrival).not.toBeInTheDocument()
  view.unmount()
})

test('the card of a standing tracker shows no arrival', async () => {
  await using _page = await openAs(ALICE, `/trackers/${cityBike}`)
  const card = await findCard()
  await card.findByRole('button', { name: 'How far is it from me?' })
  await card.findByRole('figure')
  expect(card.queryByText(/^Arrives/)).toBeNull()
})
