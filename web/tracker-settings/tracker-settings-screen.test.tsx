import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { storage } from '#web/lib/storage.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { forgiven, swap, withHabit } from '#web/test/habits.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'

const ALICE = 'alice@example.com'

const open = async (id: number, as = ALICE) => {
  const page = await openAs(as, `/trackers/${id}/settings`)
  const mode = within(await screen.findByRole('region', { name: 'Mode' }))
  return {
    ...page,
    mode,
    about: within(screen.getByRole('region', { name: 'About the tracker' })),
    save: () => page.user.click(screen.getByRole('button', { name: 'Save' })),
    levels: () => mode.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent),
    config: async () => (await page.portal.call(ALICE, 'GET', `/devices/${id}/tracker_config/`)).body,
    changes: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  }
}

describe('R-2.75 tracker mode', () => {
  test('R-9.17 each level shows how often it reports and its battery use', async () => {
    await using page = await open(1)
    expect(page.levels()).toEqual([
      'StandardReports every hourBattery use: Low',
      'HighReports every 20 to 30 minutesBattery use: Medium',
      'IntenseReports every 10 minutesBattery use: High',
    ])
    expect(page.mode.getByRole('radio', { name: /^Standard/ })).toBeChecked()
    expect(page.mode.queryByRole('checkbox', { name: /^Vehicle alert/ })).toBeNull()
  })

  test('R-9.6 a stationary tracker reports every 4 hours', async () => {
    await using page = await open(2)
    expect(page.mode.getByText('A stationary tracker reports its position every 4 hours.')).toBeVisible()
  })

  test('R-4.3 a changed mode is pending until the tracker reports, then it is active', async () => {
    await using page = await open(2)
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    await page.user.click(page.mode.getByRole('radio', { name: /^Intense/ }))
    await page.save()
    expect(await page.mode.findByRole('status')).toHaveTextContent('Settings sending')
    expect(await page.config()).toMatchObject({ mode: 23, pending_mode: 22, mode_state: 'sending' })
    const message = { serial: 'ALICE0000002', positions: [] }
    await page.portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })
    await queryClient.invalidateQueries({ queryKey: trackerKeys.devices })
    await waitFor(() => expect(page.mode.queryByRole('status')).toBeNull())
    expect(page.mode.getByRole('radio', { name: /^Intense/ })).toBeChecked()
  })

  test('the vehicle alert is combined with the level of a vehicle', async () => {
    await using page = await open(4)
    const alert = page.mode.getByRole('checkbox', { name: /^Vehicle alert/ })
    expect(alert).toBeChecked()
    await page.user.click(alert)
    await page.save()
    expect(await page.mode.findByText('High will apply at the next communication.')).toBeVisible()
    expect(await page.config()).toMatchObject({ mode: 10, pending_mode: 3 })
  })

  test('R-4.12 plane mode hides the levels, and leaving it requires choosing one', async () => {
    await using page = await open(5)
    expect(page.mode.queryByRole('radio')).toBeNull()
    await page.user.click(page.mode.getByRole('checkbox', { name: /^Plane mode/ }))
    await page.user.click(page.mode.getByRole('radio', { name: /^High/ }))
    await page.save()
    await page.mode.findByRole('status')
    expect(await page.config()).toMatchObject({ mode: 4, pending_mode: 3 })
  })

  test('lost mode of a cat uses the code for animals', async () => {
    await using page = await open(2)
    await page.user.click(page.mode.getByRole('checkbox', { name: /^Lost mode/ }))
    expect(page.mode.queryByRole('radio')).toBeNull()
    await page.save()
    await page.mode.findByRole('status')
    expect(await page.config()).toMatchObject({ pending_mode: 27 })
  })

  test('R-4.16 a configurable tracker links to its parameters', async () => {
    await using page = await open(10)
    expect(page.mode.getByRole('link', { name: /^Configurable mode/ })).toHaveAttribute('href', '/config_sct2?id=10')
    expect(page.mode.queryByRole('radio')).toBeNull()
  })

  test('an unknown mode stays until another is chosen', async () => {
    await using portal = await startSyncedPortal()
    const server = withHabit(portal, swap('"mode":23,', '"mode":99,'), String)
    const { user } = await renderAt('/trackers/2/settings', { portal: server, as: ALICE })
    const unknown = await screen.findByRole('radio', { name: 'Unknown mode (99)' })
    expect(unknown).toBeChecked()
    await user.click(screen.getByRole('radio', { name: /^Standard/ }))
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
    await user.click(unknown)
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  test.each([
    [400, 'mode_not_allowed', /cannot use this mode/],
    [409, 'subscription_required', /need an active subscription/],
    [500, 'server_error', 'Something went wrong, please try again'],
  ])('a mode refused with %i %s shows the reason and stays selected', async (status, code, sentence) => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { '/devices/2/tracker_config/': respondWith(status, JSON.stringify({ detail: '', code })) })
    const { user } = await renderAt('/trackers/2/settings', { portal: server, as: ALICE })
    await user.click(await screen.findByRole('radio', { name: /^Intense/ }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(screen.getByRole('radio', { name: /^Intense/ })).toBeChecked()
  })

  test.each([
    [18, ALICE, /need an active subscription/],
    [1, 'support@example.com', /view everything but change nothing/],
  ])('the mode of tracker %i is read-only for %s', async (id, as, why) => {
    await using page = await open(id, as)
    expect(page.mode.getByText(why)).toBeVisible()
    for (const radio of page.mode.getAllByRole('radio')) expect(radio).toBeDisabled()
  })
})

