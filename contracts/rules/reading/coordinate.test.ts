import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type Axis, isHalfEmpty, isNullIsland, readCoordinate, readE7, readPoint } from './coordinate.ts'

test('a coordinate is read in every notation', async () => {
  const rows: [unknown, Axis, unknown, number | undefined][] = [
    [-34.9, 'lat', undefined, -34.9],
    ['-34.9', 'lat', undefined, -34.9],
    ['-34,9', 'lat', undefined, -34.9],
    ['−34.9°', 'lat', undefined, -34.9],
    ['34.9S', 'lat', undefined, -34.9],
    ['34.9 s', 'lat', undefined, -34.9],
    ['S34.9', 'lat', undefined, -34.9],
    ['S 34,9°', 'lat', undefined, -34.9],
    ['34.9° south', 'lat', undefined, -34.9],
    [34.9, 'lat', 'S', -34.9],
    ['34.9', 'lat', 'south', -34.9],
    ['34.9', 'lat', 'N', 34.9],
    ['-34.9', 'lat', 'S', -34.9],
    ['34.9S', 'lat', 'S', -34.9],
    ['20.5', 'lng', 'W', -20.5],
    ['20.5', 'lng', '', 20.5],
    ['34°54\'0"S', 'lat', undefined, -34.9],
    ['34° 54′ 00″ S', 'lat', undefined, -34.9],
    ["34°54.0'S", 'lat', undefined, -34.9],
    ['S 34 54 00', 'lat', undefined, -34.9],
    ['-34:54:00', 'lat', undefined, -34.9],
    ['-34 54.0', 'lat', undefined, -34.9],
    ['56d 9m 0s W', 'lng', undefined, -56.15],
    ['3454.000,S', 'lat', undefined, -34.9],
    ['3454.000', 'lat', 'S', -34.9],
    ['05609.0000', 'lng', 'W', -56.15],
    [200, 'lng', undefined, -160],
    ['303.85', 'lng', undefined, -56.15],
    [180, 'lng', undefined, 180],
    [-180, 'lng', undefined, -180],
    ['۳۴٫۹', 'lat', undefined, 34.9],
    [90.1, 'lat', undefined, undefined],
    [-181, 'lng', undefined, undefined],
    [361, 'lng', undefined, undefined],
    ['34.9E', 'lat', undefined, undefined],
    ['34.9', 'lat', 'E', undefined],
    ['34.9N', 'lat', 'S', undefined],
    ['-34.9', 'lat', 'N', undefined],
    ['N 34.9 S', 'lat', undefined, undefined],
    ['34°60\'00"S', 'lat', undefined, undefined],
    ['34°54\'60"S', 'lat', undefined, undefined],
    ['475000000', 'lat', undefined, undefined],
    ['north', 'lat', undefined, undefined],
    ['', 'lat', undefined, undefined],
    [null, 'lat', undefined, undefined],
    [true, 'lng', undefined, undefined],
    [Number.NaN, 'lng', undefined, undefined],
  ]
  expect(
    await collectFailures(
      rows,
      ([value, axis, side]) => `${value} ${axis} ${side ?? ''}`,
      ([value, axis, side, degrees]) => expect(readCoordinate(value, axis, side)).toBe(degrees),
    ),
  ).toEqual([])
})

test('degrees times 1e7 are read, including overflowed ones', () => {
  expect([
    readE7(-349000000, 'lat'),
    readE7('201500000', 'lng'),
    readE7(4_294_967_296 - 349_000_000, 'lat'),
    readE7(4_294_967_296 - 561_500_000, 'lng'),
    readE7(1_000_000_000, 'lat'),
    readE7('x', 'lat'),
  ]).toEqual([-34.9, 20.15, -34.9, -56.15, undefined, undefined])
})

test('a point is only read with both coordinates', () => {
  expect([readPoint('34.9S', '303,85'), readPoint(34.9, null), readPoint('x', 1)]).toEqual([
    { lat: -34.9, lng: -56.15 },
    undefined,
    undefined,
  ])
})

test('0,0 is not a position, and neither is one with a coordinate of exactly 0', () => {
  expect([isNullIsland({ lat: 0, lng: 0 }), isNullIsland({ lat: -0, lng: 0 }), isNullIsland({ lat: 42.4, lng: 0 })]).toEqual([
    true,
    true,
    false,
  ])
  expect([isHalfEmpty({ lat: 42.4, lng: 0 }), isHalfEmpty({ lat: 0, lng: 20.5 }), isHalfEmpty({ lat: 42.4, lng: 20.5 })]).toEqual([
    true,
    true,
    false,
  ])
})
