import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'

const ALICE = 'alice@example.com'
const PARAMS = '/devices/10/tracker_config/mode_param2/'

const frequency = () => screen.getByRole('textbox', { name: /^Minutes between two reports/ })
const keepalive = () => screen.getByRole('textbox', { name: /^Minutes between check-ins/ })
const save = () => screen.getByRole('button', { name: 'Save' })
const ready = () => waitFor(() => expect(frequency()).toHaveValue('60'))

const open = async (as = ALICE) => {
  const page = await openAs(as, '/config_sct2?id=10')
  await screen.findByRole('heading', { name: 'Configurable mode' })
  await ready()
  return {
    ...page,
    async type(field: HTMLElement, text: string) {
      await page.user.clear(field)
      if (text) await page.user.type(field, text)
    },
  }
}

describe('R-2.25 configurable mode', () => {
  test("the page has its own layout and shows the tracker's parameters", async () => {
    await using _page = await open()
    expect(screen.queryByRole('navigation', { name: 'Main navigation' })).toBeNull()
    expect(keepalive()).toHaveValue('1440')
    expect(screen.getByRole('radio', { name: 'every hour' })).toBeChecked()
    expect(save()).toBeDisabled()
  })

  test('R-4.32 R-5.14 a frequency of 181 disables Save at once, and 180 enables it', async () => {
    await using page = await open()
    await page.type(frequency(), '181')
    expect(save()).toBeDisabled()
    expect(screen.getByText('Enter a whole number from 1 to 180')).toBeVisible()
    expect(frequency()).toBeInvalid()
    await page.type(frequency(), '180')
    expect(save()).toBeEnabled()
    expect(frequency()).toBeValid()
    await page.type(frequency(), '60')
    expect(save()).toBeDisabled()
  })

  test('R-5.15 the keepalive period is at most a day', async () => {
    await using page = await open()
    await page.type(keepalive(), '1441')
    expect(screen.getByText('Enter a whole number from 1 to 1440')).toBeVisible()
    expect(save()).toBeDisabled()
  })

  test('R-9.12 the battery life follows the frequency and is hidden for an invalid one', async () => {
    await using page = await open()
    expect(screen.getByText('33 to 78 months')).toBeVisible()
    await page.type(frequency(), '180')
    expect(screen.getByText('68 to 111 months')).toBeVisible()
    await page.type(frequency(), '')
    expect(screen.queryByText(/months/)).toBeNull()
  })

  test('R-3.89 R-4.3 saved parameters are pending until the tracker reports', async () => {
    await using page = await open()
    await page.type(frequency(), ' 30 ')
    await page.user.click(screen.getByRole('radio', { name: 'every 12 hours' }))
    await page.user.click(save())
    expect(await screen.findByText('Settings sending')).toBeVisible()
    const { body } = await page.portal.call(ALICE, 'GET', PARAMS)
    expect(body).toEqual({ frequency: 30, keepalive_period: 1440, temp_uplink_slices_duration: 2, temp_slice_duration: 720 })
    expect(save()).toBeDisabled()
    const message = { serial: 'ALICE0000010', positions: [] }
    await page.portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })
    await queryClient.invalidateQueries({ queryKey: trackerKeys.devices })
    await waitFor(() => expect(screen.queryByText('Settings sending')).toBeNull())
  })

  test('support can read the parameters but not change them', async () => {
    await using _page = await open('support@example.com')
    expect(screen.getByText(/view everything but change nothing/)).toBeVisible()
    expect(frequency()).toBeDisabled()
  })
})

describe('states of the parameter form', () => {
  test.each(['?id=1', '?id=99999', '?id=x', ''])('%s shows that there is no such configurable tracker', async (search) => {
    await using _page = await openAs(ALICE, `/config_sct2${search}`)
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('No configurable tracker'))
  })

  test('parameters that cannot be loaded show an error and can be retried', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [PARAMS]: respondWith(500) })
    const { user } = await renderAt('/config_sct2?id=10', { portal: server, as: ALICE })
    expect(await screen.findByText('We could not load this.')).toBeVisible()
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await ready()
  })

  test('R-8.30 parameters that could not be saved stay in the form', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [`${PARAMS}?action=ui`]: respondWith(500) })
    const { user } = await renderAt('/config_sct2?id=10', { portal: server, as: ALICE })
    await ready()
    await user.clear(frequency())
    await user.type(frequency(), '15')
    await user.click(save())
    expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
    expect(frequency()).toHaveValue('15')
  })
})
