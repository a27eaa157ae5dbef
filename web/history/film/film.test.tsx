import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Leg } from '#contracts/rules/history/trips.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Config } from '#web/lib/config.ts'
import { openAs } from '#web/test/open-as.tsx'
import { extensionOf, recordFilm } from './film.ts'
import { FILM, fitView, listTiles, planFilm, project } from './film-view.ts'

const leg = (kind: Leg['kind'], start: number, end: number): Leg => ({
  kind,
  start,
  end,
  durationMs: end - start,
  first: 0,
  last: 0,
  meters: 0,
  topSpeedKmh: 0,
})
const day = [leg('stop', 0, 400), leg('trip', 400, 500), leg('stop', 500, 900), leg('trip', 900, 1000), leg('stop', 1000, 2000)]

test.each<[rule: string, legs: Leg[], share: number, time: number]>([
  ['a film begins with the first trip', day, 0, 400],
  ['a film ends with the last trip', day, 1, 1000],
  ['its last picture stands for a while', day, 0.95, 1000],
  ['a stop is passed in a moment: before it the first trip', day, 0.93 * 0.4875, 500],
  ['a stop is passed in a moment: after it the second trip', day, 0.93 * 0.5125, 900],
  ['trips are shown in even time', day, 0.93 * 0.24375, 450],
  ['one trip fills the film', [leg('trip', 100, 300)], 0.93 * 0.5, 200],
  ['a history without trips is shown in even time', [], 0.93 * 0.5, 1000],
])('%s', (_, legs, share, time) => {
  expect(planFilm(legs, { first: 0, last: 2000 })(share)).toBeCloseTo(time, 5)
})

test.each([
  ['a walk', [-34.9, -56.1], [-34.91, -56.08]],
  ['a flight', [-34.9, -56.1], [60, 100]],
  ['a trip across the date line', [-17, 179.9], [-16.9, -179.9]],
  ['a tracker that stood still', [52, 13], [52, 13]],
] as const)('the view of %s shows it between texts and margin, and tiles cover it without a gap', (_, a, b) => {
  const [from, to] = [a, b].map(([lat, lng]) => ({ lat, lng }))
  const view = fitView([from!, to!])
  for (const [x, y] of [project(view, from!), project(view, to!)]) {
    expect(x).toBeGreaterThanOrEqual(59.9)
    expect(x).toBeLessThanOrEqual(FILM.width - 59.9)
    expect(y).toBeGreaterThanOrEqual(169.9)
    expect(y).toBeLessThanOrEqual(FILM.height - 79.9)
  }
  expect(view.zoom).toBeLessThanOrEqual(17)
  const tiles = listTiles(view, { url: 'https://{s}.tiles.example/{z}/{x}/{y}{r}.png?theme={theme}', maxZoom: 19 }, 'dark')
  expect(tiles.length).toBeLessThan(64)
  const area = tiles.reduce((sum, { x, y, size }) => {
    const [width, height] = [Math.min(FILM.width, x + size) - Math.max(0, x), Math.min(FILM.height, y + size) - Math.max(0, y)]
    return sum + Math.max(0, width) * Math.max(0, height)
  }, 0)
  expect(area).toBeCloseTo(FILM.width * FILM.height, 0)
  for (const { url } of tiles) expect(url).toMatch(/^https:\/\/[abc]\.tiles\.example\/\d+\/\d+\/\d+\.png\?theme=dark$/)
})

const track = { stop: vi.fn() }

/** Records nothing, but has the API of a browser. */
class FakeRecorder {
  static isTypeSupported = (type: string) => type === 'video/webm'
  static last: FakeRecorder
  state = 'inactive'
  mimeType: string
  ondataavailable?: (event: { data: Blob }) => void
  onstop?: () => void
  onerror?: () => void
  calls: string[] = []
  constructor(_: unknown, { mimeType = '' }: { mimeType?: string }) {
    this.mimeType = `${mimeType};codecs=vp8`
    FakeRecorder.last = this
  }
  start() {
    this.state = 'recording'
  }
  pause() {
    this.calls.push('pause')
  }
  resume() {
    this.calls.push('resume')
  }
  stop() {
    this.state = 'inactive'
    this.ondataavailable?.({ data: new Blob(['film']) })
    this.onstop?.()
  }
}

