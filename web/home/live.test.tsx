import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { clock } from '#web/lib/clock.ts'
import { withLive } from '#web/test/live.ts'
import { renderAt } from '#web/test/render-at.tsx'
// This import also stubs the canvas for jsdom.
import '#web/test/open-as.tsx'

const REX = 'ALICE0000001'
const MISTY = 'ALICE0000002'

beforeEach(() => void vi.spyOn(clock, 'now').mockImplementation(() => new Date('2026-03-02T09:00:00Z')))
afterEach(() => void vi.restoreAllMocks())

/** Opens a page with a server that has an open live stream and trackers that can send messages. */
async function open(path: string) {
  const portal = await startPortal()
  const server = withLive(portal, 'alice')
  const view = await renderAt(path, { portal: server, as: 'alice@example.com' })
  return {
    ...view,
    portal,
    live: async () => {
      const badge = await screen.findByRole('status', { name: 'Live view' })
      await waitFor(() => expect(badge).toHaveTextContent('Live'))
    },
    async speak(serial: string, message: object) {
      const body = { serial, positions: [], ...message }
      const answer = await portal.call(null, 'POST', '/devices/ingest/', body, { 'x-device-key': DEVICE_KEY })
      expect(answer.status).toBe(201)
    },
    reads: () => view.calls.filter(({ path: asked }) => asked.startsWith('/devices/?')).length,
    async [Symbol.asyncDispose]() {
      view.unmount()
      await portal[Symbol.asyncDispose]()
    },
  }
}

const at = (minute: number, lat = -34.9101, lng = -56.1402) => ({
  lat,
  lng,
  precision: 7,
  datetime: new Date(Date.UTC(2026, 2, 2, 8, 59, minute)).toISOString(),
})
const row = (name: string) =>
  within(screen.getByRole('region', { name: 'List of trackers' })).getByRole('link', { name: new RegExp(`^${name}`) })

describe('live updates', () => {
  test('the badge shows that the map is live', async () => {
    await using page = await open('/')
    await page.live()
    expect(page.reads()).toBe(1)
  })

  test('R-3.5 a new battery level appears in the row and on the card', async () => {
    await using page = await open('/trackers/1')
    await page.live()
    await page.speak(REX, { battery: 12 })
    await waitFor(() => expect(row('Rex')).toHaveTextContent('12%'))
    expect(within(await screen.findByRole('article')).getByText(/12%/)).toBeVisible()
    expect(row('Rex')).toContainElement(within(row('Rex')).getByRole('img', { name: 'Low battery' }))
    expect(page.reads()).toBe(1)
  })

  test('R-3.6 a new address appears on the card', async () => {
    await using page = await open('/trackers/1')
    await page.live()
    await screen.findByRole('article')
    const exact = () => screen.getByRole('article').querySelector('header p')?.textContent
    expect(exact()).not.toContain('±7')
    await page.speak(REX, { positions: [at(59)] })
    await waitFor(() => expect(exact()?.replace(/\s/g, ' ')).toMatch(/ · ±7 m$/))
    expect(page.reads()).toBe(1)
  })

  test('R-4.3 an applied mode appears on the card', async () => {
    await using page = await open('/trackers/13')
    await page.live()
    expect(row('Delivery van')).toHaveTextContent('Settings sending')
    await page.speak('ALICE0000013', { battery: 69 })
    await waitFor(() => expect(row('Delivery van')).toHaveTextContent('Lost mode'))
    expect(screen.queryByText(/will apply at the next communication/)).toBeNull()
    expect(page.reads()).toBe(1)
  })

  test('R-2.57 the table of all trackers updates live', async () => {
    await using page = await open('/trackers')
    const line = () => screen.getByRole('row', { name: /^Misty/ })
    await waitFor(() => expect(line()).toHaveTextContent('40%'))
    await waitFor(() => expect(page.calls.some(({ path }) => path === '/devices/live/')).toBe(true))
    await page.speak(MISTY, { battery: 39 })
    await waitFor(() => expect(line()).toHaveTextContent('39%'))
    expect(page.reads()).toBe(1)
  })

  test("R-6.9 a message of another account's tracker changes nothing", async () => {
    await using page = await open('/')
    await page.live()
    // The names of places arrive later than the trackers.
    await waitFor(() => expect(row('Rex')).toHaveTextContent('Home'))
    const before = screen.getByRole('region', { name: 'List of trackers' }).textContent
    await page.portal.call(
      null,
      'POST',
      '/devices/ingest/',
      { serial: 'VICTOR000001', battery: 1, positions: [] },
      { 'x-device-key': DEVICE_KEY },
    )
    await page.speak(REX, { battery: 84 })
    await waitFor(() => expect(row('Rex')).toHaveTextContent('84%'))
    expect(screen.getByRole('region', { name: 'List of trackers' }).textContent).toBe(before?.replace('85%', '84%'))
  })
})

test("R-1.8 today's history grows while it is shown", async () => {
  await using page = await open('/trackers/1/history')
  const slider = await screen.findByRole('slider')
  const points = () => Number(/\d+/.exec(screen.getByText(/^All \d+ points$/).textContent ?? '')?.[0])
  await waitFor(() => expect(page.calls.some(({ path }) => path === '/devices/live/')).toBe(true))
  const before = points()
  const { body } = await page.portal.call('alice@example.com', 'GET', '/devices/?type=tracker')
  const { lat, lng } = body[0].tracker_status.last_position
  await page.speak(REX, { positions: [at(58, lat, lng), at(59, lat, lng)] })
  await waitFor(() => expect(points()).toBeGreaterThan(before))
  expect(slider).toBeInTheDocument()
  expect(page.calls.filter(({ path }) => path.includes('/tracker_data/'))).toHaveLength(1)
})

test('R-1.8 the history of another day opens no live stream', async () => {
  await using page = await open('/trackers/1/history?day=2026-02-20')
  await screen.findByRole('slider')
  expect(page.calls.some(({ path }) => path === '/devices/live/')).toBe(false)
})
