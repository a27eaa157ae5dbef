import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { openCard } from '#web/test/card.tsx'
import { respondWith } from '#web/test/faults.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'

type Page = Awaited<ReturnType<typeof openCard>>

const choices = (dialog: Awaited<ReturnType<Page['dialog']>>) =>
  dialog.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)

async function speak({ portal }: Page, serial: string) {
  const answer = await portal.call(null, 'POST', '/devices/ingest/', { serial, positions: [] }, { 'x-device-key': DEVICE_KEY })
  expect(answer.status).toBe(201)
  await queryClient.invalidateQueries({ queryKey: trackerKeys.devices })
}

const marks = (dialog: Awaited<ReturnType<Page['dialog']>>) =>
  dialog.getAllByRole('checkbox').map((box) => box.nextElementSibling?.firstChild?.textContent)

describe('available modes', () => {
  test.each([
    [1, 'Rex', ['every hour', 'every 20 to 30 minutes', 'every 10 minutes'], false],
    [2, 'Misty', ['every 10 to 15 minutes', 'every 5 to 7 minutes', 'every 2 minutes'], false],
    [6, 'Grandpa', ['every 10 to 15 minutes', 'every 5 to 7 minutes', 'every 2 minutes'], false],
    [3, 'City bike', ['every 10 to 15 minutes', 'every 5 to 7 minutes', 'every 2 minutes'], true],
  ])('tracker %i, %s, offers three levels with their reports and their use of the battery', async (id, name, updates, hasAlert) => {
    await using page = await openCard(id)
    const dialog = await page.dialog('Mode')
    expect(dialog.getByRole('heading', { name: `Mode of ${name}` })).toBeVisible()
    expect(choices(dialog)).toEqual([
      `StandardReports ${updates[0]}Battery use: Low`,
      `HighReports ${updates[1]}Battery use: Medium`,
      `IntenseReports ${updates[2]}Battery use: High`,
    ])
    expect(marks(dialog)).toEqual([...(hasAlert ? ['Vehicle alert'] : []), 'Lost mode', 'Plane mode'])
  })

  test('a configurable tracker has a link to its parameters instead of levels', async () => {
    await using page = await openCard(10)
    const dialog = await page.dialog('Mode')
    expect(dialog.getByRole('link', { name: /^Configurable mode/ })).toHaveAttribute('href', '/config_sct2?id=10')
    expect(dialog.queryByRole('radio')).toBeNull()
    expect(marks(dialog)).toEqual(['Lost mode', 'Plane mode'])
  })

  test('the current mode is preselected and there is nothing to save', async () => {
    await using page = await openCard(3)
    const dialog = await page.dialog('Mode')
    expect(dialog.getByRole('radio', { name: /^Standard/ })).toBeChecked()
    expect(dialog.getByRole('checkbox', { name: /^Vehicle alert/ })).toBeChecked()
    expect(dialog.getByRole('button', { name: 'Use this mode' })).toBeDisabled()
  })

  test('a pending mode is preselected and shown as sending', async () => {
    await using page = await openCard(13)
    const dialog = await page.dialog('Mode')
    expect(dialog.getByRole('checkbox', { name: /^Lost mode/ })).toBeChecked()
    expect(dialog.getByRole('status')).toHaveTextContent('Settings sending')
  })
})

