import { expect, test } from 'vitest'
import { openTestCity } from '#server/mock/city/testing.ts'
import { FLEETS } from '#server/mock/seed/records/fleets.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { productCadence } from './cadence.ts'
import { DAY_SECONDS } from './itinerary.ts'
import { createJourneys } from './journeys.ts'
import { PROFILES } from './lives.ts'
import { metresBetween } from './local-geometry.ts'

const city = await openTestCity()
const life = (id: number) => PROFILES.get(id)!
const { rex, familyCar, stolenScooter, deliveryVan, companyVan, oldTracker } = SEED.devices
const MINUTELY = { moving: { min: 1, max: 1 }, still: { min: 240, max: 240 } }
const plans = FLEETS.flatMap(({ devices }) => devices)

test('every tracker has simulated movements', () => expect(plans.filter(({ id }) => !PROFILES.has(id))).toEqual([]))

test('every tracker moves or rests at the anchor as planned', async () => {
  expect(
    await collectFailures(
      plans.filter(({ spot, id }) => spot && id !== oldTracker),
      ({ name }) => name,
      ({ id, still }) => {
        const { isMoving, since } = createJourneys(city, 1).stateAt(life(id), 0)
        expect({ isMoving, since: isMoving ? null : since }).toEqual({
          isMoving: still === null,
          since: still === null ? null : -60 * still!,
        })
      },
    ),
  ).toEqual([])
})

test('fixes depend on seed and time alone, not on the order of requests', () => {
  const [forth, back] = [createJourneys(city, 3), createJourneys(city, 3)]
  const seconds = Array.from({ length: 60 }, (_, index) => (index - 30) * 4321)
  const fixes = seconds.map((second) => forth.fixAt(life(rex), second))
  expect(seconds.toReversed().map((second) => back.fixAt(life(rex), second))).toEqual(fixes.toReversed())
  expect(seconds.map((second) => createJourneys(city, 4).fixAt(life(rex), second))).not.toEqual(fixes)
})

test('the fixes of a day equal those of its 24 hours', () => {
  const journeys = createJourneys(city, 1)
  for (const id of [rex, familyCar, deliveryVan]) {
    const parts = []
    let last = 0
    for (let hour = 1; hour <= 24; hour++) {
      const fixes = journeys.fixes(life(id), last, hour * 3600, MINUTELY)
      parts.push(...fixes)
      last = fixes.at(-1)?.second ?? last
    }
    expect(parts).toEqual(journeys.fixes(life(id), 0, DAY_SECONDS, MINUTELY))
  }
})

test('travelling trackers stay on the streets', async () => {
  expect(
    await collectFailures([rex, familyCar, stolenScooter], String, (id) => {
      const { by } = life(id)
      const fixes = createJourneys(city, 1).fixes(life(id), -DAY_SECONDS, DAY_SECONDS, MINUTELY)
      const travelling = fixes.filter(({ isMoving }) => isMoving)
      expect(travelling.length).toBeGreaterThan(50)
      for (const fix of travelling) expect(metresBetween(fix, city.snap(fix, by === 'foot' ? 'foot' : 'wheels'))).toBeLessThan(25)
    }),
  ).toEqual([])
})

test('no tracker moves further in a second than it can travel', () => {
  const journeys = createJourneys(city, 1)
  for (const [id, most] of [
    [rex, 3],
    [familyCar, 16],
  ] as const) {
    for (let second = -DAY_SECONDS; second < DAY_SECONDS; second += 7) {
      const [a, b] = [journeys.stateAt(life(id), second), journeys.stateAt(life(id), second + 1)]
      expect(metresBetween(a, b)).toBeLessThan(most)
    }
  }
})

test("a resting tracker's fixes lie within 25 metres of each other", () => {
  const journeys = createJourneys(city, 1)
  const resting = journeys.fixes(life(SEED.devices.kitchen), -3 * DAY_SECONDS, 0, MINUTELY)
  for (const fix of resting) expect(metresBetween(fix, resting[0]!)).toBeLessThan(25)
})

test('the stolen and delivery vehicles are still on the road five minutes after the anchor', async () => {
  expect(
    await collectFailures([deliveryVan, companyVan, stolenScooter], String, (id) => {
      expect(createJourneys(city, 1).stateAt(life(id), 300).isMoving).toBe(true)
    }),
  ).toEqual([])
})

test.each([1, 2, 3])('with seed %i Rex leaves the circle of Home within three minutes', (seed) => {
  const journeys = createJourneys(city, seed)
  const home = city.search('Rambla República de Chile 4507', 1)[0]!
  expect(metresBetween(journeys.fixAt(life(rex), 0), home)).toBeLessThan(190)
  expect(metresBetween(journeys.fixAt(life(rex), 130), home)).toBeGreaterThan(212)
})

test('a collar in mode 21 reports on departure, on arrival and once its stop is confirmed', () => {
  const cadence = productCadence({ type: 'tracker_06', boardName: 'SDC1-A', mode: 21 })
  const seconds = createJourneys(city, 1)
    .fixes(life(rex), 2600, 8 * 3600, cadence)
    .map(({ second }) => second)
  const state = createJourneys(city, 1).stateAt(life(rex), 3000)
  expect(seconds.slice(0, 3)).toEqual([state.since + 75, state.until, state.until + 540])
})
