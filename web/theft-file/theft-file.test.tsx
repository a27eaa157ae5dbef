import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const [MISTY, SCOOTER] = [2, 11]
const file = (id: number) => `/app/theft_file?id=${id}`

/** Opens the theft file of a tracker; the portal gives access to the server's data. */
async function openFile(path: string, as = ALICE) {
  const page = await openAs(as, path)
  return {
    ...page,
    section: async (name: string) => within(await screen.findByRole('region', { name })),
    stored: async (id: number) => (await page.portal.call(ALICE, 'GET', `/devices/${id}/theft_report/`)).body,
    changes: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path: to }) => `${method} ${to}`),
    async fill(date = '2026-03-01T20:15') {
      fireEvent.change(await screen.findByLabelText(/^Date and time/), { target: { value: date } })
      const place = screen.getByRole('textbox', { name: /^Place of/ })
      await page.user.clear(place)
      await page.user.type(place, 'Rambla 12')
      await page.user.type(screen.getByRole('textbox', { name: /^What happened/ }), 'Taken from the yard')
      await page.user.click(screen.getByRole('button', { name: 'Report the theft' }))
    },
  }
}

describe('R-2.42 theft report', () => {
  test('an open report shows its status, its details and the events since', async () => {
    await using page = await openFile(file(SCOOTER))
    const follow = await page.section('Follow')
    expect(await follow.findByText('Report open')).toHaveAttribute('role', 'status')
    const report = await page.stored(SCOOTER)
    for (const text of [report.address, report.description]) expect(follow.getByText(text)).toBeVisible()
    const events = within(follow.getByRole('list', { name: 'Events' }))
    const times = events.getAllByRole('listitem').map((event) => Date.parse(event.querySelector('time')?.dateTime ?? ''))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(times.at(-1)).toBe(Date.parse(report.date))
    for (const name of ['Theft', 'Report opened']) expect(events.getByText(name)).toBeVisible()
  })

  test('R-1.13 without a report the form opens one, then lost mode is offered', async () => {
    await using page = await openFile(file(MISTY))
    await page.fill()
    const offer = within(await screen.findByRole('dialog', { name: 'Lost mode for Misty?' }))
    expect(await page.stored(MISTY)).toMatchObject({ status: 'open', address: 'Rambla 12', police_reference: null })
    expect(new Date((await page.stored(MISTY)).date)).toEqual(new Date('2026-03-01T20:15'))
    await page.user.click(offer.getByRole('button', { name: 'Turn on lost mode' }))
    expect(await (await page.section('Lost mode')).findByText('Settings sending')).toBeVisible()
    expect(await screen.findByText('Report open')).toBeVisible()
  })

  test('R-5.6 missing fields are marked without a request', async () => {
    await using page = await openFile(file(MISTY))
    const report = await screen.findByRole('button', { name: 'Report the theft' })
    const date = screen.getByLabelText(/^Date and time/)
    fireEvent.change(date, { target: { value: '' } })
    await page.user.click(report)
    expect(await screen.findByText('Please fill in all fields')).toBeVisible()
    expect(date).toHaveFocus()
    expect(page.changes()).toEqual([])
  })

  test('a theft in the future is rejected at its field, and the input stays', async () => {
    await using page = await openFile(file(MISTY))
    await page.fill('2026-03-05T10:00')
    expect(await screen.findByText('Choose a date that has passed')).toBeVisible()
    expect(screen.getByRole('textbox', { name: /^Place of/ })).toHaveValue('Rambla 12')
    expect(page.changes()).toEqual([])
  })

  test('a report opened elsewhere meanwhile is shown', async () => {
    await using page = await openFile(file(MISTY))
    await screen.findByRole('button', { name: 'Report the theft' })
    const body = { date: '2026-03-01T10:00:00Z', address: 'Elsewhere 1', description: 'By somebody else' }
    await page.portal.call(ALICE, 'POST', `/devices/${MISTY}/theft_report/`, body)
    await page.fill()
    expect(await screen.findByText('Elsewhere 1')).toBeVisible()
  })

  test('an open report can be changed', async () => {
    await using page = await openFile(file(SCOOTER))
    await page.user.click(await screen.findByRole('button', { name: 'Edit' }))
    const reference = screen.getByRole('textbox', { name: 'Police reference' })
    await page.user.clear(reference)
    await page.user.type(reference, 'B-77')
    await page.user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('B-77')).toBeVisible()
    expect(await page.stored(SCOOTER)).toMatchObject({ status: 'open', police_reference: 'B-77' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('an open report is closed after a confirmation that the tracker was found', async () => {
    await using page = await openFile(file(SCOOTER))
    await page.user.click(await screen.findByRole('button', { name: 'Close the report' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Has Stolen scooter been found?' }))
    await page.user.click(dialog.getByRole('button', { name: 'Found, close the report' }))
    await waitFor(() => expect(screen.getAllByText('Report closed')).toHaveLength(2))
    expect(await page.stored(SCOOTER)).toMatchObject({ status: 'closed', closed_at: expect.any(String) })
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
    await page.user.click(screen.getByRole('button', { name: 'Report another theft' }))
    expect(await screen.findByRole('button', { name: 'Report the theft' })).toBeVisible()
  })
})

describe('R-2.43 assistance', () => {
  const saved = vi.fn()
  beforeEach(() => {
    saved.mockReset()
    URL.createObjectURL = (blob) => {
      saved(blob)
      return 'blob:form'
    }
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  })

  test('R-1.13 R-7.9 the section has the support contact and the police form to download', async () => {
    await using page = await openFile(file(MISTY))
    const assistance = await page.section('Get assistance')
    expect(assistance.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', 'mailto:support@example.com')
    await page.user.click(assistance.getByRole('button', { name: 'Download the theft form' }))
    await waitFor(() => expect(saved).toHaveBeenCalled())
    const blob: Blob = saved.mock.calls[0]?.[0]
    expect([blob.type, blob.size > 1000]).toEqual(['application/pdf', true])
  })

  test('R-7.9 a failed download saves no file', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { [`/devices/${MISTY}/theft_form/`]: respondWith(500, 'Oops') })
    const { user } = await renderAt(file(MISTY), { portal: server, as: ALICE })
    await user.click(await screen.findByRole('button', { name: 'Download the theft form' }))
    expect(await screen.findByText('The form could not be downloaded, please try again')).toBeVisible()
    expect(saved).not.toHaveBeenCalled()
  })
})

test('R-2.44 the last position is shown on a map', async () => {
  await using page = await openFile(file(SCOOTER))
  const locate = await page.section('Locate the asset')
  expect(await locate.findByRole('region', { name: 'Map' })).toBeInTheDocument()
  expect(locate.getByText(/^Updated /)).toBeVisible()
})

describe.each([
  ['R-2.45 R-9.8', 'Proximity radar', 'Open the radar', /about 20 metres/, 1, '/app/native/findmy'],
  ['R-2.46 R-9.7', 'Real-time boost', 'Open real-time boost', /every 30 seconds/, 2, '/app/native/rtb'],
])('%s %s', (_, name, button, words, bit, to) => {
  test('a capable app opens the feature', async () => {
    await using page = await openFile(`${file(MISTY)}&native_app=1&deeplink=${bit}`)
    const section = await page.section(name)
    expect(section.getByText(words)).toBeVisible()
    expect(section.getByRole('link', { name: button })).toHaveAttribute('href', to)
  })
})

test.each([
  ['&native_app=1&deeplink=4', 'App update needed'],
  ['', 'Available in the mobile app'],
])('without a capable app the radar is disabled with a reason (%s)', async (host, reason) => {
  await using page = await openFile(file(MISTY) + host)
  const radar = (await page.section('Proximity radar')).getByRole('button', { name: 'Open the radar' })
  expect(radar).toBeDisabled()
  expect(radar).toHaveAccessibleDescription(reason)
})

describe('what helps first', () => {
  test('the file begins with the address of the tracker, the way there and lost mode, before the report', async () => {
    await using page = await openFile(file(SCOOTER))
    await screen.findByText('Report open')
    const names = screen.getAllByRole('region').map((region) => region.getAttribute('aria-labelledby'))
    const titles = names.flatMap((id) => (id ? [document.getElementById(id)?.textContent] : []))
    expect(titles).toEqual(['Locate the asset', 'Lost mode', 'Real-time boost', 'Follow', 'Get assistance', 'Proximity radar'])
    const locate = await page.section('Locate the asset')
    expect(locate.getByText((await page.stored(SCOOTER)) && /, /, { selector: 'strong' })).toBeVisible()
    expect(locate.getByRole('link', { name: 'Directions' })).toHaveAttribute('href', expect.stringMatching(/^https:.*-34\./))
  })

  test('a link for the police is made without leaving the file', async () => {
    await using page = await openFile(file(SCOOTER))
    await page.user.click(await (await page.section('Locate the asset')).findByRole('button', { name: 'Share with the police' }))
    expect(await screen.findByRole('dialog', { name: 'Share Stolen scooter' })).toBeVisible()
  })

  test('outside a capable app the portal itself boosts the tracker', async () => {
    await using page = await openFile(file(SCOOTER))
    const boost = await page.section('Real-time boost')
    await waitFor(() => expect(boost.getByRole('button', { name: 'Start boost' })).toBeEnabled())
    await page.user.click(boost.getByRole('button', { name: 'Start boost' }))
    const dialog = within(await screen.findByRole('dialog'))
    await page.user.click(dialog.getByRole('button', { name: 'Start boost' }))
    await page.user.click(await dialog.findByRole('button', { name: 'Close' }))
    expect(await boost.findByText('Every 30 seconds · 15 min left')).toBeVisible()
    expect(page.changes()).toEqual([`POST /devices/${SCOOTER}/realtime_boost/`])
  })

  test('a new report is filled in with the place and time of the last departure', async () => {
    await using page = await openFile(file(1))
    const date = await screen.findByLabelText(/^Date and time/)
    const place = screen.getByRole<HTMLInputElement>('textbox', { name: /^Place of/ })
    expect(date).toHaveAttribute('data-value', '2026-03-02T08:34')
    expect(place.value).toMatch(/^Home, /)
    expect(screen.getByText(/^It left Home at /)).toBeVisible()
    expect(page.changes()).toEqual([])
  })

  test('a report of a tracker whose history cannot be read is empty', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/devices/1/tracker_data/': respondWith(500) })
    await renderAt(file(1), { portal: server, as: ALICE })
    expect(await screen.findByLabelText(/^Date and time/)).toHaveValue('')
  })
})

describe('R-2.47 lost mode', () => {
  test('lost mode of a cat is mode 27 and is pending until the next communication', async () => {
    await using page = await openFile(file(MISTY))
    const lost = await page.section('Lost mode')
    await waitFor(() => expect(lost.getByRole('button', { name: 'Turn on lost mode' })).toBeEnabled())
    await page.user.click(lost.getByRole('button', { name: 'Turn on lost mode' }))
    expect(await lost.findByText('Settings sending')).toHaveAttribute('role', 'status')
    const { body } = await page.portal.call(ALICE, 'GET', `/devices/${MISTY}/`)
    expect(body.tracker_config.pending_mode).toBe(27)
  })

  test('an active lost mode is shown as active', async () => {
    await using page = await openFile(file(SCOOTER))
    expect(await (await page.section('Lost mode')).findByText('Lost mode is on.')).toBeVisible()
  })
})

describe('states of the theft file', () => {
  test('a read-only user sees the report and can change nothing', async () => {
    await using page = await openFile(file(SCOOTER), 'support@example.com')
    expect(await screen.findByText('Report open')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^(Edit|Close the report)$/ })).toBeNull()
    expect(page.changes()).toEqual([])
  })

  test('a tracker of another account is not found', async () => {
    await using page = await openFile(file(SCOOTER), 'bruno@example.com')
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Tracker not found'))
    expect(page.calls.some(({ path }) => path.includes('theft'))).toBe(false)
  })

  test('the notice of an unknown tracker links to all trackers, but to no other page inside the app', async () => {
    {
      await using _page = await openFile(file(999_999))
      const notice = within(await screen.findByRole('alert'))
      expect(notice.getByRole('link', { name: 'All trackers' })).toHaveAttribute('href', '/trackers')
    }
    await using _page = await openFile(`${file(999_999)}&native_app=1`)
    const notice = within(await screen.findByRole('alert'))
    expect(notice.getByText('Tracker not found')).toBeVisible()
    expect(notice.queryByRole('link')).toBeNull()
  })

  test('without a tracker in the URL the page asks for one', async () => {
    await using page = await openFile('/app/theft_file')
    await page.user.click(await screen.findByRole('link', { name: 'Misty' }))
    expect(await page.section('Report')).toBeDefined()
    expect(window.location.search).toBe(`?id=${MISTY}`)
  })

  test('R-7.29 a report that cannot be loaded shows an error in place and can be retried', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { [`/devices/${SCOOTER}/theft_report/`]: respondWith(500) })
    const { user } = await renderAt(file(SCOOTER), { portal: server, as: ALICE })
    expect(await screen.findByText('We could not load this.')).toBeVisible()
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Report open')).toBeVisible()
  })
})
