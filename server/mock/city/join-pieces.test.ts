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

describe('lines cut by a tile border', () => {
  test('become one, whichever piece comes first', () => {
    const whole = [[...west, east[1]]]
    expect(joinLines([west, east])).toEqual(whole)
    expect(joinLines([east, west])).toEqual(whole)
  })

  test('stay apart when they do not meet', () => {
    expect(joinLines([west, far])).toEqual([west, far])
  })

  test('of a single point are dropped', () => {
    expect(joinLines([[[0, 0]], west])).toEqual([west])
  })

  test('that close to a ring are joined once', () => {
    const back: Position[] = [
      [2, 0],
      [0, 0],
    ]
    expect(joinLines([west, east, back])).toEqual([[...west, east[1], back[1]]])
  })
})

describe('features of several tiles', () => {
  test('are one per object', () => {
    const [line] = joinPieces([raw(7, 'line', [east]), raw(7, 'line', [west])])
    expect(line?.lines).toHaveLength(1)
  })

  test('of different kinds may share a number', () => {
    expect(joinPieces([raw(7, 'line', [west]), raw(7, 'area', [west]), raw(7, 'point', [[[0, 0]]])])).toHaveLength(3)
  })

  test('keep a doubled point once and every piece of an area', () => {
    expect(joinPieces([raw(1, 'point', [[[0, 0]]]), raw(1, 'point', [[[0, 0]]])])[0]?.lines).toEqual([[[0, 0]]])
    expect(joinPieces([raw(1, 'area', [west]), raw(1, 'area', [far])])[0]?.lines).toEqual([west, far])
  })

  test('come ordered by number', () => {
    expect(joinPieces([raw(3, 'line', [far]), raw(2, 'line', [west])]).map(({ id }) => id)).toEqual([2, 3])
  })
})
