import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { refuseUnsafe } from './refuse-unsafe.ts'

const start = (env: Record<string, string>) => () => refuseUnsafe(readConfig(env))

test('the mock server starts on loopback', () => {
  expect(start({})).not.toThrow()
  expect(start({ HOST: '::1' })).not.toThrow()
})

test('the mock server does not start in production, with live keys, with demo mail, or on an open address without a token', async () => {
  const rows = [
    ['production', { NODE_ENV: 'production' }, 'does not run with NODE_ENV=production'],
    ['a live secret key', { STRIPE_SECRET_KEY: 'sk_live_1' }, 'does not run with live payment keys. Remove STRIPE_SECRET_KEY'],
    ['a live restricted key', { STRIPE_SECRET_KEY: 'rk_live_1' }, 'does not run with live payment keys. Remove STRIPE_SECRET_KEY'],
    ['a live public key', { STRIPE_PUBLIC_KEY: 'pk_live_1' }, 'does not run with live payment keys. Remove STRIPE_PUBLIC_KEY'],
    ['a demo in production', { MODE: 'demo', NODE_ENV: 'production' }, 'does not run with NODE_ENV=production'],
    ['a demo with a live key', { MODE: 'demo', STRIPE_SECRET_KEY: 'sk_live_1' }, 'does not run with live payment keys'],
    ['a demo that sends mail', { MODE: 'demo', SMTP_URL: 'smtp://127.0.0.1' }, 'The demo sends no mail'],
    ['an open address without a token', { HOST: '0.0.0.0' }, 'Set CONTROL_TOKEN'],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([, env, words]) => {
        expect(start(env as Record<string, string>)).toThrow(words)
      },
    ),
  ).toEqual([])
})

test('the mock server starts on an open address with a control token', () => {
  expect(start({ HOST: '0.0.0.0', CONTROL_TOKEN: 'x'.repeat(24) })).not.toThrow()
})

test('a demo starts on an open address without a control token', () => {
  expect(start({ MODE: 'demo', HOST: '0.0.0.0' })).not.toThrow()
})
