import { expect, test } from 'vitest'
import type { WayList } from '#contracts/days.ts'
import { type NewPosition, toFixed7 } from '#db/positions.ts'
import { daySummaries } from '#db/schema/positions.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { summarizeDays } from '#server/jobs/summarize-days.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ALICE, startImport } from '#server/tracking/import/test-import.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
const ZONE = 'America/Montevideo'

const read = async ({ call }: Portal, id: number, query = 'from=2026-01-01&to=2026-01-31&tz=UTC'): Promise<WayList> => {
  const { status, body } = await call(ALICE, 'GET', `/devices/${id}/ways/?${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

/** An hour of rest, half an hour to a point `metres` to the north, and an hour there. */
const outing = (day: number, metres = 2000): NewPosition[] =>
  [...Array(151).keys()].map((minute) => ({
    time: Date.UTC(2026, 0, day, 9, minute) / 1000,
    lat: toFixed7(-34.9 + (metres * Math.min(30, Math.max(0, minute - 60))) / 30 / 111_195),
    lng: toFixed7(-56.1),
    precision: 5,
    event: null,
    battery: null,
  }))

test('D-76 a dog that is walked to the same spots each day has its favourite routes, with addresses of their ends', async () => {
  await using portal = await startPortal()
  const { ways, destinations, next } = await read(portal, SEED.devices.rex, `from=2026-01-01&to=2026-03-02&tz=${ZONE}`)
  expect(next).toBeNull()
  expect(ways.length).toBeGreaterThan(5)
  expect(ways.map(({ trips }) => trips)).toEqual(ways.map(({ trips }) => trips).toSorted((a, b) => b - a))
  const [first] = ways
  expect(first).toMatchObject({ round: false, from: { address: expect.any(String) }, to: { address: expect.any(String) } })
  expect(first!.points).toHaveLength(12)
  expect(destinations[0]?.visits).toBeGreaterThan(destinations[1]!.visits)
  expect(destinations[0]?.address).toBe('Rambla República de Chile 4507, Malvín')
})

test('the last trip of a route is a trip in the history of its day', async () => {
  await using page = await startImport()
  for (const day of [3, 4, 6]) await page.add(page.target, outing(day))
  const { ways } = await read(page.portal, page.target)
  expect(ways).toHaveLength(1)
  expect(ways[0]).toMatchObject({ trips: 3, last: expect.stringMatching(/^2026-01-06T(09:5|10:0)/) })
})

test('D-76 routes follow late positions, their removal and the period, and summaries without routes are computed again', async () => {
  await using page = await startImport()
  const { portal, target } = page
  const { world } = portal
  const counts = async (query?: string) => (await read(portal, target, query)).ways.map(({ trips }) => trips)
  expect(await read(portal, target)).toEqual({ ways: [], destinations: [], next: null })
  for (const day of [3, 4, 5]) await page.add(target, outing(day))
  await page.add(target, outing(6, 5000))
  expect(await counts()).toEqual([3])

  await page.add(target, outing(2))
  expect(await counts()).toEqual([4])
  await page.add(target, outing(1))
  await runDue(world, world.clock.now(), { jobs: [summarizeDays] })
  expect(await counts()).toEqual([5])
  expect(await counts('from=2026-01-03&to=2026-01-31&tz=UTC')).toEqual([3])
  expect(await counts('from=2026-01-04&to=2026-01-31&tz=UTC')).toEqual([])

  await world.db.write('everything', (tx) => tx.update(daySummaries).set({ sketches: null }))
  expect(await counts()).toEqual([5])
  await world.db.write('everything', (tx) => world.positions.removeUntil(tx, target, Date.UTC(2026, 0, 4) / 1000 - 1, 10_000))
  expect(await counts()).toEqual([])
})

test('routes of a period that is too long or ends before it begins are refused', async () => {
  await using portal = await startPortal()
  const ask = (query: string) => portal.call(ALICE, 'GET', `/devices/${SEED.devices.rex}/ways/?${query}`)
  for (const query of ['from=2025-01-01&to=2026-02-05', 'from=2026-01-02&to=2026-01-01'])
    expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'invalid_period' } })
})
