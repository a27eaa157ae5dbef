import { expect, test } from 'vitest'
import { subscriptionAction } from './subscription-action.ts'

test.each([
  ['none', false, 'choose'],
  ['ended', false, 'renew'],
  ['ended', true, 'renew'],
  ['active', false, 'extend'],
  ['active', true, 'manage'],
  ['not_activated', false, 'activate'],
  ['unheard_of', false, 'choose'],
])('R-2.10 %s, recurring %s, offers to %s (D-19, C-50)', (sub_state, is_recurring, action) => {
  expect(subscriptionAction({ linked_to_pro: false, sub_state, is_recurring })).toBe(action)
})

test.each(['none', 'ended', 'active', 'not_activated'])('R-6.6 a tracker linked to pro and %s leads to support', (sub_state) => {
  expect(subscriptionAction({ linked_to_pro: true, sub_state, is_recurring: true })).toBe('support')
})
