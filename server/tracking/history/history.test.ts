import { expect, test } from 'vitest'
import type { HistoryPoint } from '#contracts/positions.ts'
import { decodeTrack } from '#contracts/track/codec.ts'
import { pointAt } from '#contracts/track/columns.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { rex, newTracker } = SEED.devices

/** Adds a position every `step` seconds up to now, on a walk through the city with reports of events and of the battery in between. */
function fill({ world, clock }: Portal, count: number, step: number) {
  const now = clock.now().getTime() / 1000
  const rows = Array.from({ length: count }, (_, index) => ({
    time: now - (count - 1 - index) * step,
    lat: -349_057_000 + ((index * 37) % 9000),
    lng: -561_600_000 + ((index * 53) % 90_000),
    precision: 5 + (index % 7),
    event: index % 50 === 0 ? 1 : null,
    battery: index % 9 === 0 ? null : 90 - Math.floor(index / 200),
  }))
  return world.db.write('everything', (tx) => world.positions.add(tx, newTracker, rows))
}

async function readTrack(portal: Portal, query: object = {}, id: number = newTracker) {
  const headers = { authorization: `Bearer ${await portal.token(ALICE)}` }
  const response = await portal.fetch(`/devices/${id}/tracker_data/track/?${new URLSearchParams({ ...query })}`, { headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, type: response.headers.get('content-type'), bytes }
}

function decode(bytes: Uint8Array): HistoryPoint[] {
  const work = decodeTrack(bytes)
  let step = work.next()
  while (!step.done) step = work.next()
  const { value } = step
  return Array.from({ length: value.length }, (_, index) => pointAt(value, index))
}

async function readPages(portal: Portal, query: object) {
  const points: HistoryPoint[] = []
  for (let next: string | null = `/devices/${newTracker}/tracker_data/?${new URLSearchParams({ ...query })}`; next; ) {
    const { body } = await portal.call(ALICE, 'GET', next)
    points.push(...body.results)
    next = body.next
  }
  return points
}

const withMillis = (points: HistoryPoint[]) => points.map((point) => ({ ...point, datetime: new Date(point.datetime).toISOString() }))

test('the compact response has the same positions as all pages of the period together', async () => {
  await using portal = await startPortal()
  await fill(portal, 2300, 30)
  for (const query of [{}, { not_before: '2026-03-01T15:00:10Z', not_after: '2026-03-02T04:59:59Z' }]) {
    const { status, type, bytes } = await readTrack(portal, query)
    const pages = await readPages(portal, query)
    expect([status, type]).toEqual([200, 'application/vnd.whereabouts.track'])
    expect(pages.length).toBeGreaterThan(1500)
    expect(decode(bytes)).toEqual(withMillis(pages))
  }
})

test('a day of 10,000 positions takes at most 100 kB', async () => {
  await using portal = await startPortal()
  await fill(portal, 10_000, 8)
  const { bytes } = await readTrack(portal)
  expect(decode(bytes)).toHaveLength(10_000)
  expect(bytes.length).toBeLessThan(100_000)
})

test('a period without positions is an empty response', async () => {
  await using portal = await startPortal()
  const { status, bytes } = await readTrack(portal, { not_before: '2026-03-02T09:00:01Z', not_after: '2026-03-02T10:00:00Z' })
  expect([status, decode(bytes)]).toEqual([200, []])
})

test('a period that ends before it begins, or is too long, is refused as for the pages', async () => {
  await using portal = await startPortal()
  for (const not_before of ['2026-03-03T00:00:00Z', '2024-01-01T00:00:00Z']) {
    const { status, bytes } = await readTrack(portal, { not_before, not_after: '2026-03-02T00:00:00Z' }, rex)
    expect([status, JSON.parse(new TextDecoder().decode(bytes)).code]).toEqual([400, 'invalid_period'])
  }
})

test('other requests are served while a long history is sent', async () => {
  await using portal = await startPortal()
  await fill(portal, 100_000, 300)
  const address = await portal.app.listen({ host: '127.0.0.1', port: 0 })
  const from = new Date(portal.clock.now().getTime() - 365 * 86_400_000).toISOString()
  const headers = { authorization: `Bearer ${await portal.token(ALICE)}` }
  const response = await fetch(`${address}/devices/${newTracker}/tracker_data/track/?not_before=${from}`, { headers })
  const pieces: Uint8Array[] = []
  let answered = 0
  for await (const piece of response.body!) {
    pieces.push(piece)
    if ((await fetch(`${address}/options/`, { headers })).ok) answered++
  }
  expect(decode(Buffer.concat(pieces))).toHaveLength(100_000)
  expect(answered).toBeGreaterThan(5)
})
