import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import * as download from '#web/lib/api/download.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'

// The first screen imports the map, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

const REX = 1
const PUPPY = 18

afterEach(() => void vi.restoreAllMocks())

async function open(path: string) {
  const view = await openAs('alice@example.com', path)
  const { screen, calls } = view
  return {
    ...view,
    legs: () => screen.findByRole('list', { name: 'Stops and trips' }),
    slider: () => screen.findByRole('slider', { name: 'Moment shown' }),
    asked: () =>
      calls
        .map((call) => new URL(call.path, 'http://portal.test'))
        .filter(({ pathname }) => pathname === `/devices/${REX}/tracker_data/`)
        .map(({ searchParams }) => searchParams),
  }
}

/** Converts "1:05 PM" to minutes since midnight. */
const minutesOf = (time: string | null | undefined) => {
  const at = new Date(`2026-02-20 ${time?.replace(/\s/g, ' ')}`)
  return at.getHours() * 60 + at.getMinutes()
}

describe('one day', () => {
  test('R-1.8 R-2.59 today is shown as totals, stops and trips from all of its positions', async () => {
    await using page = await open(`/trackers/${REX}/history`)
    const legs = await page.legs()
    expect(page.screen.getByRole('heading', { level: 1, name: 'History' })).toBeVisible()
    expect(document.title).toBe('Whereabouts - History')
    expect(within(legs).getAllByRole('button', { name: /Stopped|Home/ }).length).toBeGreaterThan(1)
    expect(within(legs).getAllByRole('button', { name: /Walk, .*k?m.*up to \d+ km\/h/ }).length).toBeGreaterThan(1)
    for (const total of ['Distance', 'Moving', 'Stops', 'Longest stop', 'Points']) expect(page.screen.getByText(total)).toBeVisible()
    expect(page.asked()[0]?.get('not_before')).toBe('2026-03-02T00:00:00.000Z')
    expect(page.asked()[0]?.has('not_after')).toBe(false)
    expect(page.screen.getByRole('link', { name: 'Back to Rex' })).toHaveAttribute('href', `/trackers/${REX}`)
  })

  test('R-1.8 every position is listed in order of time', async () => {
    await using page = await open(`/trackers/${REX}/history?day=2026-02-20`)
    await page.user.click(await page.screen.findByText(/^All \d+ points$/))
    const rows = await page.screen.findAllByRole('row')
    const times = rows.slice(1).map((row) => minutesOf(within(row).getAllByRole('cell')[0]?.textContent))
    expect(times.length).toBeGreaterThan(20)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test('R-2.59 the previous day, the next day and today each have their own address', async () => {
    await using page = await open(`/trackers/${REX}/history?day=2026-02-20`)
    const { user, screen } = page
    await page.legs()
    expect(page.asked()[0]?.get('not_after')).toBe('2026-02-20T23:59:59.999Z')
    await user.click(screen.getByRole('button', { name: 'Previous day' }))
    await screen.findByText(/^Thu,\sFeb\s19$/)
    expect(window.location.search).toBe('?day=2026-02-19')
    await user.click(screen.getByRole('button', { name: 'Next day' }))
    await screen.findByText(/^Fri,\sFeb\s20$/)
    expect(window.location.search).toBe('?day=2026-02-20')
    await user.click(screen.getByRole('button', { name: 'Today' }))
    await screen.findByText('Monday, March 2')
    expect(window.location.search).toBe('?day=2026-03-02')
    expect(screen.queryByRole('button', { name: 'Today' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Next day' })).toBeDisabled()
  })

  test('R-8.25 a day without data keeps the map and offers the last day with data', async () => {
    await using page = await open(`/trackers/${PUPPY}/history`)
    expect(await page.screen.findByRole('heading', { name: 'No data for this period' })).toBeVisible()
    expect(page.screen.getByRole('region', { name: 'Map' })).toBeInTheDocument()
    await page.user.click(page.screen.getByRole('button', { name: /^Go to/ }))
    expect(await page.legs()).toBeVisible()
  })
})

describe('summaries', () => {
  test("R-1.9 a stop at a place shows the place's name, and the time at places adds up", async () => {
    await using page = await open(`/trackers/${REX}/history?day=2026-02-20`)
    const legs = await page.legs()
    expect((await within(legs).findAllByRole('button', { name: /Home/ })).length).toBeGreaterThan(1)
    const places = within(await page.screen.findByRole('list', { name: 'Time at places' }))
    expect(places.getAllByRole('listitem')[0]).toHaveTextContent(/^Home\d+ h/)
    expect(page.asked()).toHaveLength(1)
  })

  test('R-1.8 seven days are loaded on demand, and each is one click away', async () => {
    await using page = await open(`/trackers/${REX}/history?day=2026-02-28`)
    await page.user.click(await page.screen.findByText('Activity per day', {}, { timeout: 40_000 }))
    const week = within(await page.screen.findByRole('list', { name: 'Activity per day' }))
    expect(week.getAllByRole('button')).toHaveLength(7)
    expect(week.getByRole('button', { name: /^Sat, Feb 28/ })).toHaveAttribute('aria-pressed', 'true')
    await page.user.click(await week.findByRole('button', { name: /^Thu, Feb 26\s?\d+\sh.* · [\d.]+\skm$/ }))
    await waitFor(() => expect(window.location.search).toBe('?day=2026-02-26'))
    await waitFor(() => expect(week.getByRole('button', { name: /^Thu, Feb 26/ })).toHaveAttribute('aria-pressed', 'true'))
    expect(page.asked().filter((asked) => asked.get('not_before')?.startsWith('2026-02-26'))).toHaveLength(1)
  })
})

describe('failures', () => {
  test('a period that ends before it begins is refused without a request', async () => {
    await using page = await open(`/trackers/${REX}/history?from=2026-02-22&to=2026-02-20`)
    await waitFor(() => expect(page.screen.getByRole('alert')).toHaveTextContent('Invalid period'))
    expect(page.asked()).toEqual([])
    await page.user.click(page.screen.getByRole('button', { name: 'Today' }))
    expect(await page.legs()).toBeVisible()
  })

  test("another account's tracker is reported as unknown, like one that does not exist", async () => {
    await using page = await open('/trackers/999999/history')
    await waitFor(() => expect(page.screen.getByRole('alert')).toHaveTextContent('Tracker not found'))
    expect(page.asked()).toEqual([])
  })

  test('R-7.29 a failed read shows an error next to the map, and trying again recovers', async () => {
    const read = vi.spyOn(positionsApi, 'history').mockRejectedValue(new ApiError(500, { code: 'server_error' }))
    await using page = await open(`/trackers/${REX}/history`)
    const again = await page.screen.findByRole('button', { name: 'Try again' })
    expect(page.screen.getByRole('region', { name: 'Map' })).toBeInTheDocument()
    read.mockRestore()
    await page.user.click(again)
    expect(await page.legs()).toBeVisible()
  })
})

describe('replay', () => {
  test('R-2.59 the slider announces time, speed and battery, and choosing a leg seeks to it', async () => {
    await using page = await open(`/trackers/${REX}/history?day=2026-02-20`)
    const slider = await page.slider()
    expect(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/^\d+:\d\d\s[AP]M, \d+ km\/h · \d+%, .+ · .+ · .+$/))
    const leg = within(await page.legs()).getAllByRole('button', { name: /Walk/ })[1]!
    await page.user.click(leg)
    expect(leg).toHaveAttribute('aria-pressed', 'true')
    expect(leg.textContent?.startsWith(slider.getAttribute('aria-valuetext')?.split(',')[0] ?? '-')).toBe(true)
    await page.user.click(leg)
    expect(leg).toHaveAttribute('aria-pressed', 'false')
  })

  test('a typed time shows state, duration and address of that moment, and the row of the timeline follows', async () => {
    const follow = vi.fn()
    Element.prototype.scrollIntoView = follow
    await using page = await open(`/trackers/${REX}/history?day=2026-02-20`)
    const { user, screen } = page
    const slider = await page.slider()
    await user.click(screen.getByRole('button', { name: /^\d+:\d\d\s[AP]M$/ }))
    const field = screen.getByRole('textbox', { name: 'Type a time' })
    await user.clear(field)
    await user.type(field, 'noon{Enter}')
    expect(screen.getByText('Write a time such as 15:00.')).toBeVisible()
    await user.clear(field)
    await user.type(field, '15:00{Enter}')
    expect(new Date(Number(slider.getAttribute('value'))).getHours()).toBe(15)
    const row = within(await page.legs())
      .getAllByRole('button')
      .find((one) => one.dataset.now)!
    const [title] = within(row).getByText(/./, { selector: 'b' }).textContent!.split(',')
    const address = within(row).getByText(/./, { selector: 'small[title]' }).textContent!
    expect(screen.getByText((text) => text.startsWith(title!) && text.includes(' · ') && text.endsWith(address))).toBeVisible()
    expect(follow.mock.contexts.at(-1)).toContainElement(row)
  })

  test('an address with a time starts the replay at it', async () => {
    await using page = await open(`/trackers/${REX}/history?day=2026-02-20&at=15:00`)
    expect((await page.slider()).getAttribute('aria-valuetext')).toMatch(/^3:00\sPM, /)
  })

  test('the replay never runs past the last known position', async () => {
    await using page = await open(`/trackers/${REX}/history`)
    const slider = await page.slider()
    const last = slider.getAttribute('aria-valuetext')
    fireEvent.change(slider, { target: { value: slider.getAttribute('max') } })
    expect(slider.getAttribute('aria-valuetext')).toBe(last)
  })

  test('the replay plays, pauses and changes its speed', async () => {
    await using page = await open(`/trackers/${REX}/history?day=2026-02-20`)
    const { user, screen } = page
    const slider = await page.slider()
    const before = slider.getAttribute('aria-valuetext')
    await user.click(screen.getByRole('button', { name: '×10: 10 minutes per second' }))
    expect(screen.getByRole('button', { name: '×60: 60 minutes per second' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Play' }))
    await waitFor(() => expect(slider.getAttribute('aria-valuetext')).not.toBe(before))
    await user.click(screen.getByRole('button', { name: 'Pause' }))
    expect(screen.getByRole('button', { name: 'Play' })).toBeVisible()
  })
})

test('R-1.14 the period shown is exported as CSV, and an empty day gives only the header row', async () => {
  const save = vi.spyOn(download, 'saveFile').mockImplementation(() => undefined)
  await using page = await open(`/trackers/${PUPPY}/history`)
  await page.user.click(await page.screen.findByRole('button', { name: 'Export or import' }))
  await page.user.click(await page.screen.findByRole('button', { name: 'Export csv' }))
  await waitFor(() => expect(save).toHaveBeenCalledOnce())
  const [bytes, name] = save.mock.calls[0]!
  expect(name).toBe('Puppy_2026-03-02_2026-03-02.csv')
  expect(new TextDecoder().decode(bytes)).toBe('datetime,latitude,longitude,precision,address,event,battery\r\n')
  expect(page.calls.find(({ path }) => path.includes('export_csv'))?.headers.get('authorization')).toMatch(/^Bearer /)
})

test("a history shows that its positions were removed by the owner's setting", async () => {
  await using portal = await startPortal()
  await portal.call('alice@example.com', 'PUT', '/users/retention/', { days: 30 })
  await portal.call(null, 'POST', '/mock/clock/advance', { by: 'P1D' })
  const at = `/trackers/${PUPPY}/history?from=2026-01-05&to=2026-01-06`
  await renderAt(at, { portal, as: 'alice@example.com', config: { features: [...FEATURES] } })
  expect(await screen.findByText(/^Positions before Feb 1, 2026 were removed/)).toBeVisible()
})
