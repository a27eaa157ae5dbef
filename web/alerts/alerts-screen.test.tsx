import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'

const ALL = { features: [...FEATURES] }

const open = async (as = ALICE, config: { features?: string[] } = {}) => {
  const page = await openAs(as, '/alerts', config)
  await screen.findByRole('heading', { level: 1, name: /^Alerts/ })
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  return { ...page, rows: () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent) }
}

describe('R-2.64 list of alerts', () => {
  test('alerts are listed as sentences with their names, the newest first', async () => {
    await using page = await open()
    expect(page.rows()).toEqual([
      expect.stringMatching(/^When City bike leaves Cabin, tell Bob and Carol\.Bike at the cabinOff since Feb 26/),
      'When City bike or Family car starts to move, tell Carol.Vehicles',
      'When Rex leaves Home, tell Bob and Carol.Rex is off',
      'When Rex or Misty enters Home, tell Bob.Back home',
    ])
  })

  test('an alert for both a geofence and a vehicle has two sentences', async () => {
    await using page = await open()
    const { body } = await page.portal.call(ALICE, 'GET', '/tracker_alerts/')
    const { id, devices } = body[2]
    const change = { name: null, devices: [devices[1]], place: body[0].place, trigger: 'leave' }
    await page.portal.call(ALICE, 'PATCH', `/tracker_alerts/${id}/`, change)
    page.unmount()
    await renderAt('/alerts', { portal: page.portal, as: ALICE })
    const row = (await screen.findAllByRole('listitem'))[1]
    expect(row).toHaveTextContent(/^When .* leaves Home, tell Carol\.When .* starts to move, tell Carol\.$/)
  })

  test.each([
    ['de', 'Wenn Rex den Ort Home verlässt, werden Bob und Carol benachrichtigt.'],
    ['fr', 'Quand Rex quitte la zone Home, prévenir Bob et Carol.'],
    ['cs', 'Když Rex opustí místo Home, zprávu dostanou Bob a Carol.'],
    ['ja', 'RexがHomeを離れたら、Bob、Carolに知らせます。'],
  ])('R-1.2 in %s an alert reads “%s”', async (language, sentence) => {
    await using portal = await startSyncedPortal()
    await renderAt('/alerts', { portal, as: ALICE, languages: [language] })
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  test('an empty list explains alerts and links to the first one', async () => {
    await using page = await open('george@example.com')
    expect(await screen.findByText('No alert yet')).toBeVisible()
    await page.user.click(screen.getByRole('link', { name: 'New alert' }))
    expect(await screen.findByRole('button', { name: 'Create alert' })).toBeVisible()
  })

  test('the edit button opens the alert', async () => {
    await using page = await open()
    await page.user.click(screen.getByRole('link', { name: 'Edit: Rex is off' }))
    expect(await screen.findByRole('textbox', { name: /^Name of the alert/ })).toHaveValue('Rex is off')
  })
})

describe('R-2.65 deleting an alert', () => {
  test('a confirmed deletion repeats the sentence and removes the alert for good', async () => {
    await using page = await open()
    await page.user.click(screen.getByRole('button', { name: 'Delete: Back home' }))
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByText('When Rex or Misty enters Home, tell Bob.')).toBeVisible()
    await page.user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Alert deleted')).toBeVisible()
    await waitFor(() => expect(page.rows()).toHaveLength(3))
    page.unmount()
    await renderAt('/alerts', { portal: page.portal, as: ALICE })
    expect(await screen.findByText('Rex is off')).toBeVisible()
    expect(screen.queryByText('Back home')).toBeNull()
  })

  test('an alert that was already deleted is treated as deleted', async () => {
    await using page = await open()
    const { body } = await page.portal.call(ALICE, 'GET', '/tracker_alerts/')
    await page.user.click(screen.getByRole('button', { name: 'Delete: Back home' }))
    await page.portal.call(ALICE, 'DELETE', `/tracker_alerts/${body[0].id}/`)
    await page.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Alert deleted')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete: Back home' })).toBeNull())
  })
})

describe('switching an alert off', () => {
  const toggle = (name: string) => screen.findByRole('switch', { name: `${name}: on` })

  test('an alert is switched off and on again in the list, which shows since when it is off', async () => {
    await using page = await open(ALICE, ALL)
    await page.user.click(await toggle('Rex is off'))
    expect(await screen.findByText('Alert switched off')).toBeVisible()
    expect(await toggle('Rex is off')).not.toBeChecked()
    expect(page.rows()[2]).toMatch(/Off since Mar 2/)
    await page.user.click(await toggle('Rex is off'))
    expect(await screen.findByText('Alert switched on')).toBeVisible()
    expect(page.rows()[2]).not.toMatch(/Off since/)
  })

  test('the page of a place lists its alerts with their switches', async () => {
    await using portal = await startSyncedPortal()
    await renderAt(`/places/${SEED.places.cabin}`, { portal, as: ALICE, config: ALL })
    expect(await toggle('Bike at the cabin')).not.toBeChecked()
    expect(screen.getAllByRole('switch')).toHaveLength(1)
  })

  test('a backend that cannot switch alerts off shows no switches', async () => {
    await using _ = await open()
    expect(await screen.findByText('Back home')).toBeVisible()
    expect(screen.queryByRole('switch')).toBeNull()
  })

  test('an alert that was deleted elsewhere is reported as gone', async () => {
    await using page = await open(ALICE, ALL)
    const { body } = await page.portal.call(ALICE, 'GET', '/tracker_alerts/')
    await page.portal.call(ALICE, 'DELETE', `/tracker_alerts/${body[1].id}/`)
    await page.user.click(await toggle('Rex is off'))
    expect(await screen.findByText('This alert no longer exists. Reload the page.')).toBeVisible()
  })
})

test('support can read the alerts but gets no buttons that change them', async () => {
  await using page = await open('support@example.com')
  expect(await screen.findByText('Your role lets you view everything but change nothing.')).toBeVisible()
  expect(page.rows().length).toBeGreaterThan(2)
  expect(screen.queryByRole('link', { name: /^(New alert|Edit)/ })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
})

test('a list that cannot be loaded shows an error and can be retried', async () => {
  await using portal = await startSyncedPortal()
  const server = withFaults(portal, { '/tracker_alerts/': respondWith(500) })
  const { user } = await renderAt('/alerts', { portal: server, as: ALICE })
  expect(await screen.findByText('We could not load this.')).toBeVisible()
  expect(screen.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'New alert' })).toBeVisible()
  server.mend()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Back home')).toBeVisible()
})

test('R-7.29 names that cannot be loaded are placeholders in the sentences and can be retried', async () => {
  await using portal = await startSyncedPortal()
  const server = withFaults(portal, { '/tracker_places/': respondWith(500) })
  const { user } = await renderAt('/alerts', { portal: server, as: ALICE })
  expect(await screen.findByText('When Rex leaves …, tell Bob and Carol.')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.')
  server.mend()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('When Rex leaves Home, tell Bob and Carol.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})
