import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const ALL = { features: [...FEATURES] }
const DEV_EUI = '70B3D57ED005A1F2'

describe('numbers on networks', () => {
  const open = async (id: number) => {
    const page = await openAs(ALICE, `/trackers/${id}/settings`, ALL)
    await page.user.click(await screen.findByText('Advanced'))
    const section = within(await screen.findByRole('region', { name: 'Numbers on networks' }))
    const devEui = await section.findByRole('textbox', { name: 'DevEUI' })
    const save = () => page.user.click(screen.getByRole('button', { name: 'Save' }))
    return {
      ...page,
      section,
      devEui,
      save,
      stored: async () => (await page.portal.call(ALICE, 'GET', `/devices/${id}/network_numbers/`)).body,
    }
  }

  test('the numbers of a tracker are saved as networks write them', async () => {
    await using page = await open(1)
    await page.user.type(page.devEui, '70-b3-d5-7e-d0-05-a1-f2')
    await page.user.type(page.section.getByRole('textbox', { name: 'IMEI' }), '490154203237518')
    await page.save()
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(await page.stored()).toEqual({ imei: '490154203237518', dev_eui: DEV_EUI, sigfox: null })
  })

  test('a malformed number is marked and not sent', async () => {
    await using page = await open(1)
    await page.user.type(page.section.getByRole('textbox', { name: 'IMEI' }), '490154203237519')
    await page.save()
    expect(await page.section.findByText('This number is not valid')).toBeVisible()
    expect(await page.stored()).toMatchObject({ imei: null })
  })

  test('a number of another tracker is marked as taken', async () => {
    await using page = await open(1)
    await page.portal.call(ALICE, 'PUT', '/devices/2/network_numbers/', { imei: null, dev_eui: DEV_EUI, sigfox: null })
    await page.user.type(page.devEui, DEV_EUI)
    await page.save()
    expect(await page.section.findByText('Another tracker already has this number')).toBeVisible()
    expect(page.devEui).toBeInvalid()
  })
})

describe('fields of the payload', () => {
  const uplink = {
    end_device_ids: { dev_eui: DEV_EUI },
    received_at: '2026-03-02T09:00:00Z',
    uplink_message: { f_cnt: 1, decoded_payload: { where: { north: -34.9, east: -56.15 }, volts: 3.6 } },
  }

  test('choosing the fields of a decoder makes the portal read the stored messages again', async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'PUT', '/devices/1/network_numbers/', { imei: null, dev_eui: DEV_EUI, sigfox: null })
    const { key } = (await portal.call(ALICE, 'POST', '/devices/1/keys/', {})).body
    const count = async () => (await portal.call(ALICE, 'GET', '/devices/1/tracker_data/')).body.count
    await portal.call(null, 'POST', '/ingest/tts', uplink, { 'x-device-key': key })
    const before = await count()
    const { user } = await renderAt('/trackers/1/settings', { portal, as: ALICE, config: ALL })
    await user.click(await screen.findByText('Advanced'))
    const form = within(await screen.findByRole('form', { name: 'Fields of the payload' }))
    expect(form.getByText(/^No position was found in the newest message/)).toBeVisible()
    await user.selectOptions(form.getByLabelText('Latitude'), 'where.north = -34.9')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await form.findByText('Choose both, latitude and longitude, or neither')).toBeVisible()
    await user.selectOptions(form.getByLabelText('Longitude'), 'where.east = -56.15')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved. 1 position was added.')).toBeVisible()
    expect(await screen.findByText(/^The newest message .* has a position/)).toBeVisible()
    expect(await count()).toBe(before + 1)
  })

  test('a tracker that no network has reported for has no payload fields', async () => {
    await using page = await openAs(ALICE, '/trackers/1/settings', ALL)
    await page.user.click(await screen.findByText('Advanced'))
    expect(await screen.findByRole('textbox', { name: 'DevEUI' })).toBeVisible()
    expect(screen.queryByRole('form', { name: 'Fields of the payload' })).toBeNull()
  })
})

describe('connecting a network', () => {
  const open = async (as = ALICE) => {
    const page = await openAs(as, '/operators/helium/', ALL)
    const section = within(await screen.findByRole('region', { name: 'Connect a network' }))
    const value = (label: string) =>
      section
        .getByRole('button', { name: `Copy: ${label}` })
        .closest('li')
        ?.querySelector('code')?.textContent ?? ''
    return { ...page, section, value }
  }

  test('a network configured with the values on the page reports for a tracker', async () => {
    await using page = await open()
    await page.portal.call(ALICE, 'PUT', '/devices/2/network_numbers/', { imei: null, dev_eui: DEV_EUI, sigfox: null })
    await page.user.type(await page.section.findByRole('textbox', { name: 'Name of the key' }), 'Console')
    await page.user.click(page.section.getByRole('button', { name: 'Create a key' }))
    expect(await page.section.findByText(/^The key is shown only now/)).toBeVisible()
    expect(page.value('Address')).toMatch(/\/ingest\/helium$/)
    await page.user.selectOptions(page.section.getByRole('combobox', { name: 'Network' }), 'The Things Stack')
    const body = JSON.stringify({
      end_device_ids: { dev_eui: DEV_EUI },
      received_at: page.portal.clock.now().toISOString(),
      uplink_message: { f_cnt: 1, decoded_payload: { latitude: -34.9, longitude: -56.15 } },
    })
    const headers = { [page.value('Header')]: page.value('Key') }
    const response = await page.portal.fetch(new URL(page.value('Address')).pathname, { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toEqual([200, { read: 'position' }])
    await page.user.click(page.section.getByRole('button', { name: 'Done' }))
    const row = await page.section.findByRole('listitem')
    expect(row).toHaveTextContent(/^ConsoleLast used/)
  })

  test('a revoked key disappears from the list', async () => {
    await using page = await open()
    await page.user.click(await page.section.findByRole('button', { name: 'Create a key' }))
    await page.user.click(await page.section.findByRole('button', { name: 'Done' }))
    await page.user.click(await page.section.findByRole('button', { name: 'Revoke: Network' }))
    await page.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('Key revoked')).toBeVisible()
    expect((await page.portal.call(ALICE, 'GET', '/devices/network_keys/')).body).toEqual([])
  })

  test('an administrator sees who created a key', async () => {
    await using page = await openAs('admin@pro.example.com', '/operators/helium/', ALL)
    const section = within(await screen.findByRole('region', { name: 'Connect a network' }))
    await page.user.click(await section.findByRole('button', { name: 'Create a key' }))
    await page.user.click(await section.findByRole('button', { name: 'Done' }))
    expect(await section.findByRole('listitem')).toHaveTextContent(/Not used yet · Made by Ada Admin$/)
  })

  test('a team member cannot connect a network', async () => {
    await using page = await openAs('member@pro.example.com', '/operators/helium/', ALL)
    expect(await page.screen.findByText(/^Helium is a radio network/)).toBeVisible()
    expect(page.screen.queryByRole('region', { name: 'Connect a network' })).toBeNull()
  })
})
