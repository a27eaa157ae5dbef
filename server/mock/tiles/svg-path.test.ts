import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Point } from './fit-tile.ts'
import { formatPath } from './svg-path.ts'

function read(data: string): Point[][] {
  const lines: Point[][] = []
  let pen: Point = [0, 0]
  for (const [, start = '', steps = '', close] of data.matchAll(/m([^l]*)l([^mz]*)(z?)/g)) {
    const numbers = `${start} ${steps}`.match(/-?\d+/g)!.map(Number)
    const line: Point[] = []
    for (let at = 0; at < numbers.length; at += 2) {
      pen = [pen[0] + numbers[at]!, pen[1] + numbers[at + 1]!]
      line.push(pen)
    }
    if (close) pen = line[0]!
    lines.push(line)
  }
  return lines
}

test('a path consists of relative steps without needless spaces', () => {
  expect(
    formatPath(
      [
        [
          [0, 0],
          [10, -5],
          [20, 5],
        ],
      ],
      false,
    ),
  ).toBe('m0 0l10-5 10 10')
})

test('lines smaller than a unit are left out', () => {
  const tiny: Point[] = [
    [3.1, 3],
    [3.2, 3.1],
  ]
  expect(formatPath([tiny], false)).toBe('')
  expect(formatPath([[]], true)).toBe('')
})

test('random lines survive a round trip through path data', () => {
  const point = fc.tuple(fc.integer({ min: -500, max: 1500 }), fc.integer({ min: -500, max: 1500 }))
  const line = fc.uniqueArray(point, { minLength: 2, maxLength: 6, selector: String })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), fc.boolean(), (lines, isClosed) => {
      expect(read(formatPath(lines, isClosed))).toEqual(lines)
    }),
  )
})
