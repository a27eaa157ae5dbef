import { expect, test } from 'vitest'
import { openTestCity } from '#server/mock/city/testing.ts'
import { DAY_SECONDS, dayNumber } from './itinerary.ts'
import { createJourneys, type Journeys } from './journeys.ts'
import { PROFILES } from './lives.ts'
import type { Profile } from './profile.ts'

const city = await openTestCity()

function changes(journeys: Journeys, profile: Profile, from: number, to: number) {
  const found: number[] = []
  for (let second = from; second < to; ) {
    const { until } = journeys.stateAt(profile, second)
    if (until <= second) throw new Error(`tracker ${profile.id} stands still in time at ${second}`)
    found.push(until)
    second = until
  }
  return found
}

test.each([1, 2, 3])('with seed %i trips do not overlap and every tracker is at its base at night', (seed) => {
  const journeys = createJourneys(city, seed)
  for (const profile of PROFILES.values()) {
    changes(journeys, profile, -6 * DAY_SECONDS, 6 * DAY_SECONDS)
    for (let day = -5; day <= 5; day++) {
      const midnight = day * DAY_SECONDS - 9 * 3600
      expect({ id: profile.id, day, isMoving: journeys.stateAt(profile, midnight - 1).isMoving }).toEqual({
        id: profile.id,
        day,
        isMoving: false,
      })
    }
  }
})

test('days differ from each other, except for the hours of a punctual profile', () => {
  const journeys = createJourneys(city, 1)
  const [rex, bike] = [PROFILES.get(1)!, PROFILES.get(45)!]
  const ofDay = (profile: Profile, day: number) =>
    changes(journeys, profile, day * DAY_SECONDS, day * DAY_SECONDS + 50_000).map((second) => second - day * DAY_SECONDS)
  expect(ofDay(rex, -3)).not.toEqual(ofDay(rex, -4))
  expect(ofDay(bike, -3)).toContain(600 * 60)
  expect(ofDay(bike, -4)).toContain(600 * 60)
})

test("a day begins nine hours before the anchor's time of day", () => {
  expect([dayNumber(0), dayNumber(-9 * 3600), dayNumber(-9 * 3600 - 1), dayNumber(15 * 3600)]).toEqual([0, 0, -1, 1])
})
