import { expect, test } from 'vitest'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { createFilter, judgeFix, markFixes } from '#contracts/rules/history/filter.ts'
import { toFixColumns } from '#contracts/rules/history/fixes.ts'
import { finish } from '#contracts/rules/work.ts'

const METER = 1 / 111_195.08
/** A fix `seconds` after the start and `north` metres north of it. */
const at = (seconds: number, north: number, precision = 10): Fix => ({
  lat: 48 + north * METER,
  lng: 8,
  datetime: seconds * 1000,
  precision,
})
const marksOf = (fixes: readonly Fix[]) => finish(markFixes(toFixColumns(fixes)))
/** A walk at 5 km/h with a fix every ten seconds. */
const walk = (from: number, count: number) => Array.from({ length: count }, (_, index) => at(from + index * 10, (from + index * 10) * 1.4))

test.each([
  ['0° N 0° E is zero', [...walk(0, 5), { ...at(50, 0), lat: 0, lng: 0 }, ...walk(60, 5)], 'zero'],
  ['a fix far less precise than the others is vague', [...walk(0, 5), at(50, 70, 2000), ...walk(60, 5)], 'vague'],
  ['one fix reached and left by a leap is a jump', [...walk(0, 5), at(50, 5000), ...walk(60, 5)], 'jump'],
])('%s', (_words, fixes, reason) => {
  expect(marksOf(fixes)).toEqual(fixes.map((_, index) => (index === 5 ? reason : null)))
})

test('several fixes between a jump and a return are a run', () => {
  const marks = marksOf([...walk(0, 12), at(120, 5000), at(130, 5005), at(140, 5010), ...walk(150, 12)])
  expect(marks.map((mark) => mark ?? '.').join(' ')).toBe(`${'. '.repeat(12)}run run run${' .'.repeat(12)}`)
})

test('a spike whose return is just below the jump threshold does not take the fixes after it along', () => {
  const walker = (seconds: number, off = 0) => at(seconds, seconds * 1.4 + off)
  const fixes = Array.from({ length: 240 }, (_, second) => walker(second, { 60: 72, 61: 8, 130: 110 }[second]))
  expect(marksOf(fixes).flatMap((mark, index) => (mark ? [[index, mark]] : []))).toEqual([
    [60, 'jump'],
    [130, 'jump'],
  ])
})

test('fixes after a silence that the tracker left by a jump are wrong, later ones are not', () => {
  const lost = [at(420, 1500), at(425, 1504), at(430, 1650)]
  const marks = marksOf([...walk(0, 12), ...lost, at(435, 609), ...walk(440, 30)])
  expect(marks.map((mark) => mark ?? '.').join(' ')).toBe(`${'. '.repeat(12)}run run jump${' .'.repeat(31)}`)
})

test('an old position repeated in a tunnel is stale', () => {
  const train = (seconds: number) => at(seconds, seconds * 40)
  const fixes = [0, 10, 20, 30, 40].map(train)
  const stuck = [50, 60, 70, 80, 90, 100, 110, 120].map((seconds) => ({ ...train(40), datetime: seconds * 1000 }))
  const marks = marksOf([...fixes, ...stuck, ...[130, 140, 150].map(train)])
  expect(marks.map((mark) => mark === 'stale')).toEqual([...fixes.map(() => false), ...stuck.map(() => true), false, false, false])
})

test('a wrong first fix is marked once the second one is known', () => {
  const state = createFilter()
  expect(judgeFix(state, at(-10, 9000))).toEqual([])
  expect(judgeFix(state, at(0, 0))).toContainEqual({ first: 0, last: 0, reason: 'jump' })
})

test('a new place is believed if the tracker stays there, and its fixes are valid again', () => {
  const there = Array.from({ length: 60 }, (_, index) => at(610 + index * 10, 9000))
  const fixes = [...walk(0, 60), ...there]
  const state = createFilter()
  const first = fixes.slice(0, 61).flatMap((fix) => judgeFix(state, fix))
  expect(first.at(-1)).toEqual({ first: 60, last: 60, reason: 'jump' })
  expect(marksOf(fixes).every((mark) => mark === null)).toBe(true)
})

test('a late fix is counted but not judged', () => {
  const state = createFilter()
  for (const fix of walk(0, 3)) judgeFix(state, fix)
  expect(judgeFix(state, at(5, 90_000))).toEqual([])
  expect(state.count).toBe(4)
  expect(judgeFix(state, at(40, 90_000))).toEqual([{ first: 4, last: 4, reason: 'jump' }])
})

test('crossing the date line is not a jump', () => {
  const fixes = [179.999, 179.9999, -179.9992, -179.9983].map((lng, index) => ({ lat: 0, lng, datetime: index * 10_000, precision: 5 }))
  expect(marksOf(fixes.map((fix) => ({ ...fix, lat: 10 })))).toEqual([null, null, null, null])
})
