import { expect, test } from 'vitest'
import { DeeplinkFlag, deepLinkPath, hasDeeplink, parseDeeplink } from './deeplink.ts'

test.each([
  ['0', false, false],
  ['1', true, false],
  ['2', false, true],
  ['3', true, true],
  ['4', false, false],
  ['5', true, false],
  ['6', false, true],
  ['7', true, true],
  ['4294967297', true, false],
  ['-1', false, false],
  ['1.5', false, false],
  ['abc', false, false],
  ['', false, false],
  ['9'.repeat(30), false, false],
  [null, false, false],
])('R-3.103 capability %j: find-my %s, boost %s (W-4)', (text, findMy, boost) => {
  const capability = parseDeeplink(text)
  expect(hasDeeplink(capability, DeeplinkFlag.FindMy)).toBe(findMy)
  expect(hasDeeplink(capability, DeeplinkFlag.RealtimeBoost)).toBe(boost)
})

test.each([
  ['findmy', 1, '/app/native/findmy'],
  ['rtb', 2, '/app/native/rtb'],
  ['findmy', 2, null],
  ['rtb', 1, null],
  ['findmy', 0, null],
  ['https://evil.example', 3, null],
  ['constructor', 3, null],
  ['', 3, null],
  [null, 3, null],
])('R-2.34 target %j with capability %i leads to %j', (target, capability, path) => {
  expect(deepLinkPath(target, capability)).toBe(path)
})
