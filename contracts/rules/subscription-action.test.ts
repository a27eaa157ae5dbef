import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { subscriptionAction } from './subscription-action.ts'

test('R-2.10 the state of a subscription decides the offered action', async () => {
  expect(
    await collectFailures(
      [
        ['none', false, 'choose'],
        ['ended', false, 'renew'],
        ['ended', true, 'renew'],
        ['active', false, 'extend'],
        ['active', true, 'manage'],
        ['not_activated', false, 'activate'],
        ['unheard_of', false, 'choose'],
      ] as const,
      String,
      ([sub_state, is_recurring, action]) => {
        expect(subscriptionAction({ linked_to_pro: false, sub_state, is_recurring })).toBe(action)
      },
    ),
  ).toEqual([])
})

test('R-6.6 a tracker linked to pro always leads to support', async () => {
  expect(
    await collectFailures(['none', 'ended', 'active', 'not_activated'] as const, String, (sub_state) => {
      expect(subscriptionAction({ linked_to_pro: true, sub_state, is_recurring: true })).toBe('support')
    }),
  ).toEqual([])
})
