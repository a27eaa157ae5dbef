import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NAMES, packFixes, type Tuple, unpackFixes } from './codec.ts'

const SECONDS = 2 ** 40
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const int16 = fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })
const orNull = (value: fc.Arbitrary<number>) => fc.option(value, { nil: null })
const Fix: fc.Arbitrary<Tuple> = fc.tuple(
  fc.integer({ min: -SECONDS, max: SECONDS }),
  ...[int32, int32, int32],
  ...[int16, int32, int32, int16, int32, int16].map(orNull),
)

test('unpacking a block returns every column of every fix exactly, for all numbers that the columns can store', () => {
  fc.assert(
    fc.property(fc.array(Fix, { maxLength: 80 }), (fixes) => {
      expect(unpackFixes(packFixes(fixes))).toEqual(fixes)
    }),
    { numRuns: 300 },
  )
})

test('positions of a walk with a regular interval take less than twelve bytes each', () => {
  const walk = Array.from({ length: 512 }, (_, nth): Tuple => {
    const noise = (nth * 7919) % 31
    return [
      1_767_225_600 + nth * 300,
      -349_000_000 + nth * 900 + noise * 60,
      -561_000_000 - nth * 700,
      5 + (noise % 9),
      null,
      80,
      noise * 3,
      noise * 9,
      20,
      null,
    ]
  })
  expect(unpackFixes(packFixes(walk))).toEqual(walk)
  expect(packFixes(walk).length / walk.length).toBeLessThan(12)
})

test('bytes that are cut off, continued or of another version are refused', () => {
  const bytes = packFixes([[1, 2, 3, 4, null, null, null, null, null, null]])
  expect(NAMES).toHaveLength(10)
  expect(() => unpackFixes(bytes.subarray(0, -1))).toThrow(RangeError)
  expect(() => unpackFixes(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(RangeError)
  expect(() => unpackFixes(Buffer.concat([Buffer.from([9]), bytes.subarray(1)]))).toThrow(RangeError)
})