describe('R-4.3 mode change', () => {
  test('a mode change can be undone while its toast is shown', async () => {
    await using page = await openCard(2)
    const dialog = await page.dialog('Lost')
    await page.user.click(dialog.getByRole('button', { name: 'Turn on lost mode' }))
    expect(await page.card.findByText(/^Lost mode will apply/)).toBeVisible()
    await page.user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(page.card.queryByText(/will apply/)).toBeNull())
    expect(page.changes()).toHaveLength(2)
  })

  test('a new mode is pending until the next communication and then current', async () => {
    await using page = await openCard(2)
    const dialog = await page.dialog('Mode')
    await page.user.click(dialog.getByRole('radio', { name: /^Intense/ }))
    await page.user.click(dialog.getByRole('button', { name: 'Use this mode' }))
    expect(await page.card.findByText('Intense (animal) will apply at the next communication.')).toBeVisible()
    expect(page.state()).toMatch(/^Settings sending/)
    expect(page.facts()).toMatchObject({ Mode: 'High (animal)', Updates: 'every 5 to 7 minutes' })
    await speak(page, 'ALICE0000002')
    await waitFor(() => expect(page.facts()).toMatchObject({ Mode: 'Intense (animal)', Updates: 'every 2 minutes' }))
    expect(page.card.queryByText(/will apply/)).toBeNull()
    expect(page.state()).not.toContain('Settings sending')
  })

  test('the row next to the map shows the pending mode', async () => {
    await using page = await openCard(2)
    const row = () => screen.getByRole('link', { name: /^Misty/ })
    expect(row()).toHaveTextContent('Stationary for 8 minutes')
    const dialog = await page.dialog('Mode')
    await page.user.click(dialog.getByRole('radio', { name: /^Standard/ }))
    await page.user.click(dialog.getByRole('button', { name: 'Use this mode' }))
    await waitFor(() => expect(row()).toHaveTextContent('Settings sending'))
  })

  test('R-8.30 a refused mode change is reported in the dialog and keeps the choice', async () => {
    await using page = await openCard(2, 'alice@example.com', { 'PATCH /devices/2/tracker_config/': respondWith(409) })
    const dialog = await page.dialog('Mode')
    await page.user.click(dialog.getByRole('radio', { name: /^Intense/ }))
    await page.user.click(dialog.getByRole('button', { name: 'Use this mode' }))
    expect(await dialog.findByText('Something went wrong, please try again')).toBeVisible()
    expect(dialog.getByRole('radio', { name: /^Intense/ })).toBeChecked()
    expect(dialog.getByRole('button', { name: 'Use this mode' })).toBeEnabled()
  })

  test('plane mode is left by choosing a monitoring level', async () => {
    await using page = await openCard(5)
    const dialog = await page.dialog('Mode')
    expect(dialog.getByRole('checkbox', { name: /^Plane mode/ })).toBeChecked()
    await page.user.click(dialog.getByRole('checkbox', { name: /^Plane mode/ }))
    await page.user.click(dialog.getByRole('radio', { name: /^High/ }))
    await page.user.click(dialog.getByRole('button', { name: 'Use this mode' }))
    expect(await page.card.findByText('High will apply at the next communication.')).toBeVisible()
  })
})

describe('R-4.4 lost mode', () => {
  test.each([
    [6, 'Grandpa', 7],
    [2, 'Misty', 27],
  ])('tracker %i, %s, enters lost mode after a confirmation, with mode code %i', async (id, name, code) => {
    await using page = await openCard(id)
    const dialog = await page.dialog('Lost')
    expect(dialog.getByRole('heading', { name: `Lost mode for ${name}?` })).toBeVisible()
    expect(dialog.getByText(/as often as it can, every 3 minutes/)).toBeVisible()
    expect(page.changes()).toEqual([])
    await page.user.click(dialog.getByRole('button', { name: 'Turn on lost mode' }))
    await page.card.findByText('Lost mode will apply at the next communication.')
    const config = await page.portal.call('alice@example.com', 'GET', `/devices/${id}/tracker_config/`)
    expect(config.body).toMatchObject({ pending_mode: code, mode_state: 'sending' })
  })

  test('cancelling the confirmation sends no request', async () => {
    await using page = await openCard(2)
    const dialog = await page.dialog('Lost')
    await page.user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(page.changes()).toEqual([])
  })

  test('a pending lost mode can be cancelled with the same button', async () => {
    await using page = await openCard(13)
    const dialog = await page.dialog('Lost')
    expect(dialog.getByRole('heading', { name: 'End lost mode of Delivery van' })).toBeVisible()
    expect(dialog.queryByText(/^(Lost|Plane) mode/)).toBeNull()
  })

  test('choosing a level leaves lost mode once the tracker communicates', async () => {
    await using page = await openCard(11)
    expect(page.state()).toMatch(/^Lost mode/)
    const dialog = await page.dialog('Lost')
    await page.user.click(dialog.getByRole('radio', { name: /^Intense/ }))
    await page.user.click(dialog.getByRole('checkbox', { name: /^Vehicle alert/ }))
    await page.user.click(dialog.getByRole('button', { name: 'Use this mode' }))
    await page.card.findByText('Intense + vehicle alert will apply at the next communication.')
    await speak(page, 'ALICE0000011')
    await waitFor(() => expect(page.facts()).toMatchObject({ Mode: 'Intense + vehicle alert' }))
    expect(page.state()).not.toContain('Lost mode')
  })

  test('R-4.16 a configurable tracker leaves lost mode to its only mode', async () => {
    await using page = await openCard(10)
    const dialog = await page.dialog('Lost')
    await page.user.click(dialog.getByRole('button', { name: 'Turn on lost mode' }))
    await page.card.findByText('Lost mode will apply at the next communication.')
    const leave = await page.dialog('Lost')
    expect(leave.getByRole('link', { name: /^Configurable mode/ })).toBeVisible()
    await page.user.click(leave.getByRole('button', { name: 'Use this mode' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
