import { expect, test } from 'vitest'
import { isSame, readTyped, typedOf } from './typed-params.ts'

const known = { frequency: 60, keepalive_period: 1440, temp_uplink_slices_duration: 2, temp_slice_duration: 60 } as const
const typed = typedOf(known)

test('R-3.88 unchanged fields are read back with the parameter that the form does not show', () => {
  expect(readTyped(typed, known)).toEqual({ params: known, faults: [] })
})

test.each(['', '0', '181', '1.5', '1e2', '10a', '-5', '６０'])('R-5.14 a frequency of %j is a fault', (frequency) => {
  expect(readTyped({ ...typed, frequency }, known)).toEqual({ params: null, faults: ['frequency'] })
})

test.each(['1', ' 180 ', '060'])('R-5.14 a frequency of %j is read', (frequency) => {
  expect(readTyped({ ...typed, frequency }, known).params).toEqual({ ...known, frequency: Number(frequency) })
})

test.each(['0', '1441', '2.5'])('R-5.15 a keepalive period of %j is a fault', (keepalive_period) => {
  expect(readTyped({ ...typed, keepalive_period }, known).faults).toEqual(['keepalive_period'])
})

test('R-5.17 the temperature is measured every 60 or 720 minutes', () => {
  expect(readTyped({ ...typed, temp_slice_duration: '720' }, known).params?.temp_slice_duration).toBe(720)
  expect(readTyped({ ...typed, temp_slice_duration: '61' }, known).faults).toEqual(['temp_slice_duration'])
})

test('the same numbers in another spelling are no change', () => {
  expect(isSame(readTyped({ ...typed, frequency: ' 060' }, known).params!, known)).toBe(true)
  expect(isSame({ ...known, temp_slice_duration: 720 }, known)).toBe(false)
})
