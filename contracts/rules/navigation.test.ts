import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  DeeplinkFlag,
  deepLinkPath,
  hasDeeplink,
  isSafePath,
  parseDeeplink,
  parseHostVersion,
  parseIntegerVersion,
  safeNextPath,
} from './navigation.ts'

test('R-7.11 a path of this site is accepted', async () => {
  expect(
    await collectFailures(
      [
        '/',
        '/payment_methods',
        '/subscription?checkout=success',
        '/trackers/1#map',
        '/a/../b',
        '/pub/trackers?next=//x',
        '/%E6%97%A5',
        '/a//b',
      ] as const,
      JSON.stringify,
      (path) => {
        expect(isSafePath(path)).toBe(true)
        expect(safeNextPath(path)).toBe(path)
      },
    ),
  ).toEqual([])
})

test('R-7.11 a path that browsers resolve to another site is rejected', async () => {
  expect(
    await collectFailures(
      [
        '//evil.example',
        '///evil.example',
        'https://x',
        'javascript:alert(1)',
        'payment_methods',
        '',
        ' /orders',
        '/\\evil.example',
        '\\\\evil.example',
        '/a\\..\\b',
        '/\t/evil.example',
        '/\n/evil.example',
        '/.//evil.example',
        '/a/..//evil.example',
        '/%2e//evil.example',
        '/\ud800',
        '/a?b=\udfff',
      ] as const,
      JSON.stringify,
      (path) => {
        expect(isSafePath(path)).toBe(false)
        expect(safeNextPath(path)).toBeNull()
      },
    ),
  ).toEqual([])
})

test('R-2.5 R-7.27 next never leads to sign-in, sign-out or the error page', async () => {
  expect(
    await collectFailures(
      [
        '/login',
        '/logout',
        '/error',
        '/login/',
        '/login?next=/orders',
        '/logout#x',
        '/./logout',
        '/a/../error',
        '/%6Cogout',
        '/Login',
      ] as const,
      JSON.stringify,
      (path) => {
        expect(safeNextPath(path)).toBeNull()
      },
    ),
  ).toEqual([])
})

test('R-2.5 next may lead to paths that only resemble those pages', async () => {
  expect(
    await collectFailures(['/login_help', '/loginx', '/errors', '/account/login'] as const, String, (path) => {
      expect(safeNextPath(path)).toBe(path)
    }),
  ).toEqual([])
})

test('R-2.5 without next there is no redirect', () => {
  expect(safeNextPath(null)).toBeNull()
})

test("R-7.11 every accepted path resolves to the portal's own origin", () => {
  const piece = fc.constantFrom('/', '//', '\\', '.', '..', '\t', '\n', '@', ':', '?', '#', '%2f', '%5c', 'evil.example', 'https:', ' ')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = `/${pieces.join('')}`
      if (!isSafePath(path)) return
      const { origin, pathname } = new URL(path, 'https://portal.example/app/here')
      expect(origin).toBe('https://portal.example')
      expect(new URL(pathname, origin).origin).toBe(origin)
    }),
  )
})

test('R-3.103 the capability bits of a host app determine find-my and boost', async () => {
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

test('R-2.34 a deep link leads only to an allowed target that the app is capable of', async () => {
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
        expect(parseIntegerVersion(version)).toBe(integer)
      },
    ),
  ).toEqual([])
})

test.each([
  ['ios-com.example.portal-1.12.3', 'ios', 'com.example.portal', '1.12.3', 11203],
  ['android-com.my-company.my-app-2.0', 'android', 'com.my-company.my-app', '2.0', 20000],
])('R-3.101 the host version %s is split at dashes, except those of the bundle id', (text, platform, bundleId, version, integerVersion) => {
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
