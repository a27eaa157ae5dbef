import { expect, test } from 'vitest'
import type { Fix } from './geo.ts'
import { nextStanding, type Standing } from './standing.ts'

const at = (minute: number, meters: number, precision = 10): Fix => ({
  lat: meters / 111_195.08,
  lng: 0,
  datetime: minute * 60_000,
  precision,
})

const since = (fixes: Fix[]) => {
  let standing: Standing | null = null
  return fixes.map((fix) => {
    standing = nextStanding(standing, fix)
    return standing.since === null ? null : standing.since / 60_000
  })
}

test.each([
  ['the first fix does not make a tracker stationary', [at(0, 0)], [null]],
  ['the second fix at a place makes it stationary since the first', [at(0, 0), at(10, 30)], [null, 0]],
  ['further fixes at the place keep the start', [at(0, 0), at(10, 30), at(250, 59)], [null, 0, 0]],
  ['61 metres is a move and a new arrival', [at(0, 0), at(10, 0), at(20, 61), at(30, 61)], [null, 0, null, 20]],
  ['a slow walk is a move, measured from its start', [at(0, 0), at(1, 40), at(2, 80), at(3, 120)], [null, 0, null, 2]],
  ['an inaccurate fix is no move', [at(0, 0), at(10, 0), at(20, 400, 500)], [null, 0, 0]],
])('R-3.9 %s', (_words, fixes, expected) => {
  expect(since(fixes)).toEqual(expected)
})
