import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import * as download from '#web/lib/api/download.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'
const [REX, NEW, FAMILY_CAR, PUPPY] = [1, 7, 4, 18]
const DAY = '?day=2026-02-20'

afterEach(() => void vi.restoreAllMocks())

async function open(path: string) {
  const page = await openAs(ALICE, path)
  return {
    ...page,
    legs: async () => within(await screen.findByRole('list', { name: 'Stops and trips' })).getAllByRole('button'),
    slider: () => screen.findByRole<HTMLInputElement>('slider'),
    total: (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent?.replace(/\s/g, ' '),
    asked: () => page.calls.filter((call) => call.path.includes('/tracker_data/')),
    at: (search: string) => waitFor(() => expect(window.location.search).toBe(search)),
  }
}

describe('R-2.59 day navigation', () => {
  test('the next-day button is disabled today', async () => {
    await using page = await open(`/trackers/${REX}/history?day=2026-03-01`)
    await page.legs()
    await page.user.click(screen.getByRole('button', { name: 'Next day' }))
    await page.at('?day=2026-03-02')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Next day' })).toBeDisabled())
  })

  test('a period steps back and forward by its own length and stops at today', async () => {
    await using page = await open(`/trackers/${REX}/history?from=2026-02-20&to=2026-02-22`)
    await page.legs()
    await page.user.click(screen.getByRole('button', { name: 'Previous period' }))
    await screen.findByText(/Feb\s17.*Feb\s19/)
    await page.at('?from=2026-02-17&to=2026-02-19')
    await page.user.click(screen.getByRole('button', { name: 'Next period' }))
    await page.at('?from=2026-02-20&to=2026-02-22')
  })

  test("the browser's Back returns to the previous day", async () => {
    await using page = await open(`/trackers/${REX}/history${DAY}`)
    await page.legs()
    await page.user.click(screen.getByRole('button', { name: 'Previous day' }))
    await page.at('?day=2026-02-19')
    window.history.back()
    await page.at(DAY)
    expect(await screen.findByText(/^Fri,\sFeb\s20$/)).toBeVisible()
  })

  test.each(['?day=2026-02-30', '?day=tomorrow', '?from=2025-01-01&to=2026-03-01', '?from=2026-02-22&to=2026-02-20'])(
    '%s is refused as a period without a request and without an export',
    async (search) => {
      await using page = await open(`/trackers/${REX}/history${search}`)
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Invalid period'))
      expect(screen.getByRole('alert')).toHaveTextContent('a period has at most 366 days')
      expect(screen.queryByRole('button', { name: 'Export csv' })).toBeNull()
      expect(page.asked()).toEqual([])
    },
  )

  test('R-8.25 a tracker without any position offers no day with data', async () => {
    await using page = await open(`/trackers/${NEW}/history`)
    expect(await screen.findByRole('heading', { name: 'No data for this period' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Go to/ })).toBeNull()
    expect(screen.queryByRole('slider')).toBeNull()
    expect(page.asked()).toHaveLength(1)
  })

  test.each([
    ['Rex', REX, ['moving', 'true']],
    ['Puppy', PUPPY, ['unused', null]],
  ])("%s shows the tracker's current position when the day has no data", async (name, id, [group, moving]) => {
    await using _page = await open(`/trackers/${id}/history?day=2026-03-05`)
    const pin = await screen.findByRole('button', { name })
    expect([pin.getAttribute('data-group'), pin.getAttribute('data-moving')]).toEqual([group, moving])
  })

  test('R-8.25 a future day is empty and offers the last day with data', async () => {
    await using page = await open(`/trackers/${REX}/history?day=2026-03-05`)
    await page.user.click(await screen.findByRole('button', { name: /^Go to Mon,\sMar\s2$/ }))
    await page.at('?day=2026-03-02')
    expect((await page.legs()).length).toBeGreaterThan(1)
  })
})

describe('R-1.8 totals', () => {
  test('the totals match the legs and the points', async () => {
    await using page = await open(`/trackers/${REX}/history${DAY}`)
    const legs = await page.legs()
    const stops = legs.filter((leg) => !/Walk|No signal/.test(leg.textContent ?? ''))
    expect(page.total('Stops')).toBe(String(stops.length))
    expect(screen.getByText(`All ${page.total('Points')} points`)).toBeInTheDocument()
    const tops = legs.map((leg) => Number(/up to (\d+) km\/h/.exec(leg.textContent ?? '')?.[1] ?? 0))
    expect(page.total('Top speed')).toBe(`${Math.max(...tops)} km/h`)
    expect(page.total('Distance')).toMatch(/^[\d.]+ k?m$/)
    expect(page.total('Longest stop')).toMatch(/ hr| min/)
  })

  test('a day has its share of a drive over midnight, which its list of trips shows from midnight on', async () => {
    await using portal = await startSyncedPortal()
    const { positions, db } = portal.world
    const at = (time: string, lat: number) => ({
      ...{ time: Date.parse(time) / 1000, lat: Math.round(lat * 1e7), lng: 134_000_000, precision: 6 },
      ...{ event: null, battery: null },
    })
    const drive = [
      at('2026-02-20T22:00:00Z', 52.5),
      at('2026-02-20T23:55:00Z', 52.5),
      at('2026-02-21T00:05:00Z', 52.55),
      at('2026-02-21T02:00:00Z', 52.55),
    ]
    await db.write('everything', (tx) => positions.add(tx, NEW, drive))
    for (const [day, times] of [
      ['2026-02-20', ['10:00 PM', '11:55 PM']],
      ['2026-02-21', ['12:00 AM', '12:05 AM']],
    ] as const) {
      const view = await renderAt(`/trackers/${NEW}/history?day=${day}`, { portal, as: ALICE, config: { features: [...FEATURES] } })
      const legs = within(await screen.findByRole('list', { name: 'Stops and trips' })).getAllByRole('button')
      expect(legs.map((leg) => /^[\d:]+\s[AP]M/.exec(leg.textContent ?? '')?.[0].replace(/\s/, ' '))).toEqual(times)
      expect(legs.map((leg) => leg.textContent).join()).toContain('2.8 km')
      const total = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent?.replace(/\s/g, ' ')
      expect([total('Distance'), total('Moving'), total('Points')]).toEqual(['2.8 km', '5 min', '2'])
      view.unmount()
    }
  })

  test('R-3.25 a tracker that measures in millivolts shows them at every moment', async () => {
    await using page = await open(`/trackers/${FAMILY_CAR}/history${DAY}`)
    expect((await page.slider()).getAttribute('aria-valuetext')).toMatch(/ · \d{4} mV, /)
    expect((await page.legs()).some((leg) => leg.textContent?.includes('Drive'))).toBe(true)
  })
})

describe('R-2.59 replay', () => {
  const shown = (slider: HTMLInputElement) => slider.valueAsNumber

  test('choosing a leg seeks to its start and deselects the previous one', async () => {
    await using page = await open(`/trackers/${REX}/history${DAY}`)
    const slider = await page.slider()
    const [first, , third] = await page.legs()
    await page.user.click(first!)
    const early = shown(slider)
    await page.user.click(third!)
    expect(shown(slider)).toBeGreaterThan(early)
    expect(first).toHaveAttribute('aria-pressed', 'false')
    expect(third).toHaveAttribute('aria-pressed', 'true')
  })

  test('the replay has three speeds, each with a text', async () => {
    await using page = await open(`/trackers/${REX}/history${DAY}`)
    await page.slider()
    const label = () => screen.getByRole('button', { name: /per second$/ }).getAttribute('aria-label')
    const seen = [label()]
    for (let turn = 0; turn < 3; turn++) {
      await page.user.click(screen.getByRole('button', { name: /per second$/ }))
      seen.push(label())
    }
    const [ten, sixty, one] = ['×10: 10 minutes per second', '×60: 60 minutes per second', '×1: 1 minute per second']
    expect(seen).toEqual([ten, sixty, one, ten])
  })

  test('dragging the slider pauses the replay', async () => {
    await using page = await open(`/trackers/${REX}/history${DAY}`)
    const slider = await page.slider()
    await page.user.click(screen.getByRole('button', { name: 'Play' }))
    expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible()
    fireEvent.change(slider, { target: { value: String(shown(slider) + 3_600_000) } })
    expect(screen.getByRole('button', { name: 'Play' })).toBeVisible()
  })

  test('another day starts a new replay that is paused', async () => {
    await using page = await open(`/trackers/${REX}/history${DAY}`)
    const before = shown(await page.slider())
    await page.user.click(screen.getByRole('button', { name: 'Play' }))
    await page.user.click(screen.getByRole('button', { name: 'Previous day' }))
    await page.at('?day=2026-02-19')
    await waitFor(() => expect(shown(screen.getByRole<HTMLInputElement>('slider'))).toBeLessThan(before))
    expect(screen.getByRole('button', { name: 'Play' })).toBeVisible()
  })
})

describe('R-1.14 CSV export', () => {
  test('the exported file is named after tracker and days, starts with a byte order mark and has a row per point', async () => {
    const save = vi.spyOn(download, 'saveFile').mockImplementation(() => undefined)
    await using page = await open(`/trackers/${REX}/history?from=2026-02-20&to=2026-02-21`)
    await page.legs()
    await page.user.click(screen.getByRole('button', { name: 'Export or import' }))
    await page.user.click(await screen.findByRole('button', { name: 'Export csv' }))
    await waitFor(() => expect(save).toHaveBeenCalledOnce())
    const [bytes, name, type] = save.mock.calls[0]!
    expect([name, type]).toEqual(['Rex_2026-02-20_2026-02-21.csv', 'text/csv;charset=utf-8'])
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [header, ...rows] = new TextDecoder().decode(bytes).trimEnd().split('\r\n')
    expect(header).toBe('datetime,latitude,longitude,precision,address,event,battery')
    expect(String(rows.length)).toBe(page.total('Points'))
    const times = rows.map((row) => row.split(',')[0])
    expect(times).toEqual(times.toSorted())
    expect(times.every((time) => time!.startsWith('2026-02-20') || time!.startsWith('2026-02-21'))).toBe(true)
  })

  test('R-8.30 a failed export is reported at its button, which can be pressed again', async () => {
    const save = vi.spyOn(download, 'saveFile').mockImplementation(() => undefined)
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [`/devices/${REX}/tracker_data/export_csv/`]: respondWith(500) })
    const view = await renderAt(`/trackers/${REX}/history${DAY}`, { portal: server, as: ALICE })
    await view.user.click(await screen.findByRole('button', { name: 'Export or import' }))
    await view.user.click(await screen.findByRole('button', { name: 'Export csv' }))
    expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
    expect(save).not.toHaveBeenCalled()
    server.mend()
    await view.user.click(screen.getByRole('button', { name: 'Export csv' }))
    await waitFor(() => expect(save).toHaveBeenCalledOnce())
    await waitFor(() => expect(screen.queryByText('Something went wrong, please try again')).toBeNull())
    view.unmount()
  })
})

test('R-1.8 points are shown a hundred at a time', async () => {
  await using page = await open(`/trackers/${REX}/history?from=2026-02-10&to=2026-02-20`)
  await page.legs()
  await page.user.click(screen.getByText(/^All \d+ points$/))
  const rows = () => screen.getAllByRole('row').length - 1
  await waitFor(() => expect(rows()).toBe(100))
  await page.user.click(screen.getByRole('button', { name: 'Show more' }))
  expect(rows()).toBe(200)
})
