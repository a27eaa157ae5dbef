import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { editJson } from './effects.ts'

test('a mutation does not reach the prototype', async () => {
  const rows = [
    '__proto__.polluted',
    'constructor.prototype.polluted',
    'a.__proto__.polluted',
    '*.constructor.prototype.polluted',
    '__proto__',
  ]
  expect(
    await collectFailures(rows, String, (path) => {
      const value = path === '__proto__' ? { polluted: 1 } : 1
      expect(editJson('{"a":{"b":1}}', { set: { [path]: value } })).toBe('{"a":{"b":1}}')
      expect(Object.keys(Object.prototype)).toEqual([])
      expect({}).not.toHaveProperty('polluted')
    }),
  ).toEqual([])
})

test('inherited properties cannot be removed', () => {
  expect(editJson('{"a":1}', { remove: ['__proto__.toString', 'constructor.prototype.valueOf'] })).toBe('{"a":1}')
  expect({}.toString()).toBe('[object Object]')
})

test('own properties of a response are set and removed', () =>
  expect(editJson('{"a":[{"b":1,"c":2}]}', { set: { 'a.*.d': 3 }, remove: ['a.0.b'] })).toBe('{"a":[{"c":2,"d":3}]}'))
