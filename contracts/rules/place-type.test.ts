import { expect, test } from 'vitest'
import { PLACE_TYPES } from '#contracts/lib/constants.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { normalizePlaceType } from './place-type.ts'

test('R-3.30 R-5.13 every place type is accepted in any case', async () => {
  expect(
    await collectFailures(PLACE_TYPES, String, (type) => {
      expect(normalizePlaceType(type)).toBe(type)
      expect(normalizePlaceType(` ${type.toUpperCase()} `)).toBe(type)
    }),
  ).toEqual([])
})

test('R-3.30 R-5.13 "store" is a shop, and an unknown place type is rejected', async () => {
  expect(
    await collectFailures(
      [
        ['store', 'shop'],
        ['Store', 'shop'],
        ['castle', null],
        ['', null],
      ] as const,
      JSON.stringify,
      ([text, type]) => {
        expect(normalizePlaceType(text)).toBe(type)
      },
    ),
  ).toEqual([])
})
