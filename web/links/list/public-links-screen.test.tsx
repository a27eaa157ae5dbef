import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const [REX, MISTY, BIKE] = [1, 2, 3]
const FULL = 'You cannot create more than 5 links per Tracker'
type Stored = { uuid: string; label: string; device: number; device_name: string }

/** Opens the page of all links; `stored` reads them from the server. */
async function openLinks(path = '/public_links', as = ALICE) {
  const page = await openAs(as, path)
  const group = async (name: string) => within(await screen.findByRole('region', { name }))
  return {
    ...page,
    group,
    stored: async () => (await page.portal.call(ALICE, 'GET', '/tracker_public_share_links/')).body as Stored[],
    changes: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  }
}

const shown = () =>
  screen
    .queryAllByRole('listitem')
    .map((line) => line.querySelector('a')?.textContent)
    .sort()

test('where five links are too many, those that have expired are deleted with one button', async () => {
  await using page = await openLinks()
  await page.group('City bike')
  await page.user.click(screen.getByRole('button', { name: 'New link' }))
  const dialog = within(await screen.findByRole('dialog'))
  await page.user.selectOptions(await dialog.findByRole('combobox', { name: 'Tracker' }), 'City bike')
  expect(await dialog.findByText(FULL)).toBeVisible()
  await page.user.click(dialog.getByRole('button', { name: 'Delete expired links' }))
  await waitFor(() => expect(dialog.queryByText(FULL)).toBeNull())
  expect((await page.stored()).filter(({ device }) => device === BIKE)).toHaveLength(4)
  expect(dialog.getByRole('button', { name: 'Create link' })).toBeEnabled()
})

describe.each(['/public_links', '/app/public_links'])('R-2.40 %s', (path) => {
  test('every link of the account is listed under its tracker', async () => {
    await using page = await openLinks(path)
    await page.group('City bike')
    const stored = await page.stored()
    expect(shown()).toEqual(stored.map(({ label }) => label).sort())
    for (const name of new Set(stored.map(({ device_name }) => device_name))) {
      const own = stored.filter(({ device_name }) => device_name === name)
      expect((await page.group(name)).getAllByRole('listitem')).toHaveLength(own.length)
      expect((await page.group(name)).getByText(`${own.length} of 5 links`)).toBeVisible()
    }
  })

  test('?id= shows the links of one tracker until the filter is reset', async () => {
    await using page = await openLinks(`${path}?id=${REX}`)
    await page.group('Rex')
    expect(shown()).toEqual(['Dog sitter'])
    await page.user.click(screen.getByRole('button', { name: /^Only links of Rex/ }))
    await page.group('City bike')
    expect(shown()).toHaveLength((await page.stored()).length)
  })
})

test('R-1.5 R-2.40 inside the app the page has no navigation bar and no links to other portal pages', async () => {
  await using page = await openLinks('/app/public_links')
  await page.group('City bike')
  expect(screen.queryByRole('navigation')).toBeNull()
  for (const link of screen.getAllByRole('link')) {
    expect(link).toHaveAttribute('href', expect.stringContaining('/pub/trackers?token='))
    expect(link).not.toHaveAttribute('target')
  }
})

