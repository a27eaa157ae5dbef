import { expect, test } from 'vitest'
import { finish } from '#contracts/rules/work.ts'
import { toPositionColumns } from '#contracts/track/columns.ts'
import { createPoints } from '#web/history/charts/test-points.ts'
import { courseBetween, heightBetween, speedAt, summarizeHeights } from './measured.ts'
import { prepareTrack } from './track.ts'

/** A kilometre every ten minutes at these heights. */
const climb = (...heights: (number | undefined)[]) => {
  const points = createPoints(heights.map((_, index) => ({ minute: index * 10, meters: index * 1000 })))
  return finish(
    prepareTrack(
      toPositionColumns(points.map((point, index) => ({ ...point, ...(heights[index] !== undefined && { altitude: heights[index] }) }))),
    ),
  )
}

test('the climb is the sum of all ascents, and differences below 10 m do not count', () => {
  expect(summarizeHeights(climb(100, 104, 99, 150, 120, 160))).toEqual({ lowest: 99, highest: 160, climb: 90 })
})

test('heights that are unknown or differ by less than the inaccuracy of a day have no summary', () => {
  expect(summarizeHeights(climb(undefined, undefined, undefined))).toBeNull()
  expect(summarizeHeights(climb(100, 112, 125, 130))).toBeNull()
  expect(summarizeHeights(climb(100, undefined, 131))).toEqual({ lowest: 100, highest: 131, climb: 31 })
})

test('the height between two positions is interpolated, and stays at the first one while the second is unknown', () => {
  const { positions } = climb(100, 200, undefined)
  const half = (index: number) => heightBetween(positions, index, (positions.datetime[index] ?? 0) + 5 * 60_000)
  expect([half(0), half(1), half(2)]).toEqual([150, 200, null])
})

test('between two positions the course turns the shorter way, and is unknown where the device measured only one', () => {
  const points = createPoints([0, 10, 20].map((minute) => ({ minute, meters: minute * 100 })))
  const columns = toPositionColumns(points.map((point, index) => (index < 2 ? { ...point, course: [350, 20][index] } : point)))
  expect([courseBetween(columns, 0, 0), courseBetween(columns, 0, 0.5), courseBetween(columns, 1, 0.5)]).toEqual([350, 5, null])
})

test('the speed measured by the device is preferred to the computed one', () => {
  const [first, second] = createPoints([
    { minute: 0, meters: 0 },
    { minute: 10, meters: 1000 },
  ])
  const track = finish(prepareTrack(toPositionColumns([first!, { ...second!, speed: 7.5 }])))
  expect(speedAt(track, 1)).toBe(7.5)
  expect(speedAt(climb(0, 0), 1)).toBeCloseTo(6, 0)
})
