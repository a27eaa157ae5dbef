import { afterEach, beforeEach, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { setClientPorts } from '#web/lib/api/api.ts'
import { setConfig } from '#web/lib/config.ts'
import { pointsOf } from '#web/test/points-of.ts'
import { CONFIG } from '#web/test/sample-config.ts'
import { readTrace } from './read-trace.ts'

const PERIOD = { not_before: '2026-02-01T00:00:00Z', not_after: '2026-03-02T00:00:00Z' }
let portal: Awaited<ReturnType<typeof startPortal>>
let asked: string[]
let left: string[]
/** Replaces responses, by the number of the request; undefined lets it through. */
let answer: (path: string, nth: number) => Promise<Response | undefined> | Response | undefined

beforeEach(async () => {
  portal = await startPortal()
  asked = []
  left = []
  answer = () => undefined
  const token = await portal.token('alice@example.com')
  setClientPorts({
    base: '',
    token: () => token,
    onLeave: (reason) => left.push(reason) > 0,
    fetch: async (input, { signal: _, ...init } = {}) =>
      (await answer(String(input), asked.push(String(input)))) ?? portal.fetch(String(input), init),
  })
})
afterEach(() => portal[Symbol.asyncDispose]())

const read = async (features?: string[]) => {
  setConfig({ ...CONFIG, features })
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const positions = await readTrace(1, PERIOD, { signal: new AbortController().signal, onProgress: () => undefined, pause })
  return { points: pointsOf(positions), pauses, borders: positions.borders }
}

test('one request reads the compact response, with the same positions as the pages', async () => {
  const { points } = await read(['history', 'track'])
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('/devices/1/tracker_data/track/?not_before=2026-02-01')
  const pages = await read(['history'])
  expect(pages.points.length).toBeGreaterThan(1000)
  expect(points).toEqual(pages.points)
})

test('without a list of features the pages are read, which every backend has', async () => {
  await read()
  expect(asked.length).toBeGreaterThan(2)
  expect(asked.some((path) => path.includes('/track/'))).toBe(false)
})

test('a truncated compact response is requested again', async () => {
  answer = async (path, nth) => (nth === 1 ? new Response((await (await fetchWhole(path)).arrayBuffer()).slice(0, 5000)) : undefined)
  const { points, pauses } = await read(['history', 'track'])
  expect([asked.length, pauses.length, left]).toEqual([2, 1, []])
  expect(points.length).toBeGreaterThan(1000)
})

test('if the compact response turns out to be missing, the pages are read', async () => {
  answer = (path) => (path.includes('/track/') ? new Response('{"detail":"Not found."}', { status: 404 }) : undefined)
  expect((await read(['history', 'track'])).points.length).toBeGreaterThan(1000)
})

test("the tracker's positions at the borders of the period are read in parallel to its positions", async () => {
  const { borders } = await read(['history', 'track', 'days'])
  expect(asked.filter((path) => path.includes('/days/borders/'))).toHaveLength(1)
  expect(borders).toEqual({ start: expect.objectContaining({ datetime: Date.parse(PERIOD.not_before) }), end: expect.anything() })
})

test('a history is shown without its borders if the backend does not have them', async () => {
  answer = (path) => (path.includes('/borders/') ? new Response('{"detail":"Not found."}', { status: 404 }) : undefined)
  const { points, borders } = await read(['history', 'track', 'days'])
  expect(points.length).toBeGreaterThan(1000)
  expect(borders).toBeUndefined()
})

test('a page that fails is requested again without leaving the screen, and nothing is lost', async () => {
  answer = (path, nth) => {
    if (!path.includes('page=')) return undefined
    if (nth === 2) throw new TypeError('Failed to fetch')
    return nth === 3 ? new Response('', { status: 502 }) : undefined
  }
  const { points, pauses } = await read(['history'])
  expect([pauses.length, left]).toEqual([2, []])
  expect(points.length).toBeGreaterThan(1000)
})

test('a page that keeps failing is an error like any other', async () => {
  answer = (path) => (path.includes('page=3') ? new Response('', { status: 500 }) : undefined)
  await expect(read(['history'])).rejects.toMatchObject({ status: 500 })
})

async function fetchWhole(path: string) {
  return portal.fetch(path, { headers: { authorization: `Bearer ${await portal.token('alice@example.com')}` } })
}
