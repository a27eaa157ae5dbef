import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { previewText } from '#web/places/import/csv-preview.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'
const PATH = '/tracker_places/'

const open = async (as = ALICE) => {
  const page = await openAs(as, '/places')
  const list = await screen.findByRole('list', { name: 'Places' })
  const line = (name: string) => {
    const element = within(list).getByRole('link', { name }).closest('li')
    if (!element) throw new Error(name)
    return within(element)
  }
  return {
    ...page,
    list: within(list),
    line,
    changes: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  }
}

describe('R-2.60 list of places', () => {
  test('each place shows name, address, type, radius and tracker names', async () => {
    await using page = await open()
    expect(page.list.getAllByRole('link', { name: /^[^:]+$/ }).map(({ textContent }) => textContent)).toEqual([
      'Cabin',
      'Corner shop',
      'Depot',
      'Home',
      'Office',
      'School',
    ])
    const home = page.line('Home')
    const { body } = await page.portal.call(ALICE, 'GET', `${PATH}${SEED.places.home}/`)
    expect(home.getByText(body.address)).toBeVisible()
    expect(home.getByText('Home', { selector: 'span' })).toBeVisible()
    expect(home.getByText('200 m')).toBeVisible()
    const trackers = within(await home.findByRole('list', { name: 'Enabled trackers' }))
    expect(trackers.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Misty', 'Rex', 'Grandpa'])
    expect(page.line('Cabin').getByText('10 km')).toBeVisible()
    expect(page.line('School').getByText('No tracker enabled')).toBeVisible()
    expect(page.line('Corner shop').getByText('Shop / store')).toBeVisible()
  })

  test('more than three trackers are counted, and the full list is available to screen readers and as a tooltip', async () => {
    const portal = await startSyncedPortal()
    await using _portal = portal
    const { familyCar, rex, misty, grandpa, cityBike } = SEED.devices
    await portal.call(ALICE, 'PATCH', `${PATH}${SEED.places.home}/`, { devices: [familyCar, rex, misty, grandpa, cityBike] })
    await renderAt('/places', { portal, as: ALICE })
    expect(await screen.findByText('+2')).toBeVisible()
    expect(screen.getByTitle(/^[^,]+, [^,]+$/)).toBeVisible()
  })

  test('selecting a pin selects its row and vice versa', async () => {
    await using page = await open()
    const pin = await screen.findByRole('button', { name: 'Office' })
    await page.user.click(pin)
    expect(pin).toHaveAttribute('aria-pressed', 'true')
    expect(page.line('Office').getByRole('button', { name: 'Show on the map: Office' })).toHaveAttribute('aria-pressed', 'true')
    await page.user.click(page.line('Home').getByRole('button', { name: 'Show on the map: Home' }))
    expect(screen.getByRole('button', { name: 'Home' })).toHaveAttribute('aria-pressed', 'true')
    expect(pin).toHaveAttribute('aria-pressed', 'false')
  })

  test('the list links to a new place, to the import and to each place', async () => {
    await using page = await open()
    expect(screen.getByRole('link', { name: 'New place' })).toHaveAttribute('href', '/places/new')
    expect(screen.getByRole('link', { name: 'Import places' })).toHaveAttribute('href', '/places/import')
    expect(page.line('Home').getByRole('link', { name: 'Edit: Home' })).toHaveAttribute('href', `/places/${SEED.places.home}`)
  })
})

test('places are exported as a file that the import reads', async () => {
  await using page = await open()
  const saved: Blob[] = []
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => String(saved.push(blob)), revokeObjectURL() {} }))
  await page.user.click(await screen.findByRole('button', { name: 'Export places' }))
  const preview = previewText(await saved[0]!.text())
  expect(preview).toMatchObject({ bad: 0 })
  const { body } = await page.portal.call(ALICE, 'GET', PATH)
  expect('rows' in preview && preview.rows.map(({ texts }) => texts)).toEqual(
    body.map(({ name, address }: { name: string; address: string }) => [name, address]),
  )
})

describe('states of the place list', () => {
  test('an empty list says "No place yet" and offers the next step', async () => {
    await using _page = await openAs('dario@example.com', '/places')
    expect(await screen.findByRole('heading', { name: 'No place yet' })).toBeVisible()
    expect(await screen.findByRole('link', { name: 'New place' })).toBeVisible()
  })

  test('a list that cannot be loaded shows an error and can be retried', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [PATH]: respondWith(500) })
    const { user } = await renderAt('/places', { portal: server, as: ALICE })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.'))
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('link', { name: 'Office' })).toBeVisible()
  })

  test('a read-only user gets no buttons that change places', async () => {
    await using page = await open('support@example.com')
    expect(page.list.getAllByRole('listitem').length).toBeGreaterThan(6)
    expect(screen.queryByRole('link', { name: 'New place' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
  })
})

describe('R-2.63 deleting a place', () => {
  const ask = async (page: Awaited<ReturnType<typeof open>>, name: string) => {
    await page.user.click(page.line(name).getByRole('button', { name: `Delete: ${name}` }))
    return within(await screen.findByRole('dialog', { name: `Delete the place “${name}”?` }))
  }

  test('R-1.9 the confirmation lists the alerts of the place, and both are deleted', async () => {
    await using page = await open()
    const dialog = await ask(page, 'Home')
    expect(await dialog.findByText('These 2 alerts are deleted with it:')).toBeVisible()
    expect(dialog.getAllByRole('listitem')).toHaveLength(2)
    await page.user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Place deleted')).toBeVisible()
    expect(page.list.queryByRole('link', { name: 'Home' })).toBeNull()
    expect(page.changes()).toEqual([`DELETE ${PATH}${SEED.places.home}/`])
    expect((await page.portal.call(ALICE, 'GET', '/tracker_alerts/')).body).toHaveLength(2)
  })

  test('a place without alerts is confirmed without mentioning alerts, and cancelling deletes nothing', async () => {
    await using page = await open()
    const dialog = await ask(page, 'School')
    await waitFor(() => expect(dialog.queryByText(/alerts/)).toBeNull())
    await page.user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(page.line('School').getByText('50 m')).toBeVisible()
    expect(page.changes()).toEqual([])
  })

  test('a place that was already deleted is treated as deleted', async () => {
    await using page = await open()
    await page.portal.call(ALICE, 'DELETE', `${PATH}${SEED.places.school}/`)
    const dialog = await ask(page, 'School')
    await page.user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Place deleted')).toBeVisible()
  })

  test('a failed deletion shows an error and keeps the place', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [`${PATH}${SEED.places.home}/`]: respondWith(500), '/tracker_alerts/': respondWith(500) })
    const { user } = await renderAt('/places', { portal: server, as: ALICE })
    await user.click(await screen.findByRole('button', { name: 'Delete: Home' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('The alerts of this place are deleted with it.')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await dialog.findByText('Something went wrong, please try again')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Home' })).toBeInTheDocument()
  })
})
