import { expect, test } from 'vitest'
import { edit } from './edit.ts'

test.each([
  '__proto__.polluted',
  'constructor.prototype.polluted',
  'a.__proto__.polluted',
  '*.constructor.prototype.polluted',
  '__proto__',
])('E.6 a mutation of %s touches nothing but the answer', (path) => {
  const value = path === '__proto__' ? { polluted: 1 } : 1
  expect(edit('{"a":{"b":1}}', { set: { [path]: value } })).toBe('{"a":{"b":1}}')
  expect(Object.keys(Object.prototype)).toEqual([])
  expect({}).not.toHaveProperty('polluted')
})

test('E.6 what is inherited is not left out either', () => {
  expect(edit('{"a":1}', { remove: ['__proto__.toString', 'constructor.prototype.valueOf'] })).toBe('{"a":1}')
  expect({}.toString()).toBe('[object Object]')
})

test('E.6 what an answer has of its own is set and left out', () =>
  expect(edit('{"a":[{"b":1,"c":2}]}', { set: { 'a.*.d': 3 }, remove: ['a.0.b'] })).toBe('{"a":[{"c":2,"d":3}]}'))
