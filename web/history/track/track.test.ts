import { describe, expect, test } from 'vitest'
import type { Place } from '#contracts/places.ts'
import { finish } from '#contracts/rules/work.ts'
import { toPositionColumns } from '#contracts/track/columns.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { buildTrack, createPoints, START, walk } from '#web/history/charts/test-points.ts'
import {
  clampTime,
  computeActivity,
  findEnds,
  findFixIndex,
  findLeg,
  interpolateMoment,
  prepareTrack,
  timeAtPlaces,
  trackSpan,
} from './track.ts'

const home: Place = {
  id: 1,
  name: 'P1',
  address: '',
  type: 'other',
  radius: 200,
  devices: [],
  lat: 0,
  lng: 1,
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

const minute = (count: number) => START + count * 60_000
const track = buildTrack(walk)

describe('R-1.8 track', () => {
  test('a track consists of stops and trips with a speed at each point', () => {
    expect(track.legs.map(({ kind }) => kind)).toEqual(['stop', 'trip', 'stop'])
    expect(Array.from(track.kmh, Math.round)).toEqual([0, 0, 0, 6, 6, 0, 0])
    expect(track.topKmh).toBeGreaterThanOrEqual(6)
  })

  test('a track carries the last known battery level forward', () => {
    expect([...track.battery]).toEqual([90, 90, 90, 88, 88, -1, 87])
  })

  test('drift while stopped has speed 0', () => {
    const drift = buildTrack(createPoints([0, 20, 0, 15, 0, 10].map((meters, index) => ({ minute: index * 5, meters }))))
    expect(drift.kmh.every((kmh) => kmh === 0)).toBe(true)
    expect(drift.topKmh).toBe(1)
  })

  test('a single jump does not make the rest of the track one colour', () => {
    const steps = Array.from({ length: 200 }, (_, index) => ({ minute: index, meters: index * 100 + (index >= 150 ? 9000 : 0) }))
    const { topKmh, scaleKmh } = buildTrack(createPoints(steps))
    expect(topKmh).toBeGreaterThan(500)
    expect(scaleKmh).toBeLessThan(8)
  })

  test('a jump is listed as wrong, and neither drawn nor counted', () => {
    const spots = Array.from({ length: 40 }, (_, index) => ({ minute: index / 4, meters: index * 20 }))
    const clean = buildTrack(createPoints(spots))
    const track = buildTrack(createPoints(spots.map((spot, index) => (index === 20 ? { ...spot, meters: 90_000 } : spot))))
    expect([...track.wrong.id]).toEqual([21])
    expect(track.wrong.texts[track.wrong.mark[0] ?? 0]).toBe('jump')
    expect(track.positions.length).toBe(39)
    expect(track.topKmh).toBe(clean.topKmh)
  })

  test("the backend's marks take precedence, and a position restored by the user counts", () => {
    const points = createPoints([0, 100, 90_000, 200, 300].map((meters, index) => ({ minute: index, meters })))
    const marked = points.map((point, index) => ({ ...point, mark: index === 1 ? 'vague' : index === 2 ? 'kept' : null }))
    const track = buildTrack(marked.map(({ mark, ...point }) => (mark ? { ...point, mark } : point)))
    expect([...track.wrong.id]).toEqual([2])
    expect([...track.positions.id]).toEqual([1, 3, 4, 5])
  })

  test('a minute belongs to the last fix before it', async () => {
    expect(
      await collectFailures(
        [
          [-5, 0],
          [0, 0],
          [4.9, 0],
          [5, 1],
          [17, 3],
          [99, 6],
        ] as const,
        JSON.stringify,
        ([at, index]) => expect(findFixIndex(track.positions, minute(at))).toBe(index),
      ),
    ).toEqual([])
  })

  test('the leg of a time is found', () => {
    expect([0, 12, 29].map((at) => findLeg(track.legs, minute(at)))).toEqual([0, 1, 2])
  })
})

describe('moment', () => {
  test('a moment between two fixes is interpolated', () => {
    const moment = interpolateMoment(track, minute(17.5))
    expect(Math.round((moment?.lat ?? 0) * 111_195)).toBe(750)
    expect(Math.round(moment?.kmh ?? 0)).toBe(6)
    expect(moment?.battery).toBe(88)
    expect(moment?.heading).toBe(0)
    expect(interpolateMoment(track, minute(7))?.heading).toBeNull()
  })

  test('before the first fix and after the last the tracker rests at that fix', () => {
    expect(interpolateMoment(track, minute(-60))?.lat).toBe(0)
    expect(interpolateMoment(track, minute(600))?.battery).toBe(87)
    expect(interpolateMoment(buildTrack([]), START)).toBeNull()
    expect(trackSpan(buildTrack([]))).toBeNull()
  })

  test('during a gap the tracker stays where the signal was lost', () => {
    const lost = buildTrack(createPoints([0, 5, 10, 500, 505].map((at) => ({ minute: at, meters: at < 100 ? 0 : 5000 }))))
    expect(lost.legs.map(({ kind }) => kind)).toContain('gap')
    expect(interpolateMoment(lost, minute(250))?.lat).toBe(0)
  })

  test('a time outside the track is clamped to it', () => {
    expect(clampTime(track, minute(-5))).toBe(minute(0))
    expect(clampTime(track, minute(99))).toBe(minute(30))
    expect(clampTime(buildTrack([]), 5)).toBe(5)
  })
})

test('a trip over the borders of a period is drawn and replayed from one to the other, and only its positions are counted', () => {
  const border = (at: number) => ({ datetime: minute(at), lat: (at * 100) / 111_195, lng: 1, precision: 5 })
  const positions = toPositionColumns(createPoints([10, 20].map((at) => ({ minute: at, meters: at * 100 }))))
  const cut = finish(prepareTrack({ ...positions, borders: { start: border(0), end: border(30) } }))
  expect(cut.positions.length).toBe(2)
  expect(cut.legs).toMatchObject([{ kind: 'trip', first: 0, last: 1, start: minute(0), end: minute(30), meters: expect.closeTo(3000, 0) }])
  expect(findEnds(cut, cut.legs[0]!)).toEqual({ first: 0, last: 3 })
  expect(trackSpan(cut)).toEqual({ first: minute(0), last: minute(30) })
  for (const at of [5, 15, 25]) {
    const { lat, kmh, heading } = interpolateMoment(cut, minute(at))!
    expect([lat * 111_195, kmh, heading]).toEqual([expect.closeTo(at * 100, 0), expect.closeTo(6, 0), 0])
  }
  const bars = computeActivity(cut, { start: minute(0), end: minute(30) }, 3)
  expect(bars.map((share) => Number(share.toFixed(2)))).toEqual([1, 1, 1])
})

describe('activity', () => {
  test('activity is scaled so that the busiest part is 1', () => {
    const bars = computeActivity(track, { start: minute(0), end: minute(30) }, 6)
    expect(bars.map((share) => Number(share.toFixed(2)))).toEqual([0, 0, 1, 1, 0, 0])
  })

  test('a long step is spread over all the parts it spans', () => {
    const bars = computeActivity(track, { start: minute(0), end: minute(30) }, 12)
    expect(bars.filter((share) => share > 0.99)).toHaveLength(4)
  })

  test('a track without movement has no activity bars', () => {
    expect(computeActivity(buildTrack([]), { start: 0, end: 100 }, 4)).toEqual([0, 0, 0, 0])
  })
})
