import { expect, test } from 'vitest'
import { isUnlimited, knownSubState, subStateAt } from './sub-state.ts'

const now = new Date('2026-03-01T12:00:00Z')

test.each([
  ['active', '2026-03-01T12:00:01Z', 'active'],
  ['active', '2026-03-01T12:00:00Z', 'active'],
  ['active', '2026-03-01T11:59:59Z', 'ended'],
  ['active', null, 'active'],
  ['ended', '2026-02-01T00:00:00Z', 'ended'],
  ['not_activated', null, 'not_activated'],
  ['not_activated', '2026-02-01T00:00:00Z', 'not_activated'],
  ['none', null, 'none'],
  ['suspended', '2030-01-01T00:00:00Z', 'none'],
])('R-4.18 stored %s with end %j is %s now (D-16)', (stored, end, state) => {
  expect(subStateAt(stored, end, now)).toBe(state)
})

test.each([
  ['active', null, true],
  ['active', '2026-02-01T00:00:00Z', false],
  ['none', null, false],
])('D-16 %s with end %j: without an end? %j', (state, end, is) => {
  expect(isUnlimited(state, end)).toBe(is)
})

test.each(['', 'ACTIVE', 'toString'])('R-3.21 the unknown value %j is treated as none', (value) => {
  expect(knownSubState(value)).toBe('none')
})
