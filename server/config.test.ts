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
  })
})

test('one message names every invalid variable', () => {
  const read = () => readConfig({ PORT: 'eighty', SMTP_URL: 'mailpit', CONTROL_TOKEN: 'short', RATE_LIMITS: 'maybe' })
  for (const name of ['PORT', 'SMTP_URL', 'CONTROL_TOKEN', 'RATE_LIMITS']) expect(read).toThrow(`  ${name}: `)
})

test('an empty variable counts as not set', () => {
  expect(readConfig({ PORT: '', SMTP_URL: '' })).toMatchObject({ PORT: 8080 })
})

test('lists and switches are parsed', () => {
  const config = readConfig({ CORS_ORIGINS: 'https://a.example, https://b.example,', RATE_LIMITS: 'off', DOCS: 'on' })
  expect(config).toMatchObject({ CORS_ORIGINS: ['https://a.example', 'https://b.example'], RATE_LIMITS: false, DOCS: true })
})

test('there are 14 days of grace, another number of at least one, or no end of service', () => {
  expect(readConfig({}).GRACE_DAYS).toBe(14)
  expect(readConfig({ GRACE_DAYS: '3' }).GRACE_DAYS).toBe(3)
  expect(readConfig({ GRACE_DAYS: 'off' }).GRACE_DAYS).toBeNull()
  for (const GRACE_DAYS of ['0', '2.5', 'never']) expect(() => readConfig({ GRACE_DAYS })).toThrow('  GRACE_DAYS: ')
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

const PROXIES = [
  ['off', false],
  ['1', 1],
  ['3', 3],
  ['10.0.0.0/8, 2001:db8::/32,192.0.2.1', ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']],
  ['loopback', ['loopback']],
] as const
test('trusted proxies are a number of hops or a list of networks', async () => {
  const failures = await collectFailures(
    PROXIES,
    ([given]) => given,
    ([given, read]) => expect(readConfig({ TRUST_PROXY: given }).TRUST_PROXY).toEqual(read),
  )
  expect(failures).toEqual([])
})

test('proxies that would let any caller choose an address are refused', async () => {
  const rows = ['on', 'true', '*', '0', '99', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/8/8', 'proxy.example', ',']
  const failures = await collectFailures(rows, String, (given) => {
    expect(() => readConfig({ TRUST_PROXY: given })).toThrow(
      / {2}TRUST_PROXY: .*give the number of proxies in front of the server, such as 1/,
    )
  })
  expect(failures).toEqual([])
})

const SETTINGS = {
  PORTAL_ORIGIN: 'https://portal.example',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'portal@portal.example',
  STRIPE_SECRET_KEY: 'sk',
  STRIPE_PUBLIC_KEY: 'pk',
  STRIPE_WEBHOOK_SECRET: 'wh',
  TRUST_PROXY: '1',
}
const check = (change: Record<string, string>) => () => requireProduction(readConfig({ ...SETTINGS, ...change }))

test('production names every variable it lacks', () => {
  expect(() => requireProduction(readConfig({ PORTAL_ORIGIN: 'https://portal.example' }))).toThrow(
    'Production needs these environment variables: SECRETS_KEY, SMTP_URL, MAIL_FROM, STRIPE_SECRET_KEY, STRIPE_PUBLIC_KEY, STRIPE_WEBHOOK_SECRET',
  )
})

test('the address of another payment server is an origin, and is refused with a live key', () => {
  for (const url of ['http://localhost:12111', 'http://127.0.0.1:12111/', 'https://stripe.staging.example'])
    expect(readConfig({ STRIPE_API_URL: url, STRIPE_SECRET_KEY: 'sk_test_1' }).STRIPE_API_URL).toBe(url.replace(/\/$/, ''))
  expect(readConfig({ STRIPE_API_URL: '', STRIPE_SECRET_KEY: 'sk_live_1' }).STRIPE_API_URL).toBeUndefined()
  for (const url of ['localhost:12111', 'http://localhost:12111/v1', 'stripe', 'ftp://localhost', 'http://'])
    expect(() => readConfig({ STRIPE_API_URL: url })).toThrow(
      `STRIPE_API_URL: ${url} is not an origin such as http://localhost:12111, without a path`,
    )
  for (const live of [{ STRIPE_SECRET_KEY: 'sk_live_1' }, { STRIPE_SECRET_KEY: 'rk_live_1' }, { STRIPE_PUBLIC_KEY: 'pk_live_1' }])
    expect(() => readConfig({ STRIPE_API_URL: 'http://localhost:12111', ...live })).toThrow(
      'STRIPE_API_URL=http://localhost:12111 is not used with a live key, because real payments go to Stripe only.',
    )
})

test('production is served over https, except on the machine itself', () => {
  expect(check({ PORTAL_ORIGIN: 'http://portal.example' })).toThrow(/^PORTAL_ORIGIN must begin with https:/)
  for (const origin of ['https://portal.example', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080'])
    expect(check({ PORTAL_ORIGIN: origin })).not.toThrow()
})

test('production on a loopback address must name its proxy or say that it has none', () => {
  for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    expect(check({ HOST, TRUST_PROXY: '' })).toThrow(`HOST=${HOST} can only be reached through a proxy on this machine.`)
  expect(check({ HOST: '0.0.0.0', TRUST_PROXY: '' })).not.toThrow()
  expect(check({ TRUST_PROXY: 'off' })).not.toThrow()
})

test('the key for secrets is 32 bytes in base64', () => {
  expect(readConfig({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }).SECRETS_KEY).toEqual(Buffer.alloc(32, 7))
  for (const SECRETS_KEY of ['short', 'x'.repeat(44), Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])
    expect(() => readConfig({ SECRETS_KEY })).toThrow('make it with: openssl rand -base64 32')
})

test('positions are packed a number of days after their month, or not at all', () => {
  expect(readConfig({}).POSITIONS_PACK_AFTER_DAYS).toBe(null)
  expect(readConfig({ POSITIONS_PACK_AFTER_DAYS: '7' }).POSITIONS_PACK_AFTER_DAYS).toBe(7)
  for (const wrong of ['0', '1.5', 'soon'])
    expect(() => readConfig({ POSITIONS_PACK_AFTER_DAYS: wrong })).toThrow('POSITIONS_PACK_AFTER_DAYS')
})

test('replicas are a list of databases, and are refused without their primary', () => {
  const replicas = { DATABASE_REPLICA_URL: 'postgres://one/portal, postgresql://other/portal' }
  const config = readConfig({ ...replicas, DATABASE_URL: 'postgres://primary/portal' })
  expect(config.DATABASE_REPLICA_URL).toEqual(['postgres://one/portal', 'postgresql://other/portal'])
  expect(config.DATABASE_REPLICA_LAG).toBe(10)
  expect(() => readConfig(replicas)).toThrow('Set DATABASE_URL to the primary')
  for (const wrong of ['https://one/portal', 'postgres://one/portal,other'])
    expect(() => readConfig({ DATABASE_URL: 'postgres://primary/portal', DATABASE_REPLICA_URL: wrong })).toThrow(
      '  DATABASE_REPLICA_URL: give',
    )
})

test('the direct address of a database behind a pooler must be a PostgreSQL address', () => {
  const DATABASE_URL = 'postgres://pooler/portal'
  expect(readConfig({ DATABASE_URL, DATABASE_DIRECT_URL: 'postgres://primary/portal' }).DATABASE_DIRECT_URL).toBe(
    'postgres://primary/portal',
  )
  expect(() => readConfig({ DATABASE_URL, DATABASE_DIRECT_URL: 'primary' })).toThrow('  DATABASE_DIRECT_URL: give')
})
