import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createLabelRoom, discsAlong } from './label-room.ts'
import { textWidth } from './text-width.ts'

test('a placed label is known by name, in any case', () => {
  const room = createLabelRoom(10)
  expect(room.take('Goes', [[500, 500]], 20)).toBe(true)
  expect(room.has('Goes')).toBe(true)
  expect(room.has('GOES')).toBe(true)
  expect(room.has('Reducto')).toBe(false)
})

test('labels do not overlap', () => {
  const room = createLabelRoom(10)
  room.take('Goes', [[500, 500]], 20)
  expect(room.take('Reducto', [[530, 500]], 20)).toBe(false)
  expect(room.has('Reducto')).toBe(false)
  expect(room.take('Reducto', [[541, 500]], 20)).toBe(true)
})

test('a label that the border would cut is not placed', async () => {
  const rows = [
    [29, 500],
    [500, 29],
    [996, 500],
    [500, 996],
  ] as const
  expect(
    await collectFailures(rows, String, ([x, y]) => {
      expect(createLabelRoom(10).take('Goes', [[x, y]], 20)).toBe(false)
    }),
  ).toEqual([])
})

test('the discs of a label cover its text from end to end', () => {
  const discs = discsAlong(100, 10, (distance) => [distance, 0])
  expect(discs[0]).toEqual([0, 0])
  expect(discs.at(-1)).toEqual([100, 0])
  discs.slice(1).forEach(([x], index) => {
    expect(x - discs[index]![0]).toBeLessThanOrEqual(15)
  })
})

test('longer names and capitals are wider', () => {
  expect(textWidth('Avenida Italia')).toBeGreaterThan(textWidth('Avenida'))
  expect(textWidth('GOES')).toBeGreaterThan(textWidth('goes'))
  expect(textWidth('')).toBe(0)
})
