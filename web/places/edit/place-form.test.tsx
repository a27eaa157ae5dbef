import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { storage } from '#web/lib/storage.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { forgiven, swap, withHabit } from '#web/test/habits.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'
const PATH = '/tracker_places/'
const HOME = `/places/${SEED.places.home}`
const ADDRESS = '18 de Julio 1360'

const box = (name: RegExp) => screen.getByRole('textbox', { name })
const radius = () => screen.getByRole('spinbutton', { name: /^Radius in metres/ })
const slider = () => screen.getByRole('slider', { name: 'Radius' })
const save = () => screen.getByRole('button', { name: 'Save' })

const open = async (path: string, as = ALICE, config = {}) => {
  const page = await openAs(as, path, config)
  if (as === ALICE) await waitFor(() => expect(save()).toBeEnabled())
  return {
    ...page,
    async fill({ name = 'Vet', address = ADDRESS, type = 'Other' }: { name?: string; address?: string; type?: string }) {
      await page.user.type(box(/^Name/), name)
      await page.user.type(box(/^Address/), address)
      await page.user.click(screen.getByRole('radio', { name: type }))
    },
    places: async () => (await page.portal.call(ALICE, 'GET', PATH)).body as { name: string; address: string; lat: number; lng: number }[],
    sent: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  }
}

