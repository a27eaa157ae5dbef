import { describe, expect, test } from 'vitest'
import type { Position } from './city.ts'
import { joinLines, joinPieces } from './join-pieces.ts'
import type { Raw } from './read-tiles.ts'

const west: Position[] = [
  [0, 0],
  [1, 0],
]
const east: Position[] = [
  [1.000001, 0],
  [2, 0],
]
const far: Position[] = [
  [5, 5],
  [6, 6],
]
const raw = (id: number, geometry: Raw['geometry'], lines: Position[][]): Raw => ({ id, geometry, tags: {}, lines })

describe('lines cut at a tile border', () => {
  test('the pieces of a line are joined, in whichever order they come', () => {
    const whole = [[...west, east[1]]]
    expect(joinLines([west, east])).toEqual(whole)
    expect(joinLines([east, west])).toEqual(whole)
  })

  test('lines that do not meet stay apart', () => {
    expect(joinLines([west, far])).toEqual([west, far])
  })

  test('lines of a single point are dropped', () => {
    expect(joinLines([[[0, 0]], west])).toEqual([west])
  })

  test('lines that form a ring are joined only once', () => {
    const back: Position[] = [
      [2, 0],
      [0, 0],
    ]
    expect(joinLines([west, east, back])).toEqual([[...west, east[1], back[1]]])
  })
})

describe('features that span several tiles', () => {
  test('the pieces of an object become one feature', () => {
    const [line] = joinPieces([raw(7, 'line', [east]), raw(7, 'line', [west])])
    expect(line?.lines).toHaveLength(1)
  })

  test('objects of different geometry may share an id', () => {
    expect(joinPieces([raw(7, 'line', [west]), raw(7, 'area', [west]), raw(7, 'point', [[[0, 0]]])])).toHaveLength(3)
  })

  test('a duplicated point is kept once, and every piece of an area is kept', () => {
    expect(joinPieces([raw(1, 'point', [[[0, 0]]]), raw(1, 'point', [[[0, 0]]])])[0]?.lines).toEqual([[[0, 0]]])
    expect(joinPieces([raw(1, 'area', [west]), raw(1, 'area', [far])])[0]?.lines).toEqual([west, far])
  })

  test('features are ordered by id', () => {
    expect(joinPieces([raw(3, 'line', [far]), raw(2, 'line', [west])]).map(({ id }) => id)).toEqual([2, 3])
  })
})
