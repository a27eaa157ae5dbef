import { expect, test } from 'vitest'
import { findStripeWorld } from './mount-stripe.ts'

test('a Stripe key names its world, and needs the control token of a server that has one', () => {
  const worlds = new Map([['mine', 'the world']])
  expect(findStripeWorld('sk_test_w_mine', worlds, undefined)).toBe('the world')
  expect(findStripeWorld('sk_test_w_mine_a_token', worlds, 'a_token')).toBe('the world')
  for (const key of ['sk_test_w_mine', 'sk_test_w_mine_other', 'sk_test_w_other_a_token', 'sk_test_mine'])
    expect(findStripeWorld(key, worlds, 'a_token')).toBeUndefined()
  expect(findStripeWorld('sk_test_w_mine_a_token', worlds, undefined)).toBeUndefined()
})
