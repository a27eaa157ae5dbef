import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

/** Lost, moving, heard within a day, the rest; last those without a running subscription or network. */
const MAP_ORDER = [
  ...['Runaway cat', 'Delivery van', 'Stolen scooter', 'Company van', 'Rex', 'Grandpa', 'Misty', 'Hiker', 'Cessna'],
  ...['City bike', 'Family car', 'Trailer', 'Cold box', 'Kitchen', 'Spare tracker', 'New tracker', 'Old tracker', 'Puppy'],
]

const open = async (path = '/') => {
  const page = await openAs('alice@example.com', path)
  await screen.findByRole('region', { name: 'List of trackers' })
  const list = within(document.querySelector('main')!)
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
] as const)('R-2.57 the sort of the last visit, %s, is used again', async (sort, first, last) => {
  localStorage.setItem('trackersView', `sort=${sort}`)
  await using page = await open()
  expect(page.names().slice(0, first.length)).toEqual(first)
  if (last) expect(page.names().at(-1)).toBe(last)
  expect(page.names()).toHaveLength(MAP_ORDER.length)
})

test('an unknown stored sort is ignored', async () => {
  localStorage.setItem('trackersView', 'sort=colour')
  await using page = await open()
  await page.unfold()
  expect(page.names()).toEqual(MAP_ORDER)
})

test('R-2.57 a sort chosen in the table applies to the list next to the map', async () => {
  await using page = await open()
  const { user } = page
  await user.click(page.list.getByRole('link', { name: 'Show as a table' }))
  await user.click(await screen.findByRole('button', { name: 'Name' }))
  await user.click(screen.getByRole('link', { name: 'Show on the map' }))
  await waitFor(() => expect(page.names()[0]).toBe('Cessna'))
  expect(window.location.search).toBe('?sort=name')
})

test('filtering the list keeps its order', async () => {
  await using page = await open()
  await page.user.type(page.list.getByRole('textbox'), 'pets')
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
