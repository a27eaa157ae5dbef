import { expect, test } from 'vitest'
import { SPEED_COLOURS, speedColour, speedRuns } from './speed-runs.ts'

const points = [0, 1, 2, 3].map((lng) => ({ lat: 0, lng }))

test('a trace is split where its colour changes, without a gap', () => {
  const runs = speedRuns(points, [0, 1, 1, 100], 100)
  expect(runs.map(({ colour, points }) => [colour, points.map(({ lng }) => lng)])).toEqual([
    [SPEED_COLOURS[0], [0, 1, 2]],
    [SPEED_COLOURS.at(-1), [2, 3]],
  ])
})

test('speeds beyond the scale get the colours of its ends, and a scale of 0 counts as slow', () => {
  const at = [0, 0, 3, 6].map((step) => SPEED_COLOURS[step])
  expect([-5, 0, 50, 500].map((speed) => speedColour(speed, 100))).toEqual(at)
  expect(speedColour(10, 0)).toBe(SPEED_COLOURS[0])
})

test('a single point gives no run', () => {
  expect(speedRuns(points.slice(0, 1), [0], 10)).toEqual([])
})
