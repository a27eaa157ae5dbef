import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { openAs } from '#web/test/open-as.tsx'

async function open(as = 'alice@example.com') {
  const page = await openAs(as, '/trackers')
  await screen.findByRole('table')
  return {
    ...page,
    names: () => screen.getAllByRole('rowheader').map((row) => within(row).getByRole('link').textContent),
    cells: (name: string) =>
      within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent?.replace(/\s+/g, ' ') ?? ''),
    sort: (name: string) => page.user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), name),
  }
}

describe('R-1.7 table row', () => {
  test('a row shows state, battery, last event, subscription and tag', async () => {
    await using page = await open()
    expect(
      await collectFailures(
        [
          ['Rex', [/^Moving/, /85%$/, /^Moving(now|.* ago)$/, /^Renews onSep 18, 2026$/, /^Pets$/]],
          ['Misty', [/^Stationary for 8 minutes/, /40%$/, /ago$/, /^Active untilMar 14, 2026$/, /^Pets$/]],
          ['Family car', [/^Stationary for 2 hours/, /3650 mV$/, /ago$/, /^Renews onDec 27, 2026$/, /^Vehicles$/]],
          ['Cessna', [/^Plane mode/, /77%$/, /ago$/, /^Active untilApr 16, 2026$/, /^$/]],
          ['Grandpa', [/^Moving/, /\?$/, /ago$/, /^No end date$/, /^$/]],
          ['New tracker', [/^Not activated$/, /100%$/, /^$/, /^Not activated$/, /^$/]],
          ['Spare tracker', [/^Not activated/, /100%$/, /6 days ago$/, /^Not activated$/, /^$/]],
          ['Old tracker', [/^Network deactivated/, /3%$/, /^Low battery120 days ago$/, /^Ended onJan 31, 2026$/, /^$/]],
          ['Stolen scooter', [/^Lost mode/, /3410 mV$/, /ago$/, /^Active untilJul 30, 2026$/, /^Stolen$/]],
          ['Delivery van', [/^Settings sending/, /70%$/, /ago$/, /^Active untilMay 21, 2026$/, /^Vehicles$/]],
          ['Kitchen', [/^Stationary for 216 hours/, /50%$/, /^Button pressed.*ago$/, /^No subscription$/, /^$/]],
          ['Puppy', [/^No signal/, /30%$/, /^Low batteryyesterday$/, /^Ended onMar 1, 2026$/, /^Pets$/]],
        ] as const,
        ([name]) => name,
        ([name, expected]) => {
          const cells = page.cells(name)
          expect(cells).toHaveLength(expected.length)
          for (const [index, words] of expected.entries()) expect(cells[index]).toMatch(words)
        },
      ),
    ).toEqual([])
  })

  test('every column has a heading', async () => {
    await using page = await open()
    const heads = page.screen.getAllByRole('columnheader')
    expect(heads).toHaveLength(page.cells('Rex').length + 1)
    for (const head of heads) expect(head).toHaveTextContent(/\w/)
  })

  test("the name links to the tracker's page", async () => {
    await using page = await open()
    await page.user.click(screen.getByRole('link', { name: 'Misty' }))
    expect(await screen.findByRole('article', { name: 'Misty' })).toBeVisible()
    expect(window.location.pathname).toBe('/trackers/2')
  })
})

describe('R-2.57 sorts', () => {
  test.each([
    ['Last event', (names: (string | null)[]) => names.at(-1) === 'New tracker'],
    ['Name', (names: (string | null)[]) => names.join() === names.toSorted((a, b) => String(a).localeCompare(String(b))).join()],
    ['Time stationary', (names: (string | null)[]) => names[0] === 'Old tracker' && names.slice(-5).includes('Rex')],
    ['Battery level', (names: (string | null)[]) => names[0] === 'Old tracker' && names.at(-1) === 'Grandpa'],
  ])('the sort %s orders the table', async (sort, isRight) => {
    await using page = await open()
    await page.sort(sort)
    expect(isRight(page.names())).toBe(true)
    expect(page.names()).toHaveLength(18)
  })

  test("returning to the server's order removes the saved sort", async () => {
    localStorage.setItem('trackersSort', 'name')
    await using page = await open()
    await page.user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), '')
    expect(page.names().slice(0, 3)).toEqual(['Spare tracker', 'New tracker', 'Old tracker'])
    expect(localStorage.getItem('trackersSort')).toBeNull()
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

test('R-3.4 an account without tags has no tag filter', async () => {
  await using page = await open('george@example.com')
  expect(page.screen.queryByRole('combobox', { name: 'Tag' })).toBeNull()
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
