import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextFixSecond } from './cadence.ts'
import { DAY_SECONDS, dayNumber, type PathFinder, planTrips } from './itinerary.ts'
import { offsetBy } from './local-geometry.ts'
import { timePath } from './paths.ts'
import { after, arrive, leave, type Move, type Profile, rounds, type Target } from './profile.ts'

const centre = { lat: -34.9, lng: -56.16 }
/** A plain town: each target lies a number of metres to the east, and all paths are straight. */
const places: Target[] = ['home', 'school', 'office', 'shop', 'depot', 'cabin']
const pathFinder: PathFinder = {
  locate: (target) => offsetBy(centre, 400 * places.indexOf(target), 0),
  findPath(profile, from, to) {
    return timePath([pathFinder.locate(from, profile.by), pathFinder.locate(to, profile.by)], profile.by, profile.speed, 1)
  },
}
const life = (moves: Move[], more: Partial<Profile> = {}): Profile => ({
  id: 1,
  by: 'foot',
  speed: 1.3,
  base: 'home',
  moves: () => moves,
  ...more,
})
const minute = fc.integer({ min: -400, max: 700 })
const target = fc.constantFrom(...places)
const move = fc.oneof(
  fc.tuple(minute, target).map(([minutes, to]) => leave(minutes, to)),
  fc.tuple(minute, target).map(([minutes, to]) => arrive(minutes, to)),
  fc.tuple(fc.integer({ min: 3, max: 90 }), target, target).map(([minutes, one, other]) => after(minutes, one, other)),
)
const moves = fc.array(move, { maxLength: 8 })
const day = fc.integer({ min: -30, max: 30 })

describe('trips of a day', () => {
  test('trips begin where the last one ended and finally lead home', () => {
    fc.assert(
      fc.property(moves, day, fc.integer({ min: 1, max: 99 }), (plan, on, seed) => {
        const trips = planTrips(pathFinder, life(plan), seed, on)
        let [at, free]: [Target, number] = ['home', on * DAY_SECONDS - 9 * 3600]
        for (const { start, end, path, to } of trips) {
          expect(start).toBeGreaterThan(free)
          expect(end).toBeGreaterThan(start)
          expect(path.points[0]).toEqual(pathFinder.locate(at, 'foot'))
          ;[at, free] = [to, end]
        }
        expect(at).toBe('home')
      }),
    )
  })

  test('planning the same day again gives the same trips', () => {
    fc.assert(
      fc.property(moves, day, (plan, on) => {
        expect(planTrips(pathFinder, life(plan), 5, on)).toEqual(planTrips(pathFinder, life(plan), 5, on))
      }),
    )
  })

  test('a profile without moves has no trips', () => {
    fc.assert(fc.property(day, (on) => void expect(planTrips(pathFinder, life([]), 1, on)).toEqual([])))
  })

  test("trips on the anchor's day depart at the exact minute and go to the first target", () => {
    const [out, back] = planTrips(pathFinder, life([leave(-60, 'school', 'office'), arrive(-7, 'home')]), 42, 0)
    expect(out).toMatchObject({ start: -3600, to: 'school' })
    expect(back).toMatchObject({ end: -420, to: 'home' })
  })

  test('trips of other days shift by up to 25 minutes unless the profile is punctual', () => {
    fc.assert(
      fc.property(
        day.filter((on) => on !== 0),
        fc.integer({ min: 1, max: 99 }),
        (on, seed) => {
          const plan = [leave(60, 'school')]
          const [whim] = planTrips(pathFinder, life(plan), seed, on)
          expect(Math.abs(whim!.start - (on * DAY_SECONDS + 3600))).toBeLessThanOrEqual(1500)
          expect(planTrips(pathFinder, life(plan, { isPunctual: true }), seed, on)[0]!.start).toBe(on * DAY_SECONDS + 3600)
        },
      ),
    )
  })

  test('a stop without enough time is skipped', () => {
    const trips = planTrips(pathFinder, life([leave(0, 'school'), after(600, 'shop'), leave(60, 'home')]), 1, 0)
    expect(trips.map(({ to }) => to)).toEqual(['school', 'home'])
  })

  test('flights begin and end at their base', () => {
    const plane = life([arrive(-240, 'cabin')], { by: 'air', speed: 52, isPunctual: true })
    expect(planTrips(pathFinder, plane, 1, 0)).toMatchObject([{ end: -14_400, to: 'cabin' }])
  })

  test('a tour visits every target in turn, starting at another one each time', () => {
    const stops = rounds(4, 10, 'school', 'office', 'shop', 'depot', 'cabin')
    expect(stops.map(({ to }) => to[0])).toEqual(['office', 'cabin', 'shop', 'school'])
    for (const { to } of stops) expect([...to].sort()).toEqual(['cabin', 'depot', 'office', 'school', 'shop'])
    expect(stops.map((stop) => ('after' in stop ? stop.after : null))).toEqual([10, 13, 16, 19])
  })

  test('a day lasts from one simulated midnight to the next', () => {
    const second = fc.integer({ min: 0, max: DAY_SECONDS - 1 })
    fc.assert(fc.property(day, second, (on, at) => void expect(dayNumber(on * DAY_SECONDS - 9 * 3600 + at)).toBe(on)))
  })
})

describe('next fix', () => {
  const range = fc
    .tuple(fc.double({ min: 0.5, max: 180, noNaN: true }), fc.double({ min: 0, max: 30, noNaN: true }))
    .map(([min, more]) => ({ min, max: min + more }))
  const state = fc.record({
    isMoving: fc.boolean(),
    since: fc.integer({ min: -9000, max: 0 }),
    until: fc.integer({ min: 700, max: 90_000 }),
  })
  const share = fc.double({ min: 0, max: 0.999, noNaN: true })
  const by = fc.constantFrom('foot' as const, 'wheels' as const, 'air' as const)

  test('the next fix comes after the last one, at the latest after the longest interval', () => {
    fc.assert(
      fc.property(state, range, range, by, share, fc.integer({ min: 0, max: 600 }), (at, moving, still, travel, drawn, last) => {
        const next = nextFixSecond(at, last, { moving, still }, { by: travel, share: drawn })
        expect(next).toBeGreaterThan(last)
        const slowest = Math.max(at.isMoving ? moving.max : still.max, 10) * 60
        expect(next).toBeLessThanOrEqual(last + Math.ceil(slowest) + 1)
      }),
    )
  })

  test("R-9.7 a boosted tracker's next fix comes within 30 seconds", () => {
    fc.assert(
      fc.property(state, range, range, by, share, fc.integer({ min: 0, max: 600 }), (at, moving, still, travel, drawn, last) => {
        const next = nextFixSecond(at, last, { moving, still, boostUntil: last + 30 }, { by: travel, share: drawn })
        expect(next).toBeLessThanOrEqual(last + 30)
      }),
    )
  })

  test('a tracker in plane mode has no next fix, boosted or not', () => {
    fc.assert(
      fc.property(state, range, by, share, (at, still, travel, drawn) => {
        expect(nextFixSecond(at, 0, { moving: null, still, boostUntil: 9999 }, { by: travel, share: drawn })).toBe(Number.POSITIVE_INFINITY)
      }),
    )
  })
})
