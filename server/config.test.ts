import { expect, test } from 'vitest'
import { readConfig, requireProduction } from './config.ts'

test('an empty environment is enough for the local stack', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 8080,
    HOST: '127.0.0.1',
    DATA_DIR: 'data',
    RATE_LIMITS: true,
    CORS_ORIGINS: [],
    TRUST_PROXY: false,
  })
})

test('every variable that cannot be used is named in one message', () => {
  const read = () => readConfig({ PORT: 'eighty', SMTP_URL: 'mailpit', CONTROL_TOKEN: 'short', RATE_LIMITS: 'maybe' })
  for (const name of ['PORT', 'SMTP_URL', 'CONTROL_TOKEN', 'RATE_LIMITS']) expect(read).toThrow(`  ${name}: `)
})

test('a variable set to nothing is not set', () => {
  expect(readConfig({ PORT: '', SMTP_URL: '' })).toMatchObject({ PORT: 8080 })
})

test('lists and switches are read as such', () => {
  const config = readConfig({ CORS_ORIGINS: 'https://a.example, https://b.example,', RATE_LIMITS: 'off', TRUST_PROXY: 'on' })
  expect(config).toMatchObject({ CORS_ORIGINS: ['https://a.example', 'https://b.example'], RATE_LIMITS: false, TRUST_PROXY: true })
})

test('production names all it lacks', () => {
  expect(() => requireProduction(readConfig({ PORTAL_ORIGIN: 'https://portal.example' }))).toThrow(
    'Production needs these environment variables: SMTP_URL, STRIPE_SECRET_KEY, STRIPE_PUBLIC_KEY, STRIPE_WEBHOOK_SECRET',
  )
})
