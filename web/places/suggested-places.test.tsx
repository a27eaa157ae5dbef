import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES, type Feature } from '#contracts/reader/features.ts'
import type { SuggestedPlace } from '#contracts/trackers/normal.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const PATH = '/tracker_places/suggestions/'

const open = (without?: Feature, as = ALICE) => openAs(as, '/places', { features: FEATURES.filter((each) => each !== without) })
const findSuggestions = async () => within(await screen.findByRole('region', { name: 'Suggested places' }))

test('a place where a tracker often is opens the form of a new place with its circle', async () => {
  await using page = await open()
  const [first]: SuggestedPlace[] = (await page.portal.call(ALICE, 'GET', PATH)).body
  const list = await findSuggestions()
  expect(await list.findByText(`Grandpa: on ${first!.days} days`, { exact: false })).toBeVisible()
  await page.user.click(list.getAllByRole('link', { name: `Make a place: ${first!.address}` })[0]!)
  expect(await screen.findByRole('combobox', { name: /^Address/ })).toHaveValue(first!.address)
  await page.user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Club')
  await page.user.click(screen.getByRole('radio', { name: 'Other' }))
  await page.user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByRole('link', { name: 'Club' })
  const { body: places } = await page.portal.call(ALICE, 'GET', '/tracker_places/')
  expect(places.find(({ name }: { name: string }) => name === 'Club')).toMatchObject({
    lat: first!.lat,
    lng: first!.lng,
    radius: first!.radius,
  })
  expect(screen.queryByRole('link', { name: `Make a place: ${first!.address}` })).toBeNull()
})

test('a suggestion that is dismissed does not come back', async () => {
  await using page = await open()
  const before: SuggestedPlace[] = (await page.portal.call(ALICE, 'GET', PATH)).body
  await page.user.click((await findSuggestions()).getAllByRole('button', { name: `Not now: ${before[0]!.address}` })[0]!)
  await screen.findByText('It will not be proposed again')
  await waitFor(() => expect(screen.queryByRole('button', { name: `Not now: ${before[0]!.address}` })).toBeNull())
  expect((await page.portal.call(ALICE, 'GET', PATH)).body).toEqual(before.slice(1))
})

test('nothing is suggested by a backend that learns nothing, nor to those who may not change places', async () => {
  for (const [without, as] of [['normal', ALICE] as const, [undefined, 'support@example.com'] as const]) {
    await using page = await open(without, as)
    await screen.findByRole('link', { name: 'Office' })
    expect(screen.queryByRole('region', { name: 'Suggested places' })).toBeNull()
    expect(page.calls.filter(({ path }) => path.includes('suggestions'))).toEqual([])
  }
})
