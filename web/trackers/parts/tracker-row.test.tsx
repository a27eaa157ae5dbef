import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { loadWords, startLanguage } from '#web/lib/i18n/i18n.ts'
import { LiveBadge } from '#web/trackers/live/live-badge.tsx'
import { SAMPLE_AT, sampleDevice } from '#web/trackers/sample-device.ts'
import { BatteryGlyph } from './battery-glyph.tsx'
import { KindDisc } from './kind-icon.tsx'
import { TrackerRow } from './tracker-row.tsx'

beforeAll(async () => {
  await startLanguage('en')
  await loadWords(['inside'])
})

const minutesAgo = (n: number) => new Date(SAMPLE_AT.getTime() - n * 60_000).toISOString()
const row = (device: Device, isChosen = false, now = SAMPLE_AT) => (
  <MantineProvider>
    <MemoryRouter>
      <TrackerRow device={device} now={now} isChosen={isChosen} />
    </MemoryRouter>
  </MantineProvider>
)
const show = (...parts: Parameters<typeof row>) => {
  const view = render(row(...parts))
  return { ...view, link: screen.getByRole('link') }
}

describe('R-2.57 tracker row', () => {
  test("a row shows name, state, address, battery and age, and links to the tracker's page", () => {
    const { link } = show(sampleDevice({ id: 7, status: { stationary_since: minutesAgo(30) } }))
    expect(link).toHaveAttribute('href', '/trackers/7')
    expect(link).toHaveTextContent('Rex')
    expect(link).toHaveTextContent('Stationary for 30 minutes · Rambla República de Chile 4507, Malvín')
    expect(link).toHaveTextContent('Battery85%')
    expect(link).toHaveTextContent('now')
  })

  test('at a place of the account the row shows its name, with the address as a tooltip', () => {
    render(
      <MemoryRouter>
        <TrackerRow device={sampleDevice()} place="Home" now={SAMPLE_AT} />
      </MemoryRouter>,
    )
    expect(screen.getByRole('link')).toHaveTextContent('Moving · Home')
    expect(screen.getByTitle('Moving · Home · Rambla República de Chile 4507, Malvín')).toBeVisible()
  })

  test('R-3.7 without an address the row shows coordinates', () => {
    expect(show(sampleDevice({ status: { last_address: null } })).link).toHaveTextContent('Moving · -34.90000, -56.16000')
  })

  test('a tracker without any position shows only that', () => {
    const { link } = show(sampleDevice({ status: { last_position: null, last_address: null, last_event: null } }))
    expect(link).toHaveTextContent('No position')
    expect(link).not.toHaveTextContent('·')
    expect(link).not.toHaveTextContent('ago')
  })

  test.each([
    [2, '2 min. ago'],
    [125, '2 hr. ago'],
    [60 * 26, 'yesterday'],
  ])('a position %d minutes old is shown as "%s"', (minutes, words) => {
    const last_position = { lat: -34.9, lng: -56.16, precision: 6, datetime: minutesAgo(minutes) }
    expect(show(sampleDevice({ status: { last_position } })).link).toHaveTextContent(words)
  })

  test('the chosen row is marked and scrolled into view', () => {
    const seen = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {})
    const { link, rerender } = show(sampleDevice())
    expect(link).not.toHaveAttribute('aria-current')
    expect(seen).not.toHaveBeenCalled()
    rerender(row(sampleDevice(), true))
    expect(link).toHaveAttribute('aria-current', 'true')
    expect(seen).toHaveBeenCalledOnce()
    seen.mockRestore()
  })
})

describe('R-4.18 R-4.9 attention marks', () => {
  test.each([
    ['Low battery', { status: { battery: 7 } }],
    ['Lost mode', { config: { mode: 7 } }],
    ['Network deactivated', { config: { network_state: 'deactivated' as const } }],
    ['Subscription not activated', { status: { sub_state: 'not_activated' } }],
    ['Low battery, Subscription ended', { status: { battery: 7, sub_end_date: minutesAgo(60) } }],
  ])('a tracker that needs attention has the mark "%s"', (words, parts) => {
    show(sampleDevice(parts))
    expect(screen.getByRole('img', { name: words })).toBeInTheDocument()
  })

  test('a tracker without problems has no mark', () => {
    show(sampleDevice())
    expect(screen.queryByRole('img')).toBeNull()
  })
})

describe('battery', () => {
  const cell = () => document.querySelector<HTMLElement>('[style*="--charge"]')
  test('a battery is labelled and drawn with its level, and red when low', async () => {
    expect(
      await collectFailures(
        [
          [100, '100%', '100%', false],
          [20, '20%', '20%', false],
          [19, '19%', '19%', true],
          [0, '0%', '0%', true],
        ] as const,
        JSON.stringify,
        ([battery, words, full, isLow]) => {
          cleanup()
          render(<BatteryGlyph device={sampleDevice({ status: { battery } })} />)
          expect(screen.getByText(words)).toBeInTheDocument()
          expect(cell()?.style.getPropertyValue('--charge')).toBe(full)
          expect(cell()?.hasAttribute('data-low')).toBe(isLow)
        },
      ),
    ).toEqual([])
  })

  test('a battery measured in millivolts is labelled in millivolts and still drawn', () => {
    render(<BatteryGlyph device={sampleDevice({ type: 'tracker_02', status: { battery: 3650 } })} />)
    expect(screen.getByText('3650 mV')).toBeInTheDocument()
    expect(cell()).not.toBeNull()
  })

  test.each([null, -1])('an unknown battery level (%s) is not drawn', (battery) => {
    render(<BatteryGlyph device={sampleDevice({ status: { battery } })} />)
    expect(screen.getByText('?')).toBeInTheDocument()
    expect(cell()).toBeNull()
  })

  test('the battery has a label for screen readers', () => {
    render(<BatteryGlyph device={sampleDevice()} />)
    expect(screen.getByText('Battery')).toBeInTheDocument()
  })
})

test('each kind has its own picture and colour', () => {
  const looks = KINDS.map((kind) => {
    const { container, unmount } = render(<KindDisc of={{ kind }} />)
    const look = { picture: container.querySelector('svg')?.innerHTML, colour: container.querySelector('span')?.getAttribute('style') }
    unmount()
    return look
  })
  expect(KINDS.length).toBeGreaterThan(5)
  expect(new Set(looks.map(({ picture }) => picture)).size).toBe(KINDS.length)
  expect(new Set(looks.map(({ colour }) => colour)).size).toBe(KINDS.length)
})

test.each([
  ['connecting', 'Connecting…'],
  ['live', 'Live'],
  ['offline', 'Offline'],
] as const)('a %s stream shows the status "%s", for screen readers too', (state, words) => {
  render(<LiveBadge state={state} />)
  expect(screen.getByRole('status', { name: 'Live view' })).toHaveTextContent(words)
})
