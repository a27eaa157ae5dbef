import { beforeEach, expect, test } from 'vitest'
import { storage } from '#web/lib/storage.ts'
import { createLeaveHandler, loginPath } from './navigation.ts'

beforeEach(() => storage.set('token', 'abc'))

const leave = (at: string, reason: 'no_answer' | 'unauthorized' | 'forbidden') => {
  const went: string[] = []
  const url = new URL(at, 'https://portal.test')
  const isLeaving = createLeaveHandler(
    () => url,
    (path) => went.push(path),
  )(reason)
  return { went, isLeaving }
}

test('R-7.27 a 401 removes the token and leads to the login page, which leads back', () => {
  expect(leave('/trackers/7?day=2', 'unauthorized').went).toEqual(['/login?next=%2Ftrackers%2F7%3Fday%3D2'])
  expect(storage.get('token')).toBeNull()
})

test('a 403 keeps the token', () => {
  expect(leave('/trackers', 'forbidden').went).toEqual(['/login?next=%2Ftrackers'])
  expect(storage.get('token')).toBe('abc')
})

test.each(['/login', '/login/', '/logout', '/login?view=reset_password'])('R-7.28 at %s a 401 does not redirect', (at) => {
  expect(leave(at, 'unauthorized')).toEqual({ went: [], isLeaving: false })
})

test('R-7.26 no response leads to /error once', () => {
  expect(leave('/trackers', 'no_answer').went).toEqual(['/error'])
  expect(leave('/login', 'no_answer').went).toEqual(['/error'])
  expect(leave('/error', 'no_answer').went).toEqual([])
})

test.each([
  ['/', '/login'],
  ['/login', '/login'],
  ['/error', '/login'],
  ['//evil.test', '/login'],
  ['/map', '/login?next=%2Fmap'],
])('from %s the login page is %s', (from, expected) => {
  expect(loginPath(from)).toBe(expected)
})
