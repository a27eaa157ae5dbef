import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Way, WayList } from '#contracts/days.ts'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openAs } from '#web/test/open-as.tsx'
import { drawPicture, type PictureText } from './picture.ts'
import { wayName } from './ways.tsx'

const ALICE = 'alice@example.com'
const open = (path: string, features: readonly string[] = FEATURES) => openAs(ALICE, path, { features: [...features] })
const REX = `/trackers/${SEED.devices.rex}`

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((give) => give(null))
})
afterEach(() => vi.restoreAllMocks())

const spot = (name: string | null) => ({ lat: 0, lng: 0, address: name })
const way = (from: string | null, to: string | null, round = false, farthest: string | null = null) =>
  ({ from: spot(from), to: spot(to), farthest: spot(farthest), round }) as Way

test.each([
  [way('Home', 'Office'), 'fromTo Home Office'],
  [way('Home', 'Home', true, 'Rambla 12'), 'roundBy Home Rambla 12'],
  [way('Home', 'Home', true), 'round Home'],
  [way('Home', 'Home', true, 'Home'), 'round Home'],
  [way('Home', 'Home', false, 'Rambla 12'), 'roundBy Home Rambla 12'],
  [way('Home', null), null],
  [way(null, 'Office'), null],
])('a way is named by its ends, and a round by its farthest point: %#', (of, name) => {
  const t = (key: string, values: object) => `${key.split('.').at(-1)} ${Object.values(values).join(' ')}`
  expect(wayName(t as never, of, ({ address }) => address)).toBe(name)
})

test('D-76 favourite routes are named by places, counted, and lead to the day of their last trip with that trip chosen', async () => {
  await using page = await open(`${REX}/months`)
  const section = within(await screen.findByRole('region', { name: 'Favourite routes' }))
  const [first] = await section.findAllByRole('link', { name: /Home.*\d+ times · .*Last: / })
  expect(section.getAllByRole('link')).toHaveLength(6)
  await page.user.click(section.getByRole('button', { name: 'Show more' }))
  expect(section.getAllByRole('link').length).toBeGreaterThan(6)

  await page.user.click(first!)
  const trips = within(await screen.findByRole('list', { name: 'Stops and trips' }))
  expect(trips.getAllByRole('button', { pressed: true })).toHaveLength(1)
  await page.user.click(trips.getByRole('button', { pressed: true }))
  expect(trips.queryByRole('button', { pressed: true })).toBeNull()
})

test('a backend without routes has the months and the review without them', async () => {
  const features = FEATURES.filter((name) => name !== 'ways')
  await using page = await open(`${REX}/months`, features)
  expect(await screen.findByRole('grid', { name: /^February 2026/ })).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Favourite routes' })).toBeNull()
  await page.user.click(screen.getByRole('link', { name: 'Year in review' }))
  expect(await screen.findByText('Days out')).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Favourite route' })).toBeNull()
})

const readDrawn = (text: PictureText) => {
  const drawn: string[] = []
  const pen = new Proxy({} as Record<string, unknown>, {
    get: (_, name) => (name === 'fillText' ? (words: string) => drawn.push(words) : () => ({ width: 10, addColorStop() {} })),
    set: () => true,
  })
  drawPicture(pen as never, text, '#d4571f')
  return drawn.join('\n')
}

test('the picture of a year draws all of its texts', () => {
  const pair = { label: 'Label', value: 'Value' }
  const text = { title: 'Rex in 2026', total: '512 km', subtitle: '12% more', product: 'Whereabouts' }
  const drawn = readDrawn({
    ...text,
    facts: [pair],
    bars: [{ label: 'J', share: 1 }],
    names: [{ label: 'Favourite', value: 'Home to Park' }],
  })
  for (const words of [...Object.values(text), 'Label', 'Value', 'J', 'Home to Park']) expect(drawn).toContain(words)
})

test('the review of a year has its totals, and a picture to save without addresses and, unless enabled, without places', async () => {
  const drawn: string[] = []
  const pen: object = new Proxy(
    {},
    {
      get: (_, name) => (name === 'fillText' ? (words: string) => drawn.push(words) : () => ({ width: 10, addColorStop() {} })),
      set: () => true,
    },
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((give) => give(new Blob(['png'], { type: 'image/png' })))
  const saved: string[] = []
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => {}
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  await using page = await open(`${REX}/months?year=2026&view=review`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Rex in 2026' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Months' })).toHaveAttribute('href', '/trackers/1/months?year=2026')
  const months = await screen.findByText(/^February: [\d.,]+ (km|mi)$/)
  expect(months.closest('ol')!.children).toHaveLength(12)
  expect(await screen.findByRole('heading', { name: 'Favourite route' })).toBeVisible()
  const visited = screen.getByRole('heading', { name: 'Most visited' })
  await waitFor(() => expect(visited.nextElementSibling).toHaveTextContent(/Home\d+ visits/))

  expect(await screen.findByRole('img', { name: /^Rex in 2026: / })).toHaveAttribute('src', 'blob:picture')
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { body } = await page.portal.call(ALICE, 'GET', `/devices/1/ways/?from=2026-01-01&to=2026-12-31&tz=${tz}`)
  const { ways, destinations }: WayList = body
  const addresses = [...ways.flatMap(({ from, to }) => [from.address, to.address]), ...destinations.map(({ address }) => address)]
  const streets = [...new Set(addresses.flatMap((address) => address?.split(/ \d|,/)[0] ?? []))]
  expect(streets.length).toBeGreaterThan(2)
  for (const word of [...streets, 'Home', '-34', '-56']) expect(drawn.join('\n')).not.toContain(word)

  drawn.length = 0
  await page.user.click(await screen.findByRole('checkbox', { name: 'Show the names of my places' }))
  await waitFor(() => expect(drawn.join('\n')).toContain('Home'))
  for (const street of streets) expect(drawn.join('\n')).not.toContain(street)
  await page.user.click(screen.getByRole('button', { name: 'Save picture' }))
  await waitFor(() => expect(saved).toEqual(['Rex in 2026.png']))
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull()
})
