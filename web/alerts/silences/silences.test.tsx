import { screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'
const PATH = '/alert_silences/'
const features = [...FEATURES]
const { rex, misty } = SEED.devices

const open = async (path = '/alerts', as = ALICE) => {
  const page = await openAs(as, path, { features })
  await screen.findByRole('button', { name: 'Mute alerts…' })
  return page
}

const listMuted = async () => within(await screen.findByRole('list', { name: 'Muted' }))

describe('muting alerts', () => {
  test('all alerts are muted for an hour for the user, and come again when that is ended', async () => {
    await using page = await open()
    await page.user.click(screen.getByRole('button', { name: 'Mute alerts…' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/^What fires meanwhile/)).toBeVisible()
    await page.user.click(await dialog.findByRole('button', { name: 'Mute' }))
    const muted = await listMuted()
    expect(muted.getByText('All trackers')).toBeVisible()
    expect(muted.getByText('Only for you')).toBeVisible()
    expect((await page.portal.call(ALICE, 'GET', PATH)).body).toMatchObject([
      { devices: [], until: '2026-03-02T10:00:00Z', everyone: false, kinds: [], place: null },
    ])
    await page.user.click(muted.getByRole('button', { name: 'End now: All trackers' }))
    expect(await screen.findByText('Alerts come again')).toBeVisible()
    expect((await page.portal.call(ALICE, 'GET', PATH)).body).toEqual([])
  })

  test('a link proposes to mute a kind of alert of a tracker, and mutes nothing by itself', async () => {
    await using page = await open(`/alerts?sheet=mute&tracker=${rex}&kind=low_battery`)
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByRole('combobox', { name: 'Tracker' })).toHaveValue(String(rex))
    expect(dialog.getByRole('checkbox', { name: 'Low battery' })).toBeChecked()
    expect((await page.portal.call(ALICE, 'GET', PATH)).body).toEqual([])
    await page.user.click(await dialog.findByRole('button', { name: 'Mute' }))
    expect((await listMuted()).getByText('Rex · Low battery')).toBeVisible()
    expect((await page.portal.call(ALICE, 'GET', PATH)).body).toMatchObject([
      { devices: [rex], kinds: ['low_battery'], until: '2026-03-02T10:00:00Z', everyone: false },
    ])
  })

  test('other kinds can be added to the one that a link proposes, and this one can be taken out', async () => {
    await using page = await open(`/alerts?sheet=mute&tracker=${rex}&kind=low_battery`)
    const dialog = within(await screen.findByRole('dialog'))
    await page.user.click(dialog.getByText('Only for a place or for some kinds of alerts'))
    await page.user.click(dialog.getByRole('checkbox', { name: 'Left a place' }))
    expect(dialog.getByRole('checkbox', { name: 'Low battery' })).toBeChecked()
    await page.user.click(dialog.getByRole('checkbox', { name: 'Entered a place' }))
    await page.user.click(dialog.getByRole('checkbox', { name: 'Low battery' }))
    await page.user.click(dialog.getByRole('button', { name: 'Mute' }))
    await listMuted()
    expect((await page.portal.call(ALICE, 'GET', PATH)).body).toMatchObject([{ kinds: ['place_enter', 'place_leave'] }])
  })

  test('the alerts of one tracker are muted for everyone from its settings until a date', async () => {
    await using page = await open(`/trackers/${misty}/settings?tab=alerts`)
    await page.user.click(screen.getByRole('button', { name: 'Mute alerts…' }))
    const dialog = within(await screen.findByRole('dialog'))
    await page.user.click(await dialog.findByRole('radio', { name: /^Until a date and time/ }))
    await page.user.type(dialog.getByRole('textbox', { name: /^Date and time/ }), '03/05/2026 18:00')
    await page.user.click(dialog.getByRole('checkbox', { name: /^For everyone/ }))
    await page.user.click(dialog.getByRole('button', { name: 'Mute' }))
    expect((await listMuted()).getByText('Misty')).toBeVisible()
    expect((await page.portal.call(ALICE, 'GET', PATH)).body).toMatchObject([
      { devices: [misty], until: new Date('2026-03-05T18:00').toISOString().replace('.000', ''), everyone: true },
    ])
  })

  test('the field for a date comes into view when it is chosen', async () => {
    await using page = await open('/alerts?sheet=mute')
    const dialog = within(await screen.findByRole('dialog'))
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
    await page.user.click(await dialog.findByRole('radio', { name: /^Until a date and time/ }))
    const field = dialog.getByRole('textbox', { name: /^Date and time/ })
    expect(scroll.mock.contexts.filter((shown) => (shown as Element).contains(field))).toHaveLength(1)
    scroll.mockRestore()
  })

  test('only some kinds of alerts at one place are muted, with a note, until the evening in the zone of the account', async () => {
    await using portal = await startSyncedPortal()
    await portal.call(ALICE, 'PATCH', '/users/settings/', { time_zone: 'Asia/Tokyo' })
    const page = await renderAt('/alerts', { portal, as: ALICE, config: { features } })
    await page.user.click(await screen.findByRole('button', { name: 'Mute alerts…' }))
    const dialog = within(await screen.findByRole('dialog'))
    await page.user.click(await dialog.findByRole('radio', { name: /^Until this evening/ }))
    expect(dialog.getByText(/time zone, Asia\/Tokyo/)).toBeVisible()
    await page.user.click(dialog.getByText('Only for a place or for some kinds of alerts'))
    await page.user.selectOptions(await dialog.findByRole('combobox', { name: 'Place' }), 'Home')
    await page.user.click(dialog.getByRole('checkbox', { name: 'Left a place' }))
    await page.user.type(dialog.getByRole('textbox', { name: 'Note' }), 'Builders')
    await page.user.click(dialog.getByRole('button', { name: 'Mute' }))
    const muted = await listMuted()
    expect(muted.getByText('All trackers · Home · Left a place')).toBeVisible()
    expect(muted.getByText('Only for you · Builders')).toBeVisible()
    expect((await portal.call(ALICE, 'GET', PATH)).body).toMatchObject([
      { place: SEED.places.home, kinds: ['place_leave'], note: 'Builders', until: '2026-03-02T11:00:00Z' },
    ])
  })

  test('an alert whose trackers are all muted says until when, and the others do not', async () => {
    await using portal = await startSyncedPortal()
    await portal.call(ALICE, 'POST', PATH, { devices: [rex], until: '2026-03-05T18:00:00Z', note: 'At the vet' })
    await renderAt('/alerts', { portal, as: ALICE, config: { features } })
    const muted = await listMuted()
    expect(muted.getByText('Only for you · At the vet')).toBeVisible()
    const alerts = within(await screen.findByRole('list', { name: 'Alerts' })).getAllByRole('listitem')
    expect(alerts.filter(({ textContent }) => /Muted until Thursday/.test(textContent)).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^When Rex leaves Home/),
    ])
  })
})