describe('tracker name, kind, tag and visibility', () => {
  test('R-3.2 R-3.4 name, kind, tag and visibility are saved and confirmed', async () => {
    await using page = await open(2)
    const name = page.about.getByLabelText(/^Name/)
    await page.user.clear(name)
    await page.user.type(name, 'Mimi')
    await page.user.click(page.about.getByRole('radio', { name: 'Dog' }))
    await page.about.findByRole('option', { name: 'Stolen' })
    await page.user.selectOptions(page.about.getByRole('combobox', { name: 'Tag' }), 'Stolen')
    await page.user.click(page.about.getByRole('checkbox', { name: /^Show on the map/ }))
    await page.save()
    expect(await screen.findByText('Saved')).toBeVisible()
    const { body } = await page.portal.call(ALICE, 'GET', '/devices/2/')
    expect(body).toMatchObject({ name: 'Mimi', kind: 'dog', tag: { name: 'Stolen' }, visible: false })
    expect(screen.getByRole('link', { name: 'Mimi' })).toHaveAttribute('href', '/trackers/2')
  })

  test('an unknown kind is offered and sent back unchanged', async () => {
    await using portal = await startSyncedPortal()
    const server = withHabit(portal, swap('"kind":"cat"', '"kind":"ferret"'), swap('"ferret"', '"cat"'))
    const { user } = await renderAt('/trackers/2/settings', { portal: server, as: ALICE })
    expect(await screen.findByRole('radio', { name: 'Other (ferret)' })).toBeChecked()
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), '!')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(server.sent).toMatchObject([{ name: 'Misty!', kind: 'ferret' }])
    forgiven.splice(0)
  })

  test('R-5.6 an empty name is rejected', async () => {
    await using page = await open(2)
    await page.user.clear(page.about.getByLabelText(/^Name/))
    await page.save()
    expect(await page.about.findByText('Please fill in all fields')).toBeVisible()
    expect(page.changes()).toEqual([])
  })

  test('R-3.18 the board name of the last opened settings is stored', async () => {
    await using _page = await open(10)
    expect(storage.get('boardName')).toBe('SCT2-01')
  })
})

describe('removing a tracker', () => {
  const ask = async (page: Awaited<ReturnType<typeof open>>) => {
    await page.user.click(screen.getByRole('button', { name: 'Remove tracker' }))
    return within(await screen.findByRole('dialog'))
  }

  test('a tracker is removed after a confirmation', async () => {
    await using page = await open(2)
    const dialog = await ask(page)
    expect(dialog.getByRole('heading', { name: 'Remove Misty?' })).toBeVisible()
    expect(page.changes()).toEqual([])
    await page.user.click(dialog.getByRole('button', { name: 'Remove tracker' }))
    expect(await screen.findByText('Tracker removed')).toBeVisible()
    expect(await screen.findByRole('table')).toBeVisible()
    expect(screen.queryByText('Misty')).toBeNull()
  })

  test('a tracker with a recurring subscription is not removed, and the dialog shows the reason', async () => {
    await using page = await open(1)
    const dialog = await ask(page)
    await page.user.click(dialog.getByRole('button', { name: 'Remove tracker' }))
    expect(await dialog.findByText(/renews automatically/)).toBeVisible()
  })

  test('a team member can change trackers but not remove them', async () => {
    await using portal = await startSyncedPortal()
    const [own] = (await portal.call('member@pro.example.com', 'GET', '/devices/?type=tracker')).body
    await renderAt(`/trackers/${own.id}/settings`, { portal, as: 'member@pro.example.com' })
    expect(await screen.findByRole('textbox', { name: /^Name/ })).toBeEnabled()
    expect(screen.queryByRole('button', { name: 'Remove tracker' })).toBeNull()
  })
})

