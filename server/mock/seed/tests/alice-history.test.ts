import { describe, expect, test } from 'vitest'
import type { HistoryPage, HistoryPoint } from '#contracts/positions.ts'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { millis } from '#contracts/rules/time.ts'
import { batteryDisplay } from '#contracts/rules/tracking/tracker.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startSharedPortal, t0 } from './testing.ts'

const { portal, read, trackersOf } = await startSharedPortal()
const trackers = await trackersOf('alice')
const dense = [1, 2, 3, 4, 5, 6]
const HOUR = 3_600_000

const url = (id: number, from: string, to: string, page = 1) =>
  `/devices/${id}/tracker_data/?not_before=${from}&not_after=${to}&page=${page}`

async function history(id: number, days: number): Promise<HistoryPoint[]> {
  const [from, to] = [t0({ days: -days }), t0()]
  const points: HistoryPoint[] = []
  for (let page = 1, more = true; more; page++) {
    const { results, next } = await read<HistoryPage>('alice', url(id, from, to, page))
    points.push(...results)
    more = next !== null
  }
  return points
}

const gaps = (points: HistoryPoint[]) => points.slice(1).map(({ datetime }, index) => millis(datetime) - millis(points[index]!.datetime))

describe('history through the API', () => {
  test('the first six trackers report for thirty days without a gap of more than an hour', async () => {
    expect(
      await collectFailures(
        dense,
        (id) => `tracker ${id}`,
        async (id) => {
          const points = await history(id, 30)
          expect(millis(points[0]!.datetime)).toBeLessThan(millis(t0({ days: -29.9 })))
          expect(Math.max(...gaps(points))).toBeLessThanOrEqual(HOUR)
          expect(points.length).toBeGreaterThan(30 * 24)
        },
      ),
    ).toEqual([])
  })

  test('positions are in order of time and unique per second, and those without a mark are accurate and within the city', async () => {
    expect(
      await collectFailures(
        dense,
        (id) => `tracker ${id}`,
        async (id) => {
          const points = await history(id, 3)
          expect(Math.min(...gaps(points))).toBeGreaterThan(0)
          for (const { lat, lng, precision } of points.filter(({ mark }) => mark === undefined)) {
            expect(distanceMeters({ lat, lng }, { lat: -34.89, lng: -56.15 })).toBeLessThan(20_000)
            expect(precision).toBeGreaterThan(0)
            expect(precision).toBeLessThan(50)
          }
        },
      ),
    ).toEqual([])
  })

  test('the New tracker has no positions', async () => {
    expect(await history(SEED.devices.newTracker, 366)).toEqual([])
    expect(await read<HistoryPage>('alice', `/devices/${SEED.devices.newTracker}/tracker_data/`)).toMatchObject({ count: 0, next: null })
  })

  test('R-8.25 Puppy has no data for the last 24 hours but some before', async () => {
    expect(await read<HistoryPage>('alice', `/devices/${SEED.devices.puppy}/tracker_data/`)).toMatchObject({ count: 0, results: [] })
    const points = await history(SEED.devices.puppy, 10)
    expect(points.length).toBeGreaterThan(20)
    expect(millis(points.at(-1)!.datetime)).toBeLessThan(millis(t0({ days: -1 })))
  })

  test('R-8.25 the csv of an empty day contains only the header row', async () => {
    const { status, body } = await portal.call('alice@example.com', 'GET', `/devices/${SEED.devices.puppy}/tracker_data/export_csv/`)
    expect([status, body]).toEqual([200, '\uFEFFdatetime,latitude,longitude,precision,address,event,battery\r\n'])
  })

  test('the Old tracker last reported 120 days ago', async () => {
    const points = await history(SEED.devices.oldTracker, 200)
    expect(points.length).toBeGreaterThan(0)
    expect(millis(points.at(-1)!.datetime)).toBeLessThanOrEqual(millis(t0({ days: -120 })))
    expect(millis(points.at(-1)!.datetime)).toBeGreaterThan(millis(t0({ days: -121 })))
  })

  test('R-3.6 the last position of a tracker is the newest of its history', async () => {
    expect(
      await collectFailures(
        trackers.filter(({ id }) => id !== 7),
        ({ name }) => name,
        async ({ id }) => {
          const { last_position: last } = trackers.find((device) => device.id === id)!.tracker_status
          const [point] = (await read<HistoryPage>('alice', url(id, last!.datetime, t0()))).results
          expect(point).toMatchObject(last!)
        },
      ),
    ).toEqual([])
  })

  test('the first six trackers have the densest histories', async () => {
    const counts = await Promise.all(trackers.map(async ({ id }) => [id, (await history(id, 31)).length] as const))
    const fewest = Math.min(...counts.flatMap(([id, count]) => (dense.includes(id) ? [count] : [])))
    for (const [id, count] of counts.filter(([id]) => !dense.includes(id)))
      expect({ id, isSparse: count < fewest }).toEqual({ id, isSparse: true })
  })

  test('Rex departs and returns several times a day and reports it', async () => {
    const events = (await history(SEED.devices.rex, 1)).flatMap(({ event }) => event ?? [])
    expect(events.filter((event) => event === 'moving').length).toBeGreaterThanOrEqual(3)
    expect(events.filter((event) => event === 'stationary').length).toBeGreaterThanOrEqual(3)
  })

  test('R-3.27 the battery level of Grandpa is unknown throughout', async () => {
    const levels = new Set((await history(SEED.devices.grandpa, 3)).map(({ battery }) => batteryDisplay('tracker_04', battery).unit))
    expect([...levels]).toEqual(['unknown'])
  })

  test('R-3.25 the battery of the Family car is in millivolts throughout its history', async () => {
    for (const { battery } of await history(SEED.devices.familyCar, 31)) {
      expect(battery).toBeGreaterThanOrEqual(3300)
      expect(battery).toBeLessThanOrEqual(4200)
    }
  })

  test('the plane measures altitude, speed and course in flight, and a few positions of Grandpa look wrong', async () => {
    const flight = (await history(SEED.devices.cessna, 1)).filter(({ speed = 0 }) => speed > 100)
    expect(flight.length).toBeGreaterThan(10)
    expect(Math.max(...flight.map(({ altitude = 0 }) => altitude))).toBeGreaterThan(200)
    expect(flight.every(({ course }) => course !== undefined && course >= 0 && course < 360)).toBe(true)
    const marks = (await history(SEED.devices.grandpa, 1)).flatMap(({ mark }) => mark ?? [])
    expect(marks).toEqual(['zero', 'jump', 'vague', 'run', 'run', 'run'])
  })

  test('the bike, the car and the plane travel; the Kitchen stays', async () => {
    const far = async (id: number) => {
      const points = await history(id, 8)
      return Math.max(...points.map((point) => distanceMeters(point, points[0]!)))
    }
    expect(await far(SEED.devices.cityBike)).toBeGreaterThan(1000)
    expect(await far(SEED.devices.familyCar)).toBeGreaterThan(2000)
    expect(await far(SEED.devices.cessna)).toBeGreaterThan(2000)
    expect(await far(SEED.devices.kitchen)).toBeLessThan(40)
  })
})
