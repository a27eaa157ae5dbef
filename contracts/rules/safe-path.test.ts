import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isSafePath, safeNext } from './safe-path.ts'

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
        expect(safeNext(path)).toBe(path)
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
      ] as const,
      JSON.stringify,
      (path) => {
        expect(isSafePath(path)).toBe(false)
        expect(safeNext(path)).toBeNull()
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
        expect(safeNext(path)).toBeNull()
      },
    ),
  ).toEqual([])
})

test('R-2.5 next may lead to paths that only resemble those pages', async () => {
  expect(
    await collectFailures(['/login_help', '/loginx', '/errors', '/account/login'] as const, String, (path) => {
      expect(safeNext(path)).toBe(path)
    }),
  ).toEqual([])
})

test('R-2.5 without next there is no redirect', () => {
  expect(safeNext(null)).toBeNull()
})

test('R-7.11 every accepted path resolves to the own origin', () => {
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