describe('R-2.61 creating a place', () => {
  test('R-1.9 R-3.31 a new place is located at its address with a radius of 200 metres and appears in the list', async () => {
    await using page = await open('/places/new')
    expect(radius()).toHaveValue(200)
    expect(screen.getByText(/^The address is found when you save/)).toBeVisible()
    await page.fill({})
    await page.user.click(screen.getByRole('checkbox', { name: 'Rex' }))
    await page.user.click(save())
    expect(await screen.findByText('Place created')).toBeVisible()
    expect(window.location.pathname).toBe('/places')
    expect(await screen.findByRole('link', { name: 'Vet' })).toBeVisible()
    const made = (await page.places()).find(({ name }) => name === 'Vet')
    expect(made).toMatchObject({ address: ADDRESS, type: 'other', radius: 200, devices: [SEED.devices.rex] })
  })

  test('R-3.30 R-5.13 a place has one of six types', async () => {
    await using _page = await open('/places/new')
    const types = screen.getByRole('group', { name: /^Type/ })
    expect(
      within(types)
        .getAllByRole('radio')
        .map((radio) => radio.closest('label')?.textContent),
    ).toEqual(['Home', 'School', 'Work', 'Shop / store', 'Warehouse', 'Other'])
  })

  test('R-5.6 R-3.28 R-3.29 missing fields are marked without a request', async () => {
    await using page = await open('/places/new')
    await page.user.click(save())
    expect(await screen.findByText('Please fill in all fields')).toBeVisible()
    expect(box(/^Name/)).toHaveFocus()
    expect(box(/^Address/)).toHaveAttribute('aria-invalid', 'true')
    for (const field of [box(/^Name/), box(/^Address/), screen.getByRole('group', { name: /^Type/ })]) {
      expect(field).toHaveAccessibleDescription('Still missing')
    }
    expect(page.sent()).toEqual([])
  })

  test('an address that cannot be found keeps the input', async () => {
    await using page = await open('/places/new')
    await page.fill({ address: 'Qwertz 12345' })
    await page.user.click(save())
    expect(await screen.findByText('We could not find this address. Check it, or choose the spot on the map.')).toBeVisible()
    expect(box(/^Address/)).toHaveFocus()
    expect(box(/^Name/)).toHaveValue('Vet')
  })

  test('a spot chosen on the map overrides the address, and the arrow keys move it', async () => {
    await using page = await open('/places/new')
    await page.fill({ address: 'Behind the old oak' })
    await page.user.click(await screen.findByRole('button', { name: 'Put the circle here' }))
    expect(await screen.findByText(/^You chose this spot yourself/)).toBeVisible()
    const centre = screen.getByRole('button', { name: /^Centre of the place/ })
    centre.focus()
    await page.user.keyboard('{ArrowUp}{Shift>}{ArrowRight}{/Shift}x')
    await page.user.click(save())
    await screen.findByText('Place created')
    expect((await page.places()).find(({ name }) => name === 'Vet')).toMatchObject({ address: 'Behind the old oak' })
  })

  test('R-3.29 a spot chosen on the map needs no typed address, and the field says so', async () => {
    await using page = await open('/places/new')
    expect(box(/^Address/)).toHaveAccessibleDescription('')
    await page.user.click(await screen.findByRole('button', { name: 'Put the circle here' }))
    expect(box(/^Address/)).toHaveAccessibleDescription(/^An address is optional/)
    await page.user.type(box(/^Name/), 'Barn')
    await page.user.click(screen.getByRole('radio', { name: 'Other' }))
    await page.user.click(save())
    await screen.findByText('Place created')
    const { address } = (await page.places()).find(({ name }) => name === 'Barn')!
    expect(address).toMatch(/^-?\d+\.\d{5}, -?\d+\.\d{5}$/)
  })

  test('R-7.27 a session that ends midway preserves the input and the chosen spot', async () => {
    await using page = await open('/places/new')
    await page.fill({ address: 'Behind the old oak' })
    await page.user.click(await screen.findByRole('button', { name: 'Put the circle here' }))
    storage.set('token', '0'.repeat(40))
    await page.user.click(save())
    await page.user.type(await screen.findByRole('textbox', { name: /E-mail or username/ }), ALICE)
    await page.user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'Demo-1234{Enter}')
    expect(await screen.findByText(/^You chose this spot yourself/)).toBeVisible()
    expect(box(/^Address/)).toHaveValue('Behind the old oak')
  })

  test('a click on the map chooses the spot, and the choice can be reverted to the address', async () => {
    await using page = await open('/places/new')
    await screen.findByRole('button', { name: 'Put the circle here' })
    // The map listens once its effects have run.
    await waitFor(() => {
      fireEvent.click(screen.getByRole('region', { name: 'Map' }))
      expect(screen.getByRole('button', { name: 'Use the address instead' })).toBeVisible()
    })
    await page.user.click(screen.getByRole('button', { name: 'Use the address instead' }))
    expect(screen.getByRole('button', { name: 'Put the circle here' })).toBeVisible()
    expect(screen.queryByText(/^You chose this spot/)).toBeNull()
  })

  test.each(['49', '10001', '99.5'])('R-3.31 a radius of %s is rejected at its field', async (typed) => {
    await using page = await open('/places/new')
    await page.fill({})
    await page.user.clear(radius())
    await page.user.type(radius(), typed)
    await page.user.click(save())
    expect(await screen.findByText('Enter a whole number from 50 to 10000')).toBeVisible()
    expect(page.sent()).toEqual([])
    fireEvent.change(slider(), { target: { value: '0' } })
    expect(radius()).toHaveValue(50)
    expect(screen.queryByText('Enter a whole number from 50 to 10000')).toBeNull()
  })

  test('the slider announces the radius in readable units', async () => {
    await using _page = await open('/places/new')
    expect(slider()).toHaveAttribute('aria-valuetext', '200 m')
    fireEvent.change(slider(), { target: { value: '100' } })
    expect(slider()).toHaveAttribute('aria-valuetext', '10 km')
    expect(radius()).toHaveValue(10_000)
  })

  test('R-3.32 all trackers can be selected and deselected at once', async () => {
    await using page = await open('/places/new')
    const all = await screen.findByRole('checkbox', { name: 'All trackers' })
    await page.user.click(all)
    for (const tick of screen.getAllByRole('checkbox')) expect(tick).toBeChecked()
    await page.user.click(screen.getByRole('checkbox', { name: 'Rex' }))
    expect(all).not.toBeChecked()
  })

  test('leaving with unsaved changes asks for confirmation', async () => {
    await using page = await open('/places/new')
    await page.user.type(box(/^Name/), 'V')
    await page.user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Places' }))
    expect(await screen.findByRole('dialog', { name: 'You have unsaved changes' })).toBeVisible()
    expect(window.location.pathname).toBe('/places/new')
  })
})

