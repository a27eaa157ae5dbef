import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

const open = async (as = 'alice@example.com') => {
  const page = await openAs(as, '/trackers')
  return { ...page, names: () => page.screen.getAllByRole('rowheader').map((row) => within(row).getByRole('link').textContent) }
}

test("R-4.21 the table has the server's order until a sort is chosen", async () => {
  await using page = await open()
  await page.screen.findByRole('table')
  expect(page.names()).toHaveLength(18)
  expect(page.names().slice(0, 4)).toEqual(['Spare tracker', 'New tracker', 'Old tracker', 'Puppy'])
})

test('R-2.57 there are four sorts, and the choice is saved', async () => {
  await using page = await open()
  const sort = await page.screen.findByRole('combobox', { name: 'Sort by' })
  await page.user.selectOptions(sort, 'Battery level')
  expect(page.names()[0]).toBe('Old tracker')
  expect(page.names().at(-1)).toBe('Grandpa')
  await page.user.selectOptions(sort, 'Name')
  expect(page.names()[0]).toBe('Cessna')
  expect(localStorage.getItem('trackersSort')).toBe('name')
})

test('R-2.57 the saved sort is applied again', async () => {
  localStorage.setItem('trackersSort', 'name')
  await using page = await open()
  expect(await page.screen.findByRole('combobox', { name: 'Sort by' })).toHaveValue('name')
  expect(page.names()[0]).toBe('Cessna')
})

test('R-1.6 R-3.20 each row shows type, subscription and tags', async () => {
  await using page = await open()
  const row = (name: string) => page.screen.getByRole('row', { name: new RegExp(`^${name}`) })
  await page.screen.findByRole('table')
  expect(row('Rex')).toHaveTextContent(/Dog collar.*85%.*Renews on.*Pets/)
  expect(row('Cold box')).toHaveTextContent('Configurable low-power tracker')
  expect(row('Hiker')).toHaveTextContent('Long-range tracker')
  expect(row('Grandpa')).toHaveTextContent(/\?.*No end date/)
  expect(row('Puppy')).toHaveTextContent('Ended on')
})

test('R-3.4 a tag and a search term filter the table', async () => {
  await using page = await open()
  await page.user.selectOptions(await page.screen.findByRole('combobox', { name: 'Tag' }), 'Stolen')
  expect(page.names()).toEqual(['Stolen scooter'])
  await page.user.type(page.screen.getByRole('textbox'), 'nobody')
  expect(page.screen.getByText('No tracker matches')).toBeVisible()
})

test('an account without trackers sees how to continue', async () => {
  await using page = await open('dario@example.com')
  expect(await page.screen.findByText('No tracker yet')).toBeVisible()
})

test('support sees the trackers under their owners, sorted within each', async () => {
  await using page = await openAs('support@example.com', '/trackers', { features: ['owners'] })
  const owner = await page.screen.findByRole('rowheader', { name: 'Erika Egger, erika@example.com' })
  const rows = page.screen.getAllByRole('row').slice(1)
  expect(rows.filter(({ textContent }) => textContent === owner.textContent)).toHaveLength(1)
  const following = rows[rows.indexOf(owner.closest('tr')!) + 1]!
  expect(within(following).getByRole('link')).toBeVisible()
  expect(rows[0]).toHaveTextContent(/^Ada Admin, admin@pro\.example\.com$/)
})