beforeEach(() => {
  vi.stubGlobal('MediaRecorder', FakeRecorder)
  Object.assign(HTMLCanvasElement.prototype, { captureStream: () => ({ getTracks: () => [track] }) })
  HTMLImageElement.prototype.decode = () => Promise.resolve()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  Reflect.deleteProperty(HTMLCanvasElement.prototype, 'captureStream')
})

test('a film is drawn from its beginning to its end, pauses while the page is hidden, and releases the canvas', async () => {
  const shares: number[] = []
  const canvas = document.createElement('canvas')
  const recording = recordFilm({ canvas, seconds: 0.3, draw: (share) => shares.push(share), signal: new AbortController().signal })
  vi.spyOn(document, 'hidden', 'get').mockReturnValueOnce(true).mockReturnValue(false)
  fireEvent(document, new Event('visibilitychange'))
  fireEvent(document, new Event('visibilitychange'))
  const film = await recording
  expect([film.type, film.size, extensionOf(film.type), extensionOf('video/mp4')]).toEqual(['video/webm', 4, 'webm', 'mp4'])
  expect([shares[0], shares.at(-1)]).toEqual([0, 1])
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(FakeRecorder.last.calls).toEqual(['pause', 'resume'])
  expect(track.stop).toHaveBeenCalled()
})

test('a film that is cancelled or that the browser cannot record is rejected', async () => {
  const canvas = document.createElement('canvas')
  const abort = new AbortController()
  const cancelled = recordFilm({ canvas, seconds: 60, draw() {}, signal: abort.signal })
  abort.abort()
  await expect(cancelled).rejects.toThrow()
  const broken = recordFilm({ canvas, seconds: 60, draw() {}, signal: new AbortController().signal })
  FakeRecorder.last.onerror?.()
  await expect(broken).rejects.toThrow('stopped recording')
})

const open = (config: Partial<Config> = {}) => openAs('alice@example.com', `/trackers/${SEED.devices.rex}/history?day=2026-03-01`, config)

test('a day is recorded with a progress bar, cancelled, recorded again and saved as a file', async () => {
  const saved: string[] = []
  URL.createObjectURL = () => 'blob:film'
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  await using page = await open()
  await page.user.click(await screen.findByRole('button', { name: 'Save as a film' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as a film' }))
  await page.user.click(dialog.getByRole('radio', { name: /^10/ }))
  const make = () => dialog.findByRole('button', { name: 'Make the film' })
  await waitFor(async () => expect(await make()).toBeEnabled())
  await page.user.click(await make())
  expect(await dialog.findByRole('progressbar')).toBeVisible()
  await page.user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await page.user.click(await make())
  expect(await dialog.findByRole('progressbar')).toBeVisible()
  FakeRecorder.last.stop()
  expect(await dialog.findByText('The film is ready.')).toBeVisible()
  await page.user.click(dialog.getByRole('button', { name: 'Save film' }))
  await waitFor(() => expect(saved).toEqual(['Rex_2026-03-01.webm']))
})

test('if the map server forbids using its pictures, the film is offered without the map, with a note', async () => {
  HTMLImageElement.prototype.decode = () => Promise.reject(new Error('CORS'))
  await using page = await open({ tiles: { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: 'Them', maxZoom: 19 } })
  await page.user.click(await screen.findByRole('button', { name: 'Save as a film' }))
  expect(await screen.findByText(/^The server of the map does not allow its pictures in films/)).toBeVisible()
  expect(screen.queryByRole('checkbox', { name: 'With the map' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Make the film' })).toBeEnabled()
})

test('a browser that cannot record has no such button', async () => {
  Reflect.deleteProperty(HTMLCanvasElement.prototype, 'captureStream')
  await using _page = await open()
  expect(await screen.findByRole('button', { name: 'Play' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Save as a film' })).toBeNull()
})
