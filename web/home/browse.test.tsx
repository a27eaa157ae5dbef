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

  test('the heading counts what a search found', async () => {
    await using page = await open()
    await page.user.type(page.search(), 'misty')
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Trackers 1')
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

  test('the search finds the word of a state', async () => {
    await using page = await open()
    await page.user.type(page.search(), 'lost')
    expect(page.names()).toEqual(['Runaway cat', 'Delivery van', 'Stolen scooter'])
  })

  test('a search without results says so and can be cleared', async () => {
    await using page = await open()
    await page.user.type(page.search(), 'zzz')
    expect(page.list.getByText('No tracker matches')).toBeVisible()
    expect(page.list.getByRole('heading', { name: 'Trackers 0' })).toBeVisible()
    expect(page.list.queryByRole('status')).toBeNull()
    await page.user.click(page.list.getByRole('button', { name: 'Show all' }))
    expect(page.names()).toHaveLength(14)
    expect(page.search()).toHaveValue('')
  })
})

describe('state chips', () => {
  test('each state that occurs has a chip that counts and shows its trackers', async () => {
    await using page = await open()
    const chips = within(page.list.getByRole('group', { name: 'Filter' })).getAllByRole('button')
    expect(chips.map(({ textContent }) => textContent)).toEqual(['Lost 3', 'Moving 3', 'At rest 8', 'Not in use 4'])
    for (const chip of chips) {
      await page.user.click(chip)
      expect(chip).toHaveAttribute('aria-pressed', 'true')
      expect(page.names()).toHaveLength(Number(/\d+$/.exec(chip.textContent ?? '')?.[0]))
      await page.user.click(chip)
    }
    expect(page.names()).toHaveLength(14)
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
    await page.user.click(page.chip('Lost 3'))
    await page.user.click(page.chip('Not in use 4'))
    const marks = page.list.getAllByRole('img').map((mark) => mark.getAttribute('aria-label'))
    expect(marks).toHaveLength(page.names().length)
    expect(marks).toEqual(expect.arrayContaining(['Lost mode', 'Subscription not activated', 'No signal, Subscription ended']))
  })

  test('two chips show the trackers of both states', async () => {
    await using page = await open()
    await page.user.click(page.chip('Lost 3'))
    await page.user.click(page.chip('Moving 3'))
    expect(page.names()).toEqual(['Runaway cat', 'Delivery van', 'Stolen scooter', 'Company van', 'Rex', 'Grandpa'])
    expect(window.location.search).toBe('?state=lost%2Cmoving')
  })

  test('R-3.4 the tools filter by the tags in use', async () => {
    await using page = await open()
    await page.user.click(await page.list.findByRole('button', { name: 'Filter and order' }))
    const tags = within(page.list.getByRole('group', { name: 'Tag' }))
    expect(tags.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)).toEqual(['Pets', 'Stolen', 'Vehicles'])
    await page.user.click(tags.getByRole('checkbox', { name: 'Pets' }))
    expect(page.names()).toHaveLength(4)
    await page.user.click(tags.getByRole('checkbox', { name: 'Stolen' }))
    expect(page.names()).toHaveLength(5)
    await page.user.keyboard('{Escape}')
    expect(page.list.getByRole('button', { name: 'Filter and order' })).toHaveFocus()
  })

  test('search and chip combine, and both stay while a tracker is opened', async () => {
    await using page = await open()
    await page.user.click(page.chip('Moving 3'))
    await page.user.type(page.search(), 'van')
    expect(page.names()).toEqual(['Company van'])
    await page.user.click(page.list.getByRole('link', { name: /^Company van/ }))
    await screen.findByRole('article', { name: 'Company van' })
    expect(page.names()).toEqual(['Company van'])
    expect(page.list.getByRole('link', { name: /^Company van/ })).toHaveAttribute('aria-current', 'true')
    await waitFor(() => expect(window.location.search).toBe('?q=van&state=moving'))
  })
})

describe('the view in the address', () => {
  test('an address names search, states, tag and sort', async () => {
    await using page = await open('/?q=a&state=lost,rest&tag=1&sort=-name')
    expect(page.search()).toHaveValue('a')
    expect(page.names()).toEqual(['Runaway cat', 'Misty'])
  })

  test('a link that names another filter replaces the present one', async () => {
    await using page = await open('/?state=lost')
    expect(page.names()).toHaveLength(3)
    window.history.pushState(null, '', '/?state=moving')
    window.dispatchEvent(new PopStateEvent('popstate'))
    await waitFor(() => expect(page.names()).toEqual(['Company van', 'Rex', 'Grandpa']))
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
    expect(await page.screen.findByRole('region', { name: 'Map' })).toBeInTheDocument()
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
    await page.user.click(page.list.getByRole('button', { name: 'Not in use (4)' }))
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

test('support sees the trackers under their owners, and finds them by an e-mail address', async () => {
  await using page = await openAs('support@example.com', '/', { features: ['owners', 'places'] })
  const list = within(await screen.findByRole('region', { name: 'List of trackers' }))
  expect(await list.findByRole('heading', { name: /^Alice Almeida, alice@example\.com \d+$/ })).toBeVisible()
  await page.user.type(list.getByRole('textbox'), 'erika@example')
  await waitFor(() => expect(list.getAllByRole('heading', { level: 2 })).toHaveLength(1))
  expect(list.getByRole('heading', { level: 2 })).toHaveTextContent('Erika Egger, erika@example.com')
})
