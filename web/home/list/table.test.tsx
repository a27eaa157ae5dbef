import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { openAs } from '#web/test/open-as.tsx'

async function open(as = 'alice@example.com', path = '/trackers') {
  const page = await openAs(as, path)
  const table = await screen.findByRole('table', { name: /^Trackers/ })
  return {
    ...page,
    table: within(table),
    names: () => screen.getAllByRole('rowheader').flatMap((row) => within(row).queryByRole('link')?.textContent ?? []),
    cells: (name: string) =>
      within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent?.replace(/\s+/g, ' ') ?? ''),
    head: (name: string) => screen.getByRole('columnheader', { name: new RegExp(`^${name}`) }),
    sort: (name: string) => page.user.click(screen.getByRole('button', { name: new RegExp(`^${name}`) })),
    openTool: async (name: RegExp | string) => page.user.click(await screen.findByRole('button', { name })),
  }
}

describe('R-1.7 table row', () => {
  test('a row shows place, state, last contact, battery and end of the subscription', async () => {
    await using page = await open()
    await waitFor(() => expect(page.cells('Rex')[0]).toBe('Home'))
    expect(
      await collectFailures(
        [
          ['Rex', [/^Home$/, /^Moving/, /^now$|ago$/, /85%$/, /^Sep 18, 2026$/]],
          ['Misty', [/./, /^Stationary for 8 minutes/, /ago$/, /40%$/, /^Mar 14, 2026$/]],
          ['Family car', [/./, /^Stationary for 2 hours/, /ago$/, /3650 mV$/, /^Dec 27, 2026$/]],
          ['Cessna', [/./, /^Plane mode/, /ago$/, /77%$/, /^Apr 16, 2026$/]],
          ['Grandpa', [/./, /^Moving/, /ago$/, /\?$/, /^No end date$/]],
          ['New tracker', [/^$/, /^Not activated$/, /^$/, /100%$/, /^Not activated$/]],
          ['Spare tracker', [/./, /^Not activated$/, /6 days ago$/, /100%$/, /^Not activated$/]],
          ['Old tracker', [/./, /^Network deactivated · Low battery · Subscription ended$/, /120 days ago$/, /3%$/, /^Jan 31, 2026$/]],
          ['Stolen scooter', [/./, /^Lost mode$/, /ago$/, /3410 mV$/, /^Jul 30, 2026$/]],
          ['Delivery van', [/./, /^Settings sending · Lost mode$/, /^now$|ago$/, /70%$/, /^May 21, 2026$/]],
          ['Kitchen', [/./, /^Stationary for 216 hours/, /ago$/, /50%$/, /^No subscription$/]],
          ['Puppy', [/./, /^No signal · Subscription ended$/, /yesterday$/, /30%$/, /^Mar 1, 2026$/]],
        ] as const,
        ([name]) => name,
        ([name, expected]) => {
          const cells = page.cells(name)
          expect(cells).toHaveLength(expected.length)
          for (const [index, words] of expected.entries()) expect(cells[index]).toMatch(words)
        },
      ),
    ).toEqual([])
    expect(page.table.getAllByRole('columnheader')).toHaveLength(6)
  })

  test('R-1.6 R-3.20 the chosen columns stand in the address', async () => {
    await using page = await open()
    await page.openTool('Columns')
    for (const column of ['Model', 'Tag', 'Last event', 'Where']) await page.user.click(screen.getByRole('checkbox', { name: column }))
    expect(page.head('Model')).toBeVisible()
    expect(page.cells('Rex')).toEqual(
      [/^Moving/, /./, /85%$/, /^Moving ·/, /./, /^Pets$/, /^Dog collar$/].map((words) => expect.stringMatching(words)),
    )
    expect(page.cells('Hiker')).toContain('Long-range tracker')
    await waitFor(() => expect(decodeURIComponent(location.search)).toBe('?columns=state,age,battery,event,ends,tag,model'))
  })

  test("the name links to the tracker's page", async () => {
    await using page = await open()
    await page.user.click(screen.getByRole('link', { name: 'Misty' }))
    expect(await screen.findByRole('article', { name: 'Misty' })).toBeVisible()
    expect(window.location.pathname).toBe('/trackers/2')
    expect(screen.getByRole('region', { name: 'Map' })).toBeInTheDocument()
  })
})

