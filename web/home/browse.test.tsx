import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

async function open(path = '/', as = 'alice@example.com') {
  const page = await openAs(as, path)
  const list = within(await screen.findByRole('region', { name: 'List of trackers' }))
  return {
    ...page,
    list,
    names: () => list.queryAllByRole('link').flatMap((row) => row.querySelector('b')?.textContent ?? []),
    search: () => list.getByRole('textbox'),
    chip: (name: RegExp | string) => list.getByRole('button', { name }),
  }
}

describe('R-3.4 R-3.7 search', () => {
  test.each([
    ['misty', ['Misty']],
    ['STOLEN', ['Stolen scooter']],
    ['pets', ['Runaway cat', 'Rex', 'Misty', 'Puppy']],
    ['1000000017', ['Trailer']],
    ['alice0000006', ['Grandpa']],
    ['  rex  ', ['Rex']],
    ['pets cat', ['Runaway cat']],
  ])('searching for %j finds trackers by name, tag or number', async (words, found) => {
    await using page = await open()
    await page.user.type(page.search(), words)
    expect(page.names()).toEqual(found)
  })

  test('the search finds a tracker by the place shown in its row', async () => {
    await using page = await open()
    await page.user.type(page.search(), 'home')
    await waitFor(() => expect(page.names()).toContain('Misty'))
    expect(page.list.getByRole('link', { name: /^Misty/ })).toHaveTextContent(/· Home/)
  })

  test('the heading counts all trackers while searching', async () => {
    await using page = await open()
    await page.user.type(page.search(), 'misty')
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Trackers 18')
  })

  test('the search is cleared by its button and by Escape', async () => {
    await using page = await open()
    await page.user.type(page.search(), 'misty')
    await page.user.click(page.list.getByRole('button', { name: 'Clear search' }))
    expect(page.names()).toHaveLength(14)
    await page.user.type(page.search(), 'rex{Escape}')
    expect(page.search()).toHaveValue('')
    expect(page.names()).toHaveLength(14)
  })

  test('a search without results says so and can be cleared', async () => {
    await using page = await open()
    await page.user.type(page.search(), 'zzz')
    expect(page.list.getByText('No tracker matches')).toBeVisible()
    await page.user.click(page.list.getByRole('button', { name: 'Show all' }))
    expect(page.names()).toHaveLength(14)
    expect(page.search()).toHaveValue('')
  })
})

describe('filter chips', () => {
  test('the chips Moving and Needs attention count their trackers and filter the list', async () => {
    await using page = await open()
    for (const kind of [/^Moving \d+$/, /^Needs attention \d+$/]) {
      const chip = page.chip(kind)
      await page.user.click(chip)
      expect(chip).toHaveAttribute('aria-pressed', 'true')
      expect(page.names()).toHaveLength(Number(/\d+$/.exec(chip.textContent ?? '')?.[0]))
    }
  })

  test('R-4.6 Moving includes a tracker that has been stationary for seven minutes', async () => {
    await using page = await open()
    await page.user.click(page.chip(/^Moving/))
    expect(page.names()).toEqual(expect.arrayContaining(['Rex', 'Grandpa']))
    expect(page.names()).not.toContain('Misty')
    const rows = page.list.getAllByRole('link').filter((row) => row.querySelector('b'))
    for (const row of rows) expect(row).toHaveTextContent('Moving')
  })

  test('a tracker that needs attention has a mark with the reason', async () => {
    await using page = await open()
    await page.user.click(page.chip(/^Needs attention/))
    const marks = page.list.getAllByRole('img').map((mark) => mark.getAttribute('aria-label'))
    expect(marks).toHaveLength(page.names().length)
    expect(marks).toEqual(expect.arrayContaining(['Lost mode', 'Subscription not activated', 'No signal, Subscription ended']))
    expect(page.names()).not.toContain('Company van')
  })

  test('clicking a chip again removes the filter, and only one chip is active at a time', async () => {
    await using page = await open()
    await page.user.click(page.chip('Vehicles'))
    await page.user.click(page.chip('Pets'))
    expect(page.chip('Vehicles')).toHaveAttribute('aria-pressed', 'false')
    expect(page.names()).toHaveLength(4)
    await page.user.click(page.chip('Pets'))
    expect(page.chip('All')).toHaveAttribute('aria-pressed', 'true')
    expect(page.names()).toHaveLength(14)
  })

  test('R-3.4 there is a chip for each tag in use and none for an unused tag', async () => {
    await using page = await open()
    const chips = within(page.list.getByRole('group', { name: 'Filter' })).getAllByRole('button')
    expect(chips.map(({ textContent }) => textContent?.replace(/ \d+$/, ''))).toEqual([
      ...['All', 'Moving', 'Needs attention', 'Pets', 'Stolen', 'Vehicles'],
    ])
  })

  test('search and chip combine, and both stay while a tracker is opened', async () => {
    await using page = await open()
    await page.user.click(page.chip('Vehicles'))
    await page.user.type(page.search(), 'van')
    expect(page.names()).toEqual(['Company van', 'Delivery van'])
    await page.user.click(page.list.getByRole('link', { name: /^Company van/ }))
    await screen.findByRole('article', { name: 'Company van' })
    expect(page.names()).toEqual(['Company van', 'Delivery van'])
    expect(page.list.getByRole('link', { name: /^Company van/ })).toHaveAttribute('aria-current', 'true')
  })
})

