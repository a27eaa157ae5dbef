import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { nextFixSecond, productCadence } from './cadence.ts'

const wheels = { by: 'wheels', share: 0 } as const
const underWay = { isMoving: true, since: 0, until: 3600 }
const atRest = { isMoving: false, since: 0, until: 90_000 }
const tracker = (mode: number) => productCadence({ type: 'tracker_02', boardName: 'TRK2-B', mode })

test('a moving tracker reports at the interval of its level', async () => {
  const rows = [
    ['standard', 1, 600],
    ['high', 3, 300],
    ['intense', 2, 120],
    ['lost', 7, 180],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([_, mode, seconds]) => {
        expect(nextFixSecond(underWay, 60, tracker(mode), wheels)).toBe(60 + seconds)
      },
    ),
  ).toEqual([])
})

test('R-9.6 a resting tracker reports its stop once, then every four hours', () => {
  expect(nextFixSecond(atRest, 0, tracker(2), wheels)).toBe(540)
  expect(nextFixSecond(atRest, 540, tracker(2), wheels)).toBe(540 + 240 * 60)
})

test('a tracker reports when it departs and when it arrives, however low its level', () => {
  expect(nextFixSecond(atRest, 89_000, tracker(1), wheels)).toBe(90_030)
  expect(nextFixSecond(underWay, 3500, tracker(1), wheels)).toBe(3600)
})

test('R-9.7 a boosted tracker reports every 30 seconds until the boost ends', () => {
  const boosted = { ...tracker(1), boostUntil: 1000 }
  expect(nextFixSecond(underWay, 100, boosted, wheels)).toBe(130)
  expect(nextFixSecond(underWay, 990, boosted, wheels)).toBe(1590)
})

test('a tracker in plane mode reports nothing', () =>
  expect(nextFixSecond(underWay, 60, tracker(4), wheels)).toBe(Number.POSITIVE_INFINITY))

test('a configurable tracker follows its own frequency and keepalive period', () => {
  const sct2 = productCadence({ type: 'tracker_04', boardName: 'SCT2-01', mode: 50, sct2: { frequency: 30, keepalivePeriod: 120 } })
  expect(nextFixSecond(underWay, 60, sct2, wheels)).toBe(60 + 1800)
  expect(nextFixSecond(atRest, 600, sct2, wheels)).toBe(600 + 7200)
})
