import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const { rex } = SEED.devices
const NORMAL = `/devices/${rex}/normal/`
/** The screen asks again every five seconds while it is learnt. */
const LEARNT = { timeout: 20_000 }

/** Opens what is usual for Rex, which the server has learnt. */
async function openLearnt() {
  const page = await openAs(ALICE, `/trackers/${rex}/months?view=usual`, { features: [...FEATURES] })
  await page.user.click(await screen.findByRole('checkbox', { name: /^Learn what is usual/ }))
  expect(await screen.findByText('It is being learnt and will be here in a minute.')).toBeVisible()
  await page.portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT1M' })
  await screen.findByRole('region', { name: 'Often here' }, LEARNT)
  return page
}

test('what is usual is learnt once it is switched on, with the days and hours of each place', async () => {
  await using page = await openLearnt()
  const places = within(screen.getByRole('region', { name: 'Often here' }))
  const home = (await places.findByText('Home')).closest('li')!
  expect(home).toHaveTextContent(/^Home ?on \d+ days · usually from /)
  expect(within(home).queryByRole('link')).toBeNull()
  expect(screen.getByRole('region', { name: 'Often on this way' })).toBeVisible()
  await page.user.click(screen.getByRole('checkbox', { name: /^Learn what is usual/ }))
  expect(await screen.findByText('Nothing is learnt about Rex.')).toBeVisible()
  expect((await page.portal.call(ALICE, 'GET', NORMAL)).body).toMatchObject({ enabled: false, places: [] })
}, 60_000)

test('a proposal opens the form of a new place with its circle and address, and is gone for good after "Not now"', async () => {
  await using page = await openLearnt()
  const places = () => within(screen.getByRole('region', { name: 'Often here' }))
  // Places of the account are no proposals, once they have loaded.
  await places().findByText('Home')
  const offers = places().getAllByRole('button', { name: /^Not now: / })
  await page.user.click(offers[0]!)
  await screen.findByText('It will not be proposed again')
  await waitFor(() => expect(places().getAllByRole('button', { name: /^Not now: / })).toHaveLength(offers.length - 1))
  const { body } = await page.portal.call(ALICE, 'GET', NORMAL)
  expect(body.places.filter(({ dismissed }: { dismissed: boolean }) => dismissed)).toHaveLength(1)
  const [next] = places().getAllByRole('link', { name: /^Make a place: / })
  await page.user.click(next!)
  const address = await screen.findByRole<HTMLInputElement>('combobox', { name: /^Address/ })
  expect(body.places.map((place: { address: string }) => place.address)).toContain(address.value)
}, 60_000)

test('a way opens the form of a new place as a way', async () => {
  await using page = await openLearnt()
  const ways = within(screen.getByRole('region', { name: 'Often on this way' }))
  await page.user.click(ways.getAllByRole('link', { name: /^Make a place: / })[0]!)
  expect(await screen.findByRole('radio', { name: 'Way' })).toBeChecked()
}, 60_000)

test('an alert about the unusual says what is known of each tracker', async () => {
  await using page = await openAs(ALICE, `/alerts/new?tracker=${rex}&rule=unusual`, { features: [...FEATURES] })
  expect(await screen.findByText(/^What is usual for Rex is learnt once the alert is saved/)).toBeVisible()
  expect(document.querySelector('span[role="status"]')?.textContent).toBe('When Rex is not where it usually is, tell me.')
  await page.user.click(screen.getByRole('button', { name: 'Create alert' }))
  await screen.findByText('Saved')
  expect((await page.portal.call(ALICE, 'GET', '/tracker_alerts/')).body.at(-1)).toMatchObject({
    devices: [rex],
    rule: { kind: 'unusual' },
  })
  expect((await page.portal.call(ALICE, 'GET', NORMAL)).body.enabled).toBe(true)
}, 60_000)
