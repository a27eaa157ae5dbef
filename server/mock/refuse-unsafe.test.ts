import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { refuseUnsafe } from './refuse-unsafe.ts'

const start = (env: Record<string, string>) => () => refuseUnsafe(readConfig(env))

test('the mock server starts on loopback', () => {
  expect(start({})).not.toThrow()
  expect(start({ HOST: '::1' })).not.toThrow()
})

test.each([
  ['production', { NODE_ENV: 'production' }, 'does not run with NODE_ENV=production'],
  ['a live secret key', { STRIPE_SECRET_KEY: 'sk_live_1' }, 'does not run with live payment keys. Remove STRIPE_SECRET_KEY'],
  ['a live restricted key', { STRIPE_SECRET_KEY: 'rk_live_1' }, 'does not run with live payment keys. Remove STRIPE_SECRET_KEY'],
  ['a live public key', { STRIPE_PUBLIC_KEY: 'pk_live_1' }, 'does not run with live payment keys. Remove STRIPE_PUBLIC_KEY'],
  ['an open address without a token', { HOST: '0.0.0.0' }, 'Set CONTROL_TOKEN'],
])('it refuses %s', (_, env, words) => {
  expect(start(env as Record<string, string>)).toThrow(words)
})

test('with a token it may be reached by others', () => {
  expect(start({ HOST: '0.0.0.0', CONTROL_TOKEN: 'x'.repeat(24) })).not.toThrow()
})
