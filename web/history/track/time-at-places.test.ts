import { expect, test } from 'vitest'
import type { Place } from '#contracts/places.ts'
import { createPoints } from '#web/history/charts/test-points.ts'
import { timeAtPlaces } from './time-at-places.ts'
import { buildTrack } from './track.ts'

const home: Place = {
  id: 1,
  name: 'P1',
  address: '',
  type: 'other',
  radius: 200,
  devices: [],
  lat: 0,
  lng: 0,
}
const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('stops count for the place they were at, and trips and gaps count for no place', () => {
  const there = [0, 10, 20, 30].map((minute) => ({ minute: minute + 40, meters: 2000 }))
  const track = buildTrack(createPoints([{ minute: 0, meters: 0 }, { minute: 10, meters: 0 }, { minute: 20, meters: 0 }, ...there]))
  expect(timeAtPlaces(track, [home])).toEqual([
    { place: null, ms: 30 * MINUTE },
    { place: home, ms: 20 * MINUTE },
  ])
  const silent = buildTrack(
    createPoints([
      { minute: 0, meters: 0 },
      { minute: 10, meters: 0 },
      { minute: 10 + 20 * 60, meters: 0 },
    ]),
  )
  expect(timeAtPlaces(silent, [home]).every(({ ms }) => ms < HOUR)).toBe(true)
})