describe('banners', () => {
  test('R-4.9 R-4.1 an account with a silent tracker and a confirmed e-mail address shows one banner', async () => {
    await using page = await open()
    await waitFor(() => expect(page.calls.some(({ path }) => path === '/options/')).toBe(true))
    expect(page.list.getByText(/1 tracker has been silent for over 90 days/).closest('[role=status]')).not.toBeNull()
    expect(page.list.queryByText(/not confirmed/)).toBeNull()
  })

  test('an unconfirmed e-mail address blocks nothing', async () => {
    await using page = await openAs('chloe@example.com', '/')
    expect(await screen.findByRole('link', { name: /not confirmed yet/ })).toHaveAttribute('href', '/account_email')
    expect(page.screen.getByRole('region', { name: 'Map' })).toBeInTheDocument()
  })
})

describe('R-1.1 visible trackers', () => {
  test.each([
    ['george@example.com', 1],
    ['haruka@example.com', 2],
    ['zoe@example.com', 2],
    ['admin@pro.example.com', 6],
    ['member@pro.example.com', 2],
  ])('%s sees %i trackers', async (as, count) => {
    await using page = await open('/', as)
    expect(page.names()).toHaveLength(count)
  })

  test('R-1.2 each kind has its own icon', async () => {
    await using page = await open()
    const icon = (name: string) =>
      page.list
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .querySelector('svg')
        ?.getAttribute('class')
    await page.user.click(page.list.getByRole('button', { name: /^Not in use/ }))
    // Rex and Misty have photos.
    const kinds = ['Puppy', 'Runaway cat', 'City bike', 'Family car', 'Cessna', 'Grandpa', 'Kitchen']
    expect(new Set(kinds.map(icon)).size).toBe(kinds.length)
  })
})

test('the palette opens a tracker by name from any screen', async () => {
  await using page = await open('/trackers/2')
  await page.user.keyboard('{Control>}k{/Control}')
  await page.user.type(await screen.findByRole('combobox', { name: 'Search' }), 'family{Enter}')
  expect(await screen.findByRole('article', { name: 'Family car' })).toBeVisible()
  expect(window.location.pathname).toBe('/trackers/4')
  expect(screen.queryByRole('article', { name: 'Misty' })).toBeNull()
})

test('R-2.54 opening a tracker saves the route name of its page', async () => {
  await using page = await open()
  await page.user.click(page.list.getByRole('link', { name: /^Misty/ }))
  await screen.findByRole('article', { name: 'Misty' })
  expect(localStorage.getItem('lastVisitedRoute')).toBe('tracker')
  expect(document.title).toBe('Whereabouts - Tracker')
})

test('support sees the owner of each tracker in the list, and finds trackers by an e-mail address', async () => {
  await using page = await openAs('support@example.com', '/', { features: ['owners', 'places'] })
  const list = await screen.findByRole('region', { name: 'List of trackers' })
  expect((await within(list).findAllByText(/Alice Almeida, alice@example\.com/)).length).toBeGreaterThan(5)
  await page.user.type(within(list).getByRole('textbox'), 'erika@example')
  await waitFor(() => expect(within(list).queryByText(/alice@example/)).toBeNull())
  expect(within(list).getAllByText(/Erika Egger, erika@example\.com/).length).toBeGreaterThan(0)
})
