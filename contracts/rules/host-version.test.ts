import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { integerVersionOf, parseHostVersion } from './host-version.ts'

test('R-3.102 a version of up to three numbers becomes an integer', async () => {
  expect(
    await collectFailures(
      [
        ['1.12.3', 11203],
        ['0.0.1', 1],
        ['2.0.0', 20000],
        ['10.4.27', 100427],
        ['1.99.99', 19999],
        ['2.100.1', 30001],
        ['3.0.1', 30001],
        ['1.12', 11200],
        ['7', 70000],
        ['x.y', null],
        ['1.2.3.4', null],
        ['1.', null],
        ['', null],
        ['1.2.3\n', null],
      ] as const,
      JSON.stringify,
      ([version, integer]) => {
        expect(integerVersionOf(version)).toBe(integer)
      },
    ),
  ).toEqual([])
})

test.each([
  ['ios-com.example.portal-1.12.3', 'ios', 'com.example.portal', '1.12.3', 11203],
  ['android-com.my-company.my-app-2.0', 'android', 'com.my-company.my-app', '2.0', 20000],
])('R-3.101 %s is split at dashes, except those of the bundle id', (text, platform, bundleId, version, integerVersion) => {
  expect(parseHostVersion(text)).toEqual({ platform, bundleId, version, integerVersion })
})

test('R-3.101 an incomplete host version is ignored as a whole', async () => {
  expect(
    await collectFailures(
      [
        '',
        'ios',
        'ios-1.2.3',
        'ios-com.example-x.y',
        'ios-com.example-',
        '-com.example-1.0',
        'ios--1.0',
        'ios-com.example-1.0-beta',
      ] as const,
      JSON.stringify,
      (text) => {
        expect(parseHostVersion(text)).toBeNull()
      },
    ),
  ).toEqual([])
})
