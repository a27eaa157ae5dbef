import { waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

test('R-1.1 R-1.7 R-2.3 home lists the trackers of the account and no others', async () => {
  await using page = await openAs('alice@example.com', '/')
  const { screen } = page
  const list = await screen.findByRole('region', { name: 'List of trackers' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(14)
  expect(within(list).getByRole('link', { name: /^Rex.*Moving/ })).toHaveTextContent('85%')
  expect(within(list).getByRole('link', { name: /^Grandpa/ })).toHaveTextContent('?')
  expect(within(list).getByRole('link', { name: /^Family car/ })).toHaveTextContent('3650 mV')
})

test('R-2.58 visible trackers with a position have a pin with name and state', async () => {
  await using page = await openAs('haruka@example.com', '/')
  const { screen } = page
  const map = await screen.findByRole('region', { name: 'Map' })
  await waitFor(() => expect(within(map).getAllByRole('button', { pressed: false }).length).toBeGreaterThan(0))
  expect(screen.getByRole('link', { name: '© OpenStreetMap contributors' })).toBeVisible()
})

test('choosing a tracker opens its card at its own address, and closing it leads back', async () => {
  await using page = await openAs('alice@example.com', '/')
  const { screen, user } = page
  await user.click(await screen.findByRole('link', { name: /^Misty/ }))
  const card = await screen.findByRole('article', { name: 'Misty' })
  expect(window.location.pathname).toMatch(/^\/trackers\/\d+$/)
  expect(within(card).getByText('Active until')).toBeVisible()
  expect(within(card).getByRole('link', { name: 'History' })).toHaveAttribute('href', `${window.location.pathname}/history`)
  await user.click(within(card).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
  expect(window.location.pathname).toBe('/')
})

test('Escape closes the card from anywhere on the screen, and returns to the row', async () => {
  await using page = await openAs('alice@example.com', '/trackers/2')
  const { screen, user } = page
  await screen.findByRole('article', { name: 'Misty' })
  ;(document.activeElement as HTMLElement).blur()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
  expect(screen.getByRole('link', { name: /^Misty/ })).toHaveFocus()
})

test('the list has a width that arrow keys change and the browser keeps', async () => {
  await using page = await openAs('alice@example.com', '/')
  const { screen, user } = page
  const line = await screen.findByRole('separator', { name: 'Width of the list' })
  expect(line).toHaveAttribute('aria-valuenow', '420')
  line.focus()
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(line).toHaveAttribute('aria-valuenow', '460')
  await user.keyboard('{Home}')
  expect([line.getAttribute('aria-valuenow'), localStorage.getItem('trackersWidth')]).toEqual(['320', '320'])
  await user.dblClick(line)
  expect(line).toHaveAttribute('aria-valuenow', '420')
})

test('a list as wide as a table becomes one', async () => {
  window.innerWidth = 1920
  try {
    await using page = await openAs('alice@example.com', '/')
    const line = await page.screen.findByRole('separator')
    line.focus()
    expect(page.screen.queryByRole('table')).toBeNull()
    await page.user.keyboard('{End}')
    expect(line).toHaveAttribute('aria-valuenow', '900')
    expect(await page.screen.findByRole('table', { name: /^Trackers/ })).toBeVisible()
    expect(page.screen.getByRole('region', { name: 'Map' })).toBeInTheDocument()
  } finally {
    window.innerWidth = 1024
  }
})

test('on a phone the list of /trackers is a raised sheet that can share several trackers', async () => {
  const matchMedia = vi
    .spyOn(window, 'matchMedia')
    .mockImplementation(
      (media) =>
        ({ media, matches: /max-width: (1000|1099|768)px\)$/.test(media), addEventListener() {}, removeEventListener() {} }) as never,
    )
  window.innerWidth = 390
  try {
    await using page = await openAs('alice@example.com', '/trackers', { features: [...FEATURES] })
    expect(await page.screen.findByRole('button', { name: 'Show less' })).toBeInTheDocument()
    expect(page.screen.queryByRole('table')).toBeNull()
    await page.user.click(await page.screen.findByRole('button', { name: 'Share' }))
    expect(await page.screen.findByRole('dialog')).toBeInTheDocument()
  } finally {
    window.innerWidth = 1024
    matchMedia.mockRestore()
  }
})

test('a card that was opened from the table leads back to the table', async () => {
  await using page = await openAs('alice@example.com', '/trackers')
  const { screen, user } = page
  await user.click(await screen.findByRole('link', { name: 'Misty' }))
  await user.click(within(await screen.findByRole('article', { name: 'Misty' })).getByRole('button', { name: 'Close' }))
  expect(await screen.findByRole('table')).toBeVisible()
  expect(window.location.pathname).toBe('/trackers')
})

test('search and chips filter the list', async () => {
  await using page = await openAs('alice@example.com', '/')
  const { screen, user } = page
  const list = await screen.findByRole('region', { name: 'List of trackers' })
  await user.type(screen.getByRole('textbox', { name: 'Search name, tag, address' }), 'misty')
  expect(within(list).getAllByRole('listitem')).toHaveLength(1)
  await user.keyboard('zzz')
  await user.click(screen.getByRole('button', { name: 'Show all' }))
  await user.click(screen.getByRole('button', { name: 'Lost 3' }))
  expect(within(list).getAllByRole('listitem')).toHaveLength(3)
})

test('R-3.10 R-3.14 the details of a dog collar show since when it is online and active', async () => {
  await using page = await openAs('alice@example.com', '/')
  const { screen, user } = page
  await user.click(await screen.findByRole('link', { name: /^Rex/ }))
  await user.click(await screen.findByText('Details'))
  expect(screen.getByText('Dog collar')).toBeVisible()
  expect(screen.getByText('Active collar since')).toBeVisible()
  expect(screen.getByText('10000000-01')).toBeVisible()
})

test("another account's tracker is not found, like one that does not exist", async () => {
  await using page = await openAs('alice@example.com', '/trackers/999999')
  const { screen } = page
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Tracker not found'))
})

test('an account without trackers sees how to continue', async () => {
  await using page = await openAs('dario@example.com', '/')
  const { screen, user } = page
  await user.click(await screen.findByRole('link', { name: 'Later' }))
  expect(await screen.findByText('No tracker yet')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Ask support for help' })).toHaveAttribute('href', 'mailto:support@example.com')
})

test('R-4.1 a banner mentions an unconfirmed e-mail address', async () => {
  await using page = await openAs('chloe@example.com', '/')
  const { screen } = page
  expect(await screen.findByText(/not confirmed yet/)).toBeVisible()
})

test('R-4.9 a banner mentions a deactivated network', async () => {
  await using page = await openAs('alice@example.com', '/')
  const { screen } = page
  expect(await screen.findByText(/1 tracker has been silent for over 90 days/)).toBeVisible()
})

test('R-7.29 a list that fails to load shows an error in place with a way to try again', async () => {
  await using portal = await startPortal()
  const broken = {
    ...portal,
    fetch: async (...[input, init]: Parameters<typeof fetch>) =>
      String(input).startsWith('/devices/?') ? new Response('', { status: 500 }) : portal.fetch(input, init),
  }
  const { screen } = await renderAt('/', { portal: broken, as: 'alice@example.com' })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
  expect(window.location.pathname).toBe('/')
})
