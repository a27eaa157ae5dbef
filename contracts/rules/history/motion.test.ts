import { expect, test } from 'vitest'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { computeMotion, nextStanding, type Standing } from './motion.ts'

const now = new Date('2026-03-01T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test('R-4.6 under 8 stationary minutes, or a future time, counts as moving', async () => {
  expect(
    await collectFailures(
      [
        ['R-4.6', 0],
        ['R-4.6', 7],
        ['R-4.6', 7.99],
        ['R-4.6', -30],
      ] as const,
      String,
      ([, minutes]) => {
        expect(computeMotion(minutesAgo(minutes), now)).toEqual({ state: 'moving' })
      },
    ),
  ).toEqual([])
})

test('R-4.6 R-3.9 a tracker without a stationary time is moving', () => {
  expect(computeMotion(null, now)).toEqual({ state: 'moving' })
})

test('a stationary time that cannot be read is unknown', () => {
  expect([computeMotion('', now), computeMotion('soon', now)]).toEqual([{ state: 'unknown' }, { state: 'unknown' }])
})

test('R-4.7 R-4.8 stationary time is shown in minutes up to 100, then in rounded hours', async () => {
  expect(
    await collectFailures(
      [
        ['R-4.7', 8, 'minutes', 8],
        ['R-4.7', 8.9, 'minutes', 8],
        ['R-4.7', 60, 'minutes', 60],
        ['R-4.7', 100, 'minutes', 100],
        ['R-4.8', 100.5, 'hours', 2],
        ['R-4.8', 101, 'hours', 2],
        ['R-4.8', 149, 'hours', 2],
        ['R-4.8', 150, 'hours', 3],
        ['R-4.8', 240, 'hours', 4],
        ['R-4.8', 1440, 'hours', 24],
        ['R-4.8', 14400, 'hours', 240],
      ] as const,
      String,
      ([, minutes, unit, n]) => {
        expect(computeMotion(minutesAgo(minutes), now)).toEqual({ state: 'stationary', unit, n })
        expect(computeMotion(minutesAgo(minutes).toISOString(), now)).toEqual({ state: 'stationary', unit, n })
      },
    ),
  ).toEqual([])
})

const fixAt = (minute: number, meters: number, precision = 10): Fix => ({
  lat: meters / 111_195.08,
  lng: 0,
  datetime: minute * 60_000,
  precision,
})

const stationaryMinutes = (fixes: Fix[]) => {
  let standing: Standing | null = null
  return fixes.map((fix) => {
    standing = nextStanding(standing, fix)
    return standing.since === null ? null : standing.since / 60_000
  })
}

test.each([
  ['the first fix does not make a tracker stationary', [fixAt(0, 0)], [null]],
  ['the second fix at a place makes it stationary since the first', [fixAt(0, 0), fixAt(10, 30)], [null, 0]],
  ['further fixes at the place keep the start', [fixAt(0, 0), fixAt(10, 30), fixAt(250, 59)], [null, 0, 0]],
  ['61 metres is a move and a new arrival', [fixAt(0, 0), fixAt(10, 0), fixAt(20, 61), fixAt(30, 61)], [null, 0, null, 20]],
  ['a slow walk is a move, measured from its start', [fixAt(0, 0), fixAt(1, 40), fixAt(2, 80), fixAt(3, 120)], [null, 0, null, 2]],
  ['an inaccurate fix is no move', [fixAt(0, 0), fixAt(10, 0), fixAt(20, 400, 500)], [null, 0, 0]],
])('R-3.9 %s', (_words, fixes, expected) => {
  expect(stationaryMinutes(fixes)).toEqual(expected)
})
