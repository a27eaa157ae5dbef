import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

/** Lost, moving, heard within a day, the rest; last those without a running subscription or network. */
const MAP_ORDER = [
  ...['Runaway cat', 'Stolen scooter', 'Company van', 'Rex', 'Grandpa', 'Misty', 'Hiker', 'Cessna', 'Delivery van'],
  ...['City bike', 'Family car', 'Trailer', 'Cold box', 'Kitchen', 'Spare tracker', 'New tracker', 'Old tracker', 'Puppy'],
]

const open = async (path = '/') => {
  const page = await openAs('alice@example.com', path)
  const list = within(await screen.findByRole('region', { name: 'List of trackers' }))
  const unfold = () => page.user.click(list.getByRole('button', { name: 'Not in use (4)' }))
  return { ...page, list, unfold, names: () => list.getAllByRole('link').flatMap((row) => row.querySelector('b')?.textContent ?? []) }
}

test('home shows lost and moving trackers first, and collapses unused ones, until a sort is chosen', async () => {
  await using page = await open()
  expect(page.names()).toEqual(MAP_ORDER.slice(0, -4))
  await page.unfold()
  expect(page.names()).toEqual(MAP_ORDER)
})

test.each([
  ['battery', ['Old tracker', 'Trailer', 'Puppy'], 'Grandpa'],
  ['name', ['Cessna', 'City bike', 'Cold box'], 'Trailer'],
  ['stationary', ['Old tracker', 'Kitchen', 'Spare tracker'], undefined],
] as const)('R-2.57 home uses the sort chosen on /trackers: %s', async (sort, first, last) => {
  localStorage.setItem('trackersSort', sort)
  await using page = await open()
  expect(page.names().slice(0, first.length)).toEqual(first)
  if (last) expect(page.names().at(-1)).toBe(last)
  expect(page.names()).toHaveLength(MAP_ORDER.length)
})

test('an unknown stored sort is ignored', async () => {
  localStorage.setItem('trackersSort', 'colour')
  await using page = await open()
  await page.unfold()
  expect(page.names()).toEqual(MAP_ORDER)
})

test('a sort chosen on /trackers applies on returning home', async () => {
  await using page = await open()
  const { user } = page
  await user.click(screen.getByRole('link', { name: 'Trackers' }))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Sort by' }), 'Name')
  await user.click(screen.getByRole('link', { name: 'Map' }))
  const list = within(await screen.findByRole('region', { name: 'List of trackers' }))
  expect(list.getAllByRole('link').find((row) => row.querySelector('b'))).toHaveTextContent('Cessna')
})

test('filtering the list keeps its order', async () => {
  await using page = await open()
  await page.user.click(page.list.getByRole('button', { name: 'Pets' }))
  expect(page.names()).toEqual(MAP_ORDER.filter((name) => ['Puppy', 'Misty', 'Runaway cat', 'Rex'].includes(name)))
})

test('trackers that are not activated say so instead of "No signal"', async () => {
  await using page = await open()
  await page.unfold()
  const row = (name: string) => page.list.getByRole('link', { name: new RegExp(`^${name}`) })
  for (const name of ['Spare tracker', 'New tracker']) {
    expect(row(name)).toHaveTextContent('Not activated')
    expect(row(name)).not.toHaveTextContent(/No signal|No position/)
  }
  expect(row('Old tracker')).toHaveTextContent('Network deactivated')
})
