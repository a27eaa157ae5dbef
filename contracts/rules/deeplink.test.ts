import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { DeeplinkFlag, deepLinkPath, hasDeeplink, parseDeeplink } from './deeplink.ts'

test('R-3.103 the capability bits of a host app decide on find-my and boost', async () => {
  expect(
    await collectFailures(
      [
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
      ] as const,
      JSON.stringify,
      ([text, findMy, boost]) => {
        const capability = parseDeeplink(text)
        expect(hasDeeplink(capability, DeeplinkFlag.FindMy)).toBe(findMy)
        expect(hasDeeplink(capability, DeeplinkFlag.RealtimeBoost)).toBe(boost)
      },
    ),
  ).toEqual([])
})

test('R-2.34 a deep link leads only to an allowed target the app is capable of', async () => {
  expect(
    await collectFailures(
      [
        ['findmy', 1, '/app/native/findmy'],
        ['rtb', 2, '/app/native/rtb'],
        ['findmy', 2, null],
        ['rtb', 1, null],
        ['findmy', 0, null],
        ['https://evil.example', 3, null],
        ['constructor', 3, null],
        ['', 3, null],
        [null, 3, null],
      ] as const,
      JSON.stringify,
      ([target, capability, path]) => {
        expect(deepLinkPath(target, capability)).toBe(path)
      },
    ),
  ).toEqual([])
})