describe('R-1.9 changing a place', () => {
  test('the form shows the place and saves changes', async () => {
    await using page = await open(HOME)
    expect(screen.getByRole('heading', { name: 'Home' })).toBeVisible()
    expect(screen.getByRole('radio', { name: 'Home' })).toBeChecked()
    expect(await screen.findByRole('checkbox', { name: 'Misty' })).toBeChecked()
    const before = (await page.places()).find(({ name }) => name === 'Home')
    await page.user.clear(box(/^Name/))
    await page.user.type(box(/^Name/), 'Den')
    fireEvent.change(radius(), { target: { value: '350' } })
    await page.user.click(screen.getByRole('checkbox', { name: 'Misty' }))
    await page.user.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    const { rex, grandpa } = SEED.devices
    expect(await page.places()).toContainEqual({ ...before, name: 'Den', radius: 350, devices: [rex, grandpa] })
  })

  test('an unknown type is offered and sent back unchanged', async () => {
    await using portal = await startSyncedPortal()
    const server = withHabit(portal, swap('"type":"home"', '"type":"castle"'), swap('"castle"', '"home"'))
    const { user } = await renderAt(HOME, { portal: server, as: ALICE })
    expect(await screen.findByRole('radio', { name: 'Other (castle)' })).toBeChecked()
    await waitFor(() => expect(save()).toBeEnabled())
    await user.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(server.sent).toMatchObject([{ name: 'Home', type: 'castle' }])
    forgiven.splice(0)
  })

  test('a new address moves the place, which the form announces', async () => {
    await using page = await open(HOME)
    const before = (await page.places()).find(({ name }) => name === 'Home')
    await page.user.clear(box(/^Address/))
    await page.user.type(box(/^Address/), ADDRESS)
    expect(screen.getByText('The place moves to the new address when you save.')).toBeVisible()
    await page.user.click(save())
    await screen.findByText('Saved')
    const after = (await page.places()).find(({ name }) => name === 'Home')
    expect(after && before && distanceMeters(before, after)).toBeGreaterThan(100)
  })

  test('a spot chosen on the map overrides the address, and the choice can be undone', async () => {
    await using page = await open(HOME)
    const before = (await page.places()).find(({ name }) => name === 'Home')
    const centre = await screen.findByRole('button', { name: /^Centre of the place/ })
    centre.focus()
    await page.user.keyboard('{ArrowDown}')
    await page.user.click(await screen.findByRole('button', { name: 'Undo' }))
    centre.focus()
    await page.user.keyboard('{ArrowUp}')
    await page.user.click(save())
    await screen.findByText('Saved')
    const after = (await page.places()).find(({ name }) => name === 'Home')
    expect(after?.lat).toBeGreaterThan(before?.lat ?? 0)
    expect(after?.lng).toBeCloseTo(before?.lng ?? 0, 5)
  })

  test('a place that was deleted meanwhile keeps the input', async () => {
    await using page = await open(HOME)
    await page.portal.call(ALICE, 'DELETE', `${PATH}${SEED.places.home}/`)
    await page.user.type(box(/^Name/), '!')
    await page.user.click(save())
    expect(await screen.findByText('Place not found')).toBeVisible()
    expect(box(/^Name/)).toHaveValue('Home!')
  })
})

describe('place form states', () => {
  test('the form is not shown until the place is loaded', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [PATH]: () => new Promise(() => {}) })
    await renderAt(HOME, { portal: server, as: ALICE })
    expect(await screen.findByText('Loading…')).toBeInTheDocument()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  test('a place that cannot be loaded shows an error and can be retried', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [PATH]: respondWith(500) })
    const { user } = await renderAt(HOME, { portal: server, as: ALICE })
    expect(await screen.findByText('We could not load this.')).toBeVisible()
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Home' })).toBeVisible()
  })

  test.each(['999999', 'nonsense', '1e3'])('%s shows that the place does not exist', async (id) => {
    await using _page = await openAs(ALICE, `/places/${id}`)
    expect(await screen.findByRole('heading', { name: 'Place not found' })).toBeVisible()
    expect(screen.getByRole('main').querySelector('a')).toHaveAttribute('href', '/places')
  })

  test.each(['/places/new', HOME])('a read-only user can change nothing at %s', async (path) => {
    await using _page = await open(path, 'support@example.com')
    expect(await screen.findByText('You can view places but not change them.')).toBeVisible()
    await waitFor(() => expect(save()).toBeDisabled())
    expect(box(/^Name/)).toBeDisabled()
  })
})

describe('addresses while a place is made', () => {
  test('addresses are suggested while typing, and a chosen one sets its point', async () => {
    await using page = await open('/places/new', ALICE, { features: [...FEATURES] })
    await page.user.type(box(/^Name/), 'Vet')
    const field = screen.getByRole('combobox', { name: /^Address/ })
    await page.user.type(field, 'Ellauri 35')
    expect((await screen.findAllByRole('option'))[0]).toHaveTextContent(/Ellauri/)
    await page.user.keyboard('{ArrowDown}{Enter}')
    expect(field).toHaveDisplayValue(/Ellauri.*\d/)
    expect(screen.queryByRole('listbox')).toBeNull()
    await page.user.click(screen.getByRole('radio', { name: 'Other' }))
    await page.user.click(save())
    expect(await screen.findByText('Place created')).toBeVisible()
  })

  test('placing the circle on the map fills in its address, and a button restores the typed address', async () => {
    await using page = await open('/places/new', ALICE, { features: [...FEATURES] })
    const field = screen.getByRole('combobox', { name: /^Address/ })
    await page.user.type(field, 'Behind the barn')
    await page.user.click(await screen.findByRole('button', { name: 'Put the circle here' }))
    const keep = await screen.findByRole('button', { name: 'Keep “Behind the barn”' })
    expect(field).not.toHaveValue('Behind the barn')
    await page.user.click(keep)
    expect(field).toHaveValue('Behind the barn')
  })
})
