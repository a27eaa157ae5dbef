import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { toModeCode, toModeDraft } from './mode-fields.tsx'

const [CAR, DOG, PERSON] = (['vehicle', 'dog', 'person'] as const).map((usage) => ({ usage, board_name: 'TRK1-A' }))
const BOX = { usage: 'other', board_name: 'SCT2-01' } as const

const MODES = [
  [1, PERSON!, 1],
  [3, PERSON!, 3],
  [2, CAR!, 2],
  [8, CAR!, 8],
  [10, CAR!, 10],
  [9, CAR!, 9],
  [21, DOG!, 21],
  [23, DOG!, 23],
  [22, DOG!, 22],
  [3, DOG!, 23],
  [4, DOG!, 4],
  [7, CAR!, 7],
  [27, DOG!, 27],
  [50, BOX, 50],
  [4, BOX, 4],
  [99, DOG!, 99],
] as const

test('a mode is converted to a draft and back, with the code for animals where it differs', async () => {
  const failures = await collectFailures(
    MODES,
    ([code, { usage }]) => `${code} ${usage}`,
    ([code, config, expected]) => expect(toModeCode(toModeDraft(code), config)).toBe(expected),
  )
  expect(failures).toEqual([])
})

test('the vehicle alert turns modes 1, 3 and 2 into 8, 10 and 9 and back', () => {
  const withAlert = (code: number, hasAlert: boolean) => toModeCode({ ...toModeDraft(code), hasAlert }, CAR!)
  expect([1, 3, 2].map((code) => withAlert(code, true))).toEqual([8, 10, 9])
  expect([8, 10, 9].map((code) => withAlert(code, false))).toEqual([1, 3, 2])
})

test('leaving plane or lost mode selects the first level until another is chosen', () => {
  expect(toModeCode({ ...toModeDraft(4), special: null }, CAR!)).toBe(1)
  expect(toModeCode({ ...toModeDraft(27), special: null, level: 'high' }, DOG!)).toBe(23)
})