describe('one bar saves what has changed', () => {
  test('a changed name and a new mode are saved with one button', async () => {
    await using page = await open(2)
    await page.user.type(page.about.getByLabelText(/^Name/), '!')
    await page.user.click(page.mode.getByRole('radio', { name: /^Intense/ }))
    expect(screen.getByText('You have unsaved changes', { selector: 'p' })).toBeVisible()
    await page.save()
    await waitFor(() => expect(page.changes().toSorted()).toEqual(['PATCH /devices/2/', 'PATCH /devices/2/tracker_config/']))
    await waitFor(() => expect(screen.queryByText('You have unsaved changes', { selector: 'p' })).toBeNull())
  })

  test('discarding restores what is saved', async () => {
    await using page = await open(2)
    await page.user.type(page.about.getByLabelText(/^Name/), '!')
    await page.user.click(screen.getByRole('button', { name: 'Discard changes' }))
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('Misty')
    expect(screen.queryByText('You have unsaved changes', { selector: 'p' })).toBeNull()
    expect(page.changes()).toEqual([])
  })
})

describe('tabs', () => {
  const openTabs = (path: string) => openAs(ALICE, path, { features: [...FEATURES] })

  test('arrow keys move through the tabs, and the address names the tab', async () => {
    await using page = await openTabs('/trackers/2/settings')
    await page.user.click(await screen.findByRole('tab', { name: 'Tracker' }))
    await page.user.keyboard('{ArrowRight}')
    expect(screen.getByRole('tab', { name: 'Alerts' })).toHaveFocus()
    expect(location.search).toBe('?tab=alerts')
    expect(await screen.findByRole('region', { name: 'Low battery alert' })).toBeVisible()
    await page.user.keyboard('{End}')
    expect(await screen.findByRole('region', { name: 'Numbers on networks' })).toBeVisible()
  })

  test('an address with a tab opens it', async () => {
    await using _ = await openTabs('/trackers/1/settings?tab=alerts')
    expect(await screen.findByText('When Rex or Misty enters Home, tell Bob.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'New alert' })).toHaveAttribute('href', '/alerts/new?tracker=1')
    expect(screen.queryByRole('region', { name: 'Mode' })).toBeNull()
  })

  test('what was typed stays in another tab, which is marked', async () => {
    await using page = await openTabs('/trackers/2/settings')
    await page.user.type(await screen.findByRole('textbox', { name: /^Name/ }), '!')
    await page.user.click(screen.getByRole('tab', { name: 'Alerts' }))
    await page.user.click(screen.getByRole('tab', { name: 'Tracker You have unsaved changes' }))
    expect(await screen.findByRole('textbox', { name: /^Name/ })).toHaveValue('Misty!')
  })

  test('a backend without alerts and numbers has one tab', async () => {
    await using _ = await openAs(ALICE, '/trackers/2/settings', { features: ['settings'] })
    await screen.findByRole('region', { name: 'Mode' })
    expect(screen.queryByRole('tab')).toBeNull()
  })
})

test('a tracker of another account is not found', async () => {
  await using _page = await openAs('bruno@example.com', '/trackers/1/settings')
  expect(await screen.findByRole('heading', { name: 'Tracker not found' })).toBeVisible()
})

test('the tracker card links to the settings', async () => {
  await using page = await openAs(ALICE, '/trackers/1')
  await page.user.click(await screen.findByRole('link', { name: 'Tracker settings' }))
  expect(await screen.findByRole('heading', { name: 'Tracker settings' })).toBeVisible()
})
