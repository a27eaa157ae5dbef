import { expect, test } from 'vitest'
import { placeCaptions } from './pins.tsx'

test.each([
  { spots: [[1, 100, 100]], sides: { 1: 'below' }, where: 'alone' },
  {
    spots: [
      [1, 100, 100],
      [2, 110, 130],
    ],
    sides: { 1: 'above', 2: 'below' },
    where: 'above another',
  },
  {
    spots: [
      [1, 100, 100],
      [2, 250, 110],
    ],
    sides: { 1: 'above', 2: 'below' },
    where: 'beside another',
  },
  {
    spots: [
      [1, 100, 100],
      [2, 110, 102],
      [3, 90, 60],
    ],
    sides: { 1: 'below', 3: 'above' },
    where: 'between two others',
  },
])('the caption of a lost tracker $where covers neither another one nor its caption', ({ spots, sides }) => {
  const placed = placeCaptions(spots.map(([id, x, y]) => ({ id: id!, x: x!, y: y! })))
  expect(Object.fromEntries(placed)).toEqual(sides)
})