describe('public link', () => {
  test.each([
    ['For the cycling club', /Until Mar 9, 2026/],
    ['Weekend tour', /Expired/],
    ['Family', /Permanent/],
    ['Where is my bike', /Until Dec 31, 2100/],
    ['For the grandchildren', /Permanent/],
  ])('R-3.57 R-9.4 the link %s shows its end', async (name, words) => {
    await using page = await openLinks()
    const line = (await page.group('City bike')).getByRole('link', { name }).closest('li')
    expect(line).toHaveTextContent(words)
  })

  test('R-1.12 a copied link is confirmed and is in the clipboard', async () => {
    await using page = await openLinks()
    const rex = await page.group('Rex')
    await page.user.click(rex.getByRole('button', { name: 'Copy link: Dog sitter' }))
    expect(await rex.findByText('Copied')).toHaveAttribute('role', 'status')
    const link = (await page.stored()).find(({ label }) => label === 'Dog sitter')
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/pub/trackers?token=${link?.uuid}`)
  })

  test('a link has a QR code and a URL to select', async () => {
    await using page = await openLinks()
    await page.user.click((await page.group('Rex')).getByRole('button', { name: 'QR code of the link Dog sitter' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Dog sitter' }))
    expect(await dialog.findByRole('img', { name: 'QR code of the link Dog sitter' })).toBeVisible()
    expect(dialog.getByText(/\/pub\/trackers\?token=/)).toBeVisible()
  })

  test('R-7.8 a link deleted after a confirmation stops working', async () => {
    await using page = await openLinks()
    await page.user.click((await page.group('Rex')).getByRole('button', { name: 'Delete link: Dog sitter' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete the link “Dog sitter”?' }))
    await page.user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(page.changes()).toEqual([])
    await page.user.click((await page.group('Rex')).getByRole('button', { name: 'Delete link: Dog sitter' }))
    await page.user.click(screen.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Rex' })).toBeNull())
    expect((await page.stored()).map(({ label }) => label)).not.toContain('Dog sitter')
  })

  test('deleting a link that is already gone removes it from the list', async () => {
    await using page = await openLinks()
    const rex = await page.group('Rex')
    const link = (await page.stored()).find(({ label }) => label === 'Dog sitter')
    await page.portal.call(ALICE, 'DELETE', `/tracker_public_share_links/${link?.uuid}/`)
    await page.user.click(rex.getByRole('button', { name: 'Delete link: Dog sitter' }))
    await page.user.click(screen.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Rex' })).toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('new link', () => {
  test('R-9.3 a link is created for the chosen tracker and then shown ready to be sent', async () => {
    await using page = await openLinks()
    await page.group('City bike')
    await page.user.click(screen.getByRole('button', { name: 'New link' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New link' }))
    await page.user.selectOptions(await dialog.findByRole('combobox', { name: 'Tracker' }), 'Misty')
    await page.user.clear(dialog.getByRole('textbox', { name: /^Name of the link/ }))
    await page.user.type(dialog.getByRole('textbox', { name: /^Name of the link/ }), 'For the vet')
    await page.user.click(dialog.getByRole('radio', { name: 'Permanent' }))
    await page.user.click(dialog.getByRole('radio', { name: 'Everything' }))
    await page.user.click(dialog.getByRole('button', { name: 'Create link' }))
    expect(await dialog.findByRole('img', { name: 'QR code of the link For the vet' })).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Copy link' })).toHaveFocus()
    await page.user.click(dialog.getAllByRole('button', { name: 'Close' })[0]!)
    const line = await (await page.group('Misty')).findByRole('link', { name: 'For the vet' })
    expect(line.closest('li')).toHaveTextContent('All positionsPermanent')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await page.stored()).find(({ label }) => label === 'For the vet')).toMatchObject({
      device: MISTY,
      permanent: true,
      expiry: null,
      start_date: null,
    })
  })

  test('R-5.9 R-8.23 a tracker with five links gets no sixth', async () => {
    await using page = await openLinks(`/public_links?id=${BIKE}`)
    await page.group('City bike')
    await page.user.click(screen.getByRole('button', { name: 'New link' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New link' }))
    expect(await dialog.findByRole('combobox', { name: 'Tracker' })).toHaveDisplayValue('City bike')
    expect(dialog.getByRole('alert')).toHaveTextContent(FULL)
    expect(dialog.getByRole('button', { name: 'Create link' })).toBeDisabled()
    await page.user.selectOptions(dialog.getByRole('combobox'), 'Misty')
    expect(dialog.getByRole('button', { name: 'Create link' })).toBeEnabled()
  })

  test('R-5.9 R-8.23 the server refuses a link when the fifth was created elsewhere meanwhile', async () => {
    await using page = await openLinks(`/public_links?id=${REX}`)
    await page.group('Rex')
    await page.user.click(screen.getByRole('button', { name: 'New link' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New link' }))
    await page.user.type(await dialog.findByRole('textbox', { name: /^Name of the link/ }), 'Sixth')
    for (const label of ['b', 'c', 'd', 'e'])
      await page.portal.call(ALICE, 'POST', `/devices/${REX}/public_share_link/`, { label, permanent: true })
    await page.user.click(dialog.getByRole('button', { name: 'Create link' }))
    expect(await dialog.findByText(FULL)).toBeVisible()
    await waitFor(() => expect(shown()).toHaveLength(5))
  })
})

describe('states of the link list', () => {
  test('an empty list offers to create the first link', async () => {
    await using page = await openLinks('/public_links', 'bruno@example.com')
    expect(await screen.findByRole('heading', { name: 'No link yet' })).toBeVisible()
    await page.user.click(await screen.findByRole('button', { name: 'New link' }))
    expect(await screen.findByRole('dialog', { name: 'New link' })).toBeVisible()
  })

  test('a user without trackers sees a message instead of the form', async () => {
    await using page = await openLinks('/public_links', 'taken@example.com')
    await page.user.click(await screen.findByRole('button', { name: 'New link' }))
    expect(await screen.findByText('No tracker yet')).toBeVisible()
  })

  test('support sees the links without their addresses and can neither create nor delete any', async () => {
    await using page = await openLinks('/public_links', 'support@example.com')
    await page.group('City bike')
    expect(screen.getByText('Dog sitter')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Dog sitter' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^(New link|Delete link|Copy link|QR code)/ })).toBeNull()
  })

  test('R-7.29 a failure stays on the page and can be retried', async () => {
    await using portal = await startPortal()
    let answer: ((response: Response) => void) | undefined
    const server = withFaults(portal, { '/tracker_public_share_links/': () => new Promise<Response>((resolve) => (answer = resolve)) })
    const { user } = await renderAt('/public_links', { portal: server, as: ALICE })
    await waitFor(() => expect(answer).toBeDefined())
    expect(await screen.findByText('Loading…')).toBeInTheDocument()
    answer?.(new Response('{}', { status: 500 }))
    expect(await screen.findByText('We could not load this.')).toBeVisible()
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('region', { name: 'Rex' })).toBeVisible()
  })

  test('a backend without the list of all links is queried tracker by tracker', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/tracker_public_share_links/': respondWith(404) })
    await renderAt('/public_links', { portal: server, as: ALICE })
    await screen.findByRole('region', { name: 'City bike' })
    const { body } = await portal.call(ALICE, 'GET', '/tracker_public_share_links/')
    expect(shown()).toEqual((body as Stored[]).map(({ label }) => label).sort())
  })
})
