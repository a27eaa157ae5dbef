import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSafePath, safeNext } from './safe-path.ts'

test.each([
  '/',
  '/payment_methods',
  '/subscription?checkout=success',
  '/trackers/1#map',
  '/a/../b',
  '/pub/trackers?next=//x',
  '/%E6%97%A5',
  '/a//b',
])('R-7.11 %j stays on this site', (path) => {
  expect(isSafePath(path)).toBe(true)
  expect(safeNext(path)).toBe(path)
})

test.each([
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
])('R-7.11 D-21 %j is refused (trap 19)', (path) => {
  expect(isSafePath(path)).toBe(false)
  expect(safeNext(path)).toBeNull()
})

test.each([
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
])('R-2.5 R-7.27 next never leads to %j (C-31)', (path) => {
  expect(safeNext(path)).toBeNull()
})

test.each(['/login_help', '/loginx', '/errors', '/account/login'])('R-2.5 next may lead to %j', (path) => {
  expect(safeNext(path)).toBe(path)
})

test('R-2.5 no next at all leads nowhere', () => {
  expect(safeNext(null)).toBeNull()
})

test('R-7.11 whatever is accepted resolves to the own origin', () => {
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