describe('R-2.57 sorts', () => {
  test('the most urgent trackers come first until a column is chosen, and the choice is remembered', async () => {
    await using page = await open()
    expect(page.names()).toHaveLength(18)
    expect(page.names().slice(0, 4)).toEqual(['Runaway cat', 'Delivery van', 'Stolen scooter', 'Company van'])
    await page.sort('Name')
    expect([page.names()[0], page.head('Name').getAttribute('aria-sort')]).toEqual(['Cessna', 'ascending'])
    await page.sort('Name')
    expect([page.names()[0], page.head('Name').getAttribute('aria-sort')]).toEqual(['Trailer', 'descending'])
    expect(localStorage.getItem('trackersView')).toBe('sort=-name')
  })

  test.each([
    ['Last event', (names: string[]) => names.at(-1) === 'New tracker'],
    ['Name', (names: string[]) => names.join() === names.toSorted((a, b) => a.localeCompare(b)).join()],
    ['Time stationary', (names: string[]) => names[0] === 'Old tracker' && names.slice(-5).includes('Rex')],
    ['Battery', (names: string[]) => names[0] === 'Old tracker' && names.at(-1) === 'Grandpa'],
  ])('the sort %s orders the table', async (sort, isRight) => {
    await using page = await open()
    await page.openTool('Sort by')
    await page.user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), sort)
    expect(isRight(page.names())).toBe(true)
    expect(page.names()).toHaveLength(18)
  })

  test('Shift adds a second key', async () => {
    await using page = await open()
    await page.sort('State')
    await page.user.keyboard('{Shift>}')
    await page.sort('Battery')
    await page.user.keyboard('{/Shift}')
    expect(page.names().slice(0, 3)).toEqual(['Stolen scooter', 'Runaway cat', 'Delivery van'])
    await waitFor(() => expect(decodeURIComponent(location.search)).toBe('?sort=state,battery'))
  })

  test('search results are sorted as well', async () => {
    await using page = await open()
    await page.sort('Name')
    await page.user.type(screen.getByRole('textbox'), 'van')
    expect(page.names()).toEqual(['Company van', 'Delivery van'])
    await page.user.type(screen.getByRole('textbox'), '{Escape}')
    expect(page.names()).toHaveLength(18)
  })
})

describe('groups', () => {
  const heads = () =>
    screen.getAllByRole('rowheader').flatMap((row) => (row.getAttribute('scope') === 'rowgroup' ? (row.textContent ?? '') : []))

  test('trackers are grouped by tag', async () => {
    await using page = await open()
    await page.openTool('Group by')
    await page.user.click(screen.getByRole('radio', { name: 'Tag' }))
    expect(heads()).toEqual(['Pets 4', 'Stolen 1', 'Vehicles 4', 'Without a tag 9'])
    expect(page.names()).toHaveLength(18)
  })

  test('support sees the trackers under their owners, sorted within each', async () => {
    await using _page = await openAs('support@example.com', '/trackers', { features: ['owners'] })
    const owner = await screen.findByRole('rowheader', { name: /^Erika Egger, erika@example.com/ })
    const rows = screen.getAllByRole('row').slice(1)
    const following = rows[rows.indexOf(owner.closest('tr')!) + 1]!
    expect(within(following).getByRole('link')).toBeVisible()
    expect(rows[0]).toHaveTextContent(/^Ada Admin, admin@pro\.example\.com/)
    expect(screen.queryByRole('link', { name: 'Add a tracker' })).toBeNull()
  })
})

describe('views', () => {
  test('a named view brings back filter, sort and columns, only for its account', async () => {
    await using page = await open('alice@example.com', '/trackers?state=lost&sort=-name&columns=state')
    await page.openTool('Views')
    await page.user.type(await screen.findByRole('textbox', { name: 'Name of the view' }), 'Search party')
    await page.user.click(screen.getByRole('button', { name: 'Save' }))
    await page.user.click(screen.getByRole('button', { name: 'All trackers' }))
    expect(page.names()).toHaveLength(18)
    await page.user.click(screen.getByRole('button', { name: 'Search party' }))
    expect(page.names()).toEqual(['Stolen scooter', 'Runaway cat', 'Delivery van'])
    expect(page.cells('Stolen scooter')).toHaveLength(1)
    page.unmount()
    localStorage.removeItem('trackersView')
    sessionStorage.clear()
    await using other = await open('haruka@example.com')
    await other.openTool('Views')
    await screen.findByRole('button', { name: 'Ends this month' })
    expect(screen.queryByRole('button', { name: 'Search party' })).toBeNull()
  })

  test('one view shows what ends this month', async () => {
    await using page = await open()
    await page.openTool('Views')
    await page.user.click(await screen.findByRole('button', { name: 'Ends this month' }))
    expect(page.names()).toEqual(['Puppy', 'Misty', 'Company van'])
    await page.user.click(within(screen.getByRole('group', { name: 'Filter' })).getByRole('button', { name: 'Ends this month' }))
    expect(page.names()).toHaveLength(18)
  })
})

test('R-3.4 a tag of the address and a search filter the table', async () => {
  await using page = await open('alice@example.com', '/trackers?tag=3')
  expect(page.names()).toEqual(['Stolen scooter'])
  await page.user.type(page.screen.getByRole('textbox'), 'nobody')
  expect(page.screen.getByText('No tracker matches')).toBeVisible()
})

test('R-3.4 an account without tags has no tag filter', async () => {
  await using page = await open('george@example.com')
  expect(await screen.findByRole('button', { name: 'Columns' })).toBeVisible()
  expect(page.screen.queryByRole('button', { name: 'Tag' })).toBeNull()
  expect(page.names()).toHaveLength(1)
})

test('a member of a pro account sees only the trackers of the team list', async () => {
  await using admin = await open('admin@pro.example.com')
  const all = admin.names()
  admin.unmount()
  await using member = await open('member@pro.example.com')
  expect(all).toHaveLength(6)
  expect(all).toEqual(expect.arrayContaining(member.names()))
  expect(member.names()).toHaveLength(2)
})

test('a reload keeps the row height', async () => {
  await using page = await open()
  await page.user.click(await screen.findByRole('radio', { name: 'Low rows' }))
  expect(screen.getByRole('table')).toHaveAttribute('data-density', '32')
  expect(localStorage.getItem('trackersDensity')).toBe('32')
})
