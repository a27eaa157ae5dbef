import { expect, test } from 'vitest'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { estimateArrival, findNextArrival, metersToPlace } from './arrival.ts'

const now = new Date('2026-03-02T18:00:00Z')
const home = { lat: -34.9, lng: -56.2, radius: 200 }

/** Fixes north of the middle of home: minutes before now, and metres. */
const track = (points: [minutes: number, meters: number][], precision = 10) =>
  points.map(([minutes, meters]) => ({
    lat: home.lat + meters / 111_195.08,
    lng: home.lng,
    precision,
    datetime: now.getTime() - minutes * MINUTE_MS,
  }))

/** A fix a minute at a steady speed; the newest one is `newest` minutes old, at `meters`. */
const approach = (metersPerMinute: number, meters: number, { count = 11, newest = 0, precision = 10 } = {}) =>
  track(
    Array.from({ length: count }, (_, n) => [newest + count - 1 - n, meters + (count - 1 - n) * metersPerMinute] as [number, number]),
    precision,
  )

const STANDING = approach(0, 12_700, { count: 20, newest: 6 })

// biome-ignore format: pairs are read in one line
const WITH_STOP = track([[10, 14_200], [8, 13_200], [5, 11_700], [4, 11_700], [2, 10_700], [0, 9700]])

test.each([
  // 10 km to the border, times 1.3, at 500 metres a minute: 26 minutes.
  ['a car at 30 km/h, 10 km away, arrives in 26 minutes', approach(500, 10_200), '18:25'],
  ['an arrival is rounded to the nearest five minutes', approach(500, 10_900), '18:30'],
  ['a fix of four minutes ago counts from its time', approach(500, 10_200, { newest: 4 }), '18:20'],
  ['an arrival is never before now', approach(500, 400, { newest: 4 }), '18:00'],
  ['a walk of 5 km/h counts', approach(83, 1200), '18:15'],
  ['a fix every five minutes suffices', track([[10, 15_200], [5, 12_700], [0, 10_200]]), '18:25'], // biome-ignore format: pairs are read in one line
  ['a tracker that started five minutes ago arrives', [...STANDING, ...approach(500, 10_200, { count: 6 })], '18:30'],
  ['a stop of a minute does not hide the arrival', WITH_STOP, '18:25'],
])('%s', (_, fixes, time) => {
  expect(estimateArrival(fixes, home, now)?.toISOString().slice(11, 16)).toBe(time)
})

test.each([
  ['no fix', []],
  ['a newest fix of more than five minutes ago', approach(500, 10_200, { newest: 6 })],
  ['a standing tracker', approach(0, 3000)],
  ['a tracker that moves away', approach(-500, 10_200)],
  [
    'a tracker that came closer and has stood for five minutes',
    [...approach(500, 3000, { newest: 6 }), ...approach(0, 3000, { count: 6 })],
  ],
  ['a tracker that came closer and turned back', [...approach(500, 3000, { newest: 4 }), ...approach(-500, 5000, { count: 4 })]],
  ['a tracker that is inside', approach(100, 150)],
  ['a tracker more than 100 km away', approach(2000, 101_000)],
  ['a tracker more than two hours away', approach(100, 20_000)],
  ['a drift of less than the precision', approach(40, 3000, { precision: 150 })],
  ['an approach of three minutes', approach(500, 3000, { count: 4 })],
  ['two fixes', track([[8, 8000], [0, 4000]])], // biome-ignore format: pairs are read in one line
  ['an approach more slowly than a walk', approach(20, 1000)],
])('an arrival is unclear for %s', (_, fixes) => {
  expect(estimateArrival(fixes, home, now)).toBeNull()
})

test('the distance to a place is measured to its border', () => {
  expect(track([[0, 1200], [0, 100]]).map((fix) => Math.round(metersToPlace(fix, home)))).toEqual([1000, 0]) // biome-ignore format: pairs are read in one line
})

const north = (meters: number, radius = 100) => ({ lat: home.lat + meters / 111_195.08, lng: home.lng, radius })
/** A place in that compass direction from the tracker that `approach(500, 10_200)` has moved, so many metres away. */
const fromThere = (degrees: number, meters: number) => {
  const at = north(10_200)
  const [up, right] = [Math.cos((degrees * Math.PI) / 180) * meters, Math.sin((degrees * Math.PI) / 180) * meters]
  return { lat: at.lat + up / 111_195.08, lng: at.lng + right / (111_195.08 * Math.cos((at.lat * Math.PI) / 180)), radius: 100 }
}

test('a tracker heads for the nearest of the places ahead, and not for one beside its way', () => {
  const fixes = approach(500, 10_200)
  const [school, beside, behind] = [north(6000), fromThere(130, 5000), north(12_000)]
  const found = findNextArrival(fixes, [home, beside, behind, school], now)
  expect([found?.place, found?.at.toISOString().slice(11, 16)]).toEqual([school, '18:10'])
  expect(findNextArrival(fixes, [home, fromThere(150, 5000)], now)?.place).not.toBe(home)
  expect(findNextArrival(fixes, [beside, behind], now)).toBeNull()
})

test('a tracker that turned away minutes ago heads for no place, nor does one without fixes', () => {
  expect(findNextArrival([...approach(500, 5000, { newest: 5 }), ...approach(-500, 2500, { count: 5 })], [home], now)).toBeNull()
  expect(findNextArrival([], [home], now)).toBeNull()
})
