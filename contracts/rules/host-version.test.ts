import { expect, test } from 'vitest'
import { integerVersionOf, parseHostVersion } from './host-version.ts'

test.each([
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
])('R-3.102 version %j is %j as an integer (W-3)', (version, integer) => {
  expect(integerVersionOf(version)).toBe(integer)
})

test.each([
  ['ios-com.example.portal-1.12.3', 'ios', 'com.example.portal', '1.12.3', 11203],
  ['android-com.my-company.my-app-2.0', 'android', 'com.my-company.my-app', '2.0', 20000],
])('R-3.101 %s is split by dashes, those of the bundle id kept (C-13)', (text, platform, bundleId, version, integerVersion) => {
  expect(parseHostVersion(text)).toEqual({ platform, bundleId, version, integerVersion })
})

test.each(['', 'ios', 'ios-1.2.3', 'ios-com.example-x.y', 'ios-com.example-', '-com.example-1.0', 'ios--1.0', 'ios-com.example-1.0-beta'])(
  'R-3.101 %j is ignored as a whole (C-13)',
  (text) => {
    expect(parseHostVersion(text)).toBeNull()
  },
)
