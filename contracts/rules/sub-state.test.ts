import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isUnlimited, knownSubState, subStateAt } from './sub-state.ts'

const now = new Date('2026-03-01T12:00:00Z')

test('R-4.18 an active subscription has ended once its end has passed', async () => {
  expect(
    await collectFailures(
      [
        ['active', '2026-03-01T12:00:01Z', 'active'],
        ['active', '2026-03-01T12:00:00Z', 'active'],
        ['active', '2026-03-01T11:59:59Z', 'ended'],
        ['active', null, 'active'],
        ['ended', '2026-02-01T00:00:00Z', 'ended'],
        ['not_activated', null, 'not_activated'],
        ['not_activated', '2026-02-01T00:00:00Z', 'not_activated'],
        ['none', null, 'none'],
        ['suspended', '2030-01-01T00:00:00Z', 'none'],
      ] as const,
      JSON.stringify,
      ([stored, end, state]) => {
        expect(subStateAt(stored, end, now)).toBe(state)
      },
    ),
  ).toEqual([])
})

test('only an active subscription without an end date is unlimited', async () => {
  expect(
    await collectFailures(
      [
        ['active', null, true],
        ['active', '2026-02-01T00:00:00Z', false],
        ['none', null, false],
      ] as const,
      JSON.stringify,
      ([state, end, is]) => {
        expect(isUnlimited(state, end)).toBe(is)
      },
    ),
  ).toEqual([])
})

test('R-3.21 an unknown subscription state is treated as none', async () => {
  expect(
    await collectFailures(['', 'ACTIVE', 'toString'] as const, JSON.stringify, (value) => {
      expect(knownSubState(value)).toBe('none')
    }),
  ).toEqual([])
})
