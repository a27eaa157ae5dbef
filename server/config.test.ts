import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
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

test('one message names every unusable variable', () => {
  const read = () => readConfig({ PORT: 'eighty', SMTP_URL: 'mailpit', CONTROL_TOKEN: 'short', RATE_LIMITS: 'maybe' })
  for (const name of ['PORT', 'SMTP_URL', 'CONTROL_TOKEN', 'RATE_LIMITS']) expect(read).toThrow(`  ${name}: `)
})

test('an empty variable counts as not set', () => {
  expect(readConfig({ PORT: '', SMTP_URL: '' })).toMatchObject({ PORT: 8080 })
})

test('lists and switches are parsed', () => {
  const config = readConfig({ CORS_ORIGINS: 'https://a.example, https://b.example,', RATE_LIMITS: 'off', TRUST_PROXY: 'on' })
  expect(config).toMatchObject({ CORS_ORIGINS: ['https://a.example', 'https://b.example'], RATE_LIMITS: false, TRUST_PROXY: true })
})

const ORIGINS = [
  ['https://portal.example', 'https://portal.example'],
  ['https://portal.example/', 'https://portal.example'],
  ['http://localhost:8080/', 'http://localhost:8080'],
  ['HTTPS://Portal.Example:443/', 'https://portal.example'],
] as const
test('an origin is normalised to the form that browsers send', async () => {
  const failures = await collectFailures(
    ORIGINS,
    ([given]) => given,
    ([given, sent]) => {
      const config = readConfig({ PORTAL_ORIGIN: given, CORS_ORIGINS: `https://a.example/, ${given}` })
      expect(config).toMatchObject({ PORTAL_ORIGIN: sent, CORS_ORIGINS: ['https://a.example', sent] })
    },
  )
  expect(failures).toEqual([])
})

const NOT_ORIGINS = [
  'https://portal.example/portal',
  'https://portal.example//',
  'https://portal.example/?a=b',
  'https://portal.example/?',
  'https://portal.example#top',
  'https://me@portal.example',
  'ftp://portal.example',
  'localhost:8080',
  'portal.example',
  '*',
]
test('the error for anything that is not exactly an origin names the variable', async () => {
  const failures = await collectFailures(NOT_ORIGINS, String, (given) => {
    for (const [name, value] of [
      ['PORTAL_ORIGIN', given],
      ['CORS_ORIGINS', `https://a.example,${given}`],
    ] as const)
      expect(() => readConfig({ [name]: value })).toThrow(
        `  ${name}: ${given} is not an origin such as https://portal.example, without a path`,
      )
  })
  expect(failures).toEqual([])
})

test('an address that is not an origin may have a path', () => {
  expect(readConfig({ GEOCODER_URL: 'https://photon.example/api' })).toMatchObject({ GEOCODER_URL: 'https://photon.example/api' })
})

test('production names every variable it lacks', () => {
  expect(() => requireProduction(readConfig({ PORTAL_ORIGIN: 'https://portal.example' }))).toThrow(
    'Production needs these environment variables: SECRETS_KEY, SMTP_URL, STRIPE_SECRET_KEY, STRIPE_PUBLIC_KEY, STRIPE_WEBHOOK_SECRET',
  )
})
