import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { hasSameParams, parseTypedParams, toTypedParams } from './sct2-form.tsx'

const known = { frequency: 60, keepalive_period: 1440, temp_uplink_slices_duration: 2, temp_slice_duration: 60 } as const
const typed = toTypedParams(known)

test('R-3.88 unchanged fields are read back with the parameter that the form does not show', () => {
  expect(parseTypedParams(typed, known)).toEqual({ params: known, faults: [] })
})

test('R-5.14 a frequency must be a whole number from 1 to 180', async () => {
  const valid = ['1', ' 180 ', '060']
  const invalid = ['', '0', '181', '1.5', '1e2', '10a', '-5', '６０']
  const failures = await collectFailures(
    [...valid, ...invalid],
    (frequency) => JSON.stringify(frequency),
    (frequency) =>
      expect(parseTypedParams({ ...typed, frequency }, known)).toEqual(
        valid.includes(frequency)
          ? { params: { ...known, frequency: Number(frequency) }, faults: [] }
          : { params: null, faults: ['frequency'] },
      ),
  )
  expect(failures).toEqual([])
})

test('R-5.15 a keepalive period must be a whole number from 1 to 1440', () => {
  const faults = ['0', '1441', '2.5'].map((keepalive_period) => parseTypedParams({ ...typed, keepalive_period }, known).faults)
  expect(faults).toEqual([['keepalive_period'], ['keepalive_period'], ['keepalive_period']])
})

test('R-5.17 the temperature is measured every 60 or 720 minutes', () => {
  expect(parseTypedParams({ ...typed, temp_slice_duration: '720' }, known).params?.temp_slice_duration).toBe(720)
  expect(parseTypedParams({ ...typed, temp_slice_duration: '61' }, known).faults).toEqual(['temp_slice_duration'])
})

test('the same numbers in another notation are not a change', () => {
  expect(hasSameParams(parseTypedParams({ ...typed, frequency: ' 060' }, known).params!, known)).toBe(true)
  expect(hasSameParams({ ...known, temp_slice_duration: 720 }, known)).toBe(false)
})
