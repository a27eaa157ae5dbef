import { expect, test } from 'vitest'
import { PLACE_TYPES } from '#contracts/lib/constants.ts'
import { normalizePlaceType } from './place-type.ts'

test.each(PLACE_TYPES)('R-3.30 R-5.13 %s is a place type', (type) => {
  expect(normalizePlaceType(type)).toBe(type)
  expect(normalizePlaceType(` ${type.toUpperCase()} `)).toBe(type)
})

test.each([
  ['store', 'shop'],
  ['Store', 'shop'],
  ['castle', null],
  ['', null],
])('R-3.30 R-5.13 %j is %j (C-23)', (text, type) => {
  expect(normalizePlaceType(text)).toBe(type)
})
