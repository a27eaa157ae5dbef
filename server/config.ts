import path from 'node:path'
import * as z from 'zod/mini'
import { GRACE_DAYS } from '#contracts/rules/service.ts'
import { splitAddress } from '#db/database-addresses.ts'
import { LEGAL_SETTINGS, NonEmptyText, WebAddress } from '#server/legal/legal-settings.ts'
import { isLoopback } from '#server/lib/loopback.ts'
import { SaleSettings } from '#server/lib/sale-settings.ts'
import { isLiveKey } from '#server/ports/payment-calls.ts'
import { buildOrigin, buildServerList, isOrigin, splitList, TrustedProxies } from './address-settings.ts'

const Port = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535))
const Switch = z.pipe(
  z._default(z.enum(['on', 'off']), 'on'),
  z.transform((value) => value === 'on'),
)
const OptionalSwitch = z.optional(
  z.pipe(
    z.enum(['on', 'off']),
    z.transform((value) => value === 'on'),
  ),
)
const isPostgres = (text: string) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
const Origin = buildOrigin('https://portal.example')
/** The public clusters of The Things Stack. */
const TTS_CLUSTERS = ['eu1', 'nam1', 'au1'].map((cluster) => `${cluster}.cloud.thethings.network`)
const GraceDays = z.pipe(
  z._default(
    z.union([z.literal('off'), z.coerce.number().check(z.int(), z.minimum(GRACE_DAYS.min), z.maximum(GRACE_DAYS.max))]),
    GRACE_DAYS.usual,
  ),
  z.transform((value) => (value === 'off' ? null : value)),
)

const isSecretsKey = (text: string) => /^[\w+/-]{43}=?$/.test(text) && Buffer.from(text, 'base64').length === 32

const SecretKey = z.pipe(
  z.string().check(z.refine(isSecretsKey, { error: 'is not 32 bytes in base64; make it with: openssl rand -base64 32' })),
  z.transform((text): Uint8Array => Buffer.from(text, 'base64')),
)
/** The push services of Chrome and its relatives, Firefox, Safari and Edge. */
const PUSH_SERVICES = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com']

/** Throws if the text is not an address of a PostgreSQL. */
function explainAddress(text: unknown) {
  try {
    splitAddress(String(text))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
const DatabaseUrl = z.string().check(z.refine((text) => !explainAddress(text), { error: ({ input }) => explainAddress(input)! }))

const Config = z.object({
  NODE_ENV: z._default(z.string(), 'development'),
  /** `local` is the local stack; `demo` is a public demo with a world per visitor (docs/demo.md). */
  MODE: z._default(z.enum(['local', 'demo']), 'local'),
  PORT: z._default(Port, 8080),
  HOST: z._default(NonEmptyText, '127.0.0.1'),
  DATA_DIR: z._default(NonEmptyText, 'data'),
  LOG_LEVEL: z._default(z.enum(['debug', 'info', 'warn', 'error', 'silent']), 'warn'),
  /**
   * PostgreSQL 15 or newer, such as `postgres://user:password@host/name?sslmode=verify-full`; without it, SQLite in `DATA_DIR`. Of several
   * hosts, `host1:5432,host2:5432`, the server uses the one that accepts changes.
   */
  DATABASE_URL: z.optional(DatabaseUrl),
  /** The most connections to it that this process opens. */
  DATABASE_CONNECTIONS: z._default(z.coerce.number().check(z.int(), z.minimum(2), z.maximum(1000)), 10),
  /** The address of the database itself, if `DATABASE_URL` is a pooler in transaction mode, such as PgBouncer. */
  DATABASE_DIRECT_URL: z.optional(DatabaseUrl),
  /** Replicas of the database, separated by commas, which serve reads of history. */
  DATABASE_REPLICA_URL: z.pipe(
    z.pipe(z._default(z.string(), ''), z.transform(splitList)),
    z.array(
      z
        .string()
        .check(z.refine(isPostgres, { error: 'give addresses of replicas, separated by commas: postgres://user:password@host/name' })),
    ),
  ),
  /** The largest lag of a replica in seconds. */
  DATABASE_REPLICA_LAG: z._default(z.coerce.number().check(z.int(), z.minimum(2), z.maximum(3600)), 10),
  /** Positions of a month are packed this many days after its end (docs/scaling.md). */
  POSITIONS_PACK_AFTER_DAYS: z.pipe(
    z._default(z.union([z.literal('off'), z.coerce.number().check(z.int(), z.minimum(1), z.maximum(3650))]), 'off'),
    z.transform((value) => (value === 'off' ? null : value)),
  ),
  /** How long `/readyz` fails after SIGTERM before the port closes, so that a load balancer stops sending requests. */
  DRAIN_SECONDS: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(300)), 0),
  /** `on`: the clock of the machine is accepted, whatever the database says (docs/decisions/100-clock-in-doubt.md). */
  CLOCK_TRUSTED: z.pipe(
    z._default(z.enum(['on', 'off']), 'off'),
    z.transform((value) => value === 'on'),
  ),
  /**
   * The file with the list of what people have ended for good, such as accounts and links; keep it outside of what a restore replaces.
   * Default: `endings.jsonl` in `DATA_DIR`.
   */
  ENDINGS_FILE: z.optional(NonEmptyText),
  /** FULL: acknowledged writes survive a power failure. NORMAL: they survive only a crash of the server. Default: FULL in production. */
  SYNCHRONOUS: z.optional(z.enum(['NORMAL', 'FULL'])),
  PORTAL_ORIGIN: z.optional(Origin),
  /**
   * The address of the mock server's worlds: `http://w-{id}.qa.example:8080`, or one origin without `{id}`, where `/mock/enter/<id>`
   * chooses the world. Default: `w-{id}.localhost`.
   */
  WORLD_ORIGIN: z.optional(
    z.pipe(
      z
        .string()
        .check(z.refine(isWorldOrigin, { error: ({ input }) => `${input} is not an origin such as http://w-{id}.qa.example:8080` })),
      z.transform((value) => value.replace(/\/$/, '')),
    ),
  ),
  /** A folder of documents and modules, each a scenario of the mock server by its file name (docs/testing.md). */
  SCENARIOS: z.optional(NonEmptyText),
  /** The most worlds that the mock server holds at once. */
  MAX_WORLDS: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000)), 500),
  /** Other origins that may call the API, separated by commas. The local stack allows every origin unless some are listed. */
  CORS_ORIGINS: z.pipe(z.pipe(z._default(z.string(), ''), z.transform(splitList)), z.array(Origin)),
  PRODUCT_NAME: z._default(NonEmptyText, 'Whereabouts'),
  SUPPORT_EMAIL: z._default(z.email(), 'support@example.com'),
  SUPPORT_FORM_URL: z.optional(WebAddress),
  ...LEGAL_SETTINGS,
  /** Deep links into the two apps, and their store pages. */
  TRACK_APP_URL: z.optional(NonEmptyText),
  TRACK_APP_STORE_URL: z.optional(WebAddress),
  TRACK_APP_PLAY_URL: z.optional(WebAddress),
  COLLAR_APP_URL: z.optional(NonEmptyText),
  COLLAR_APP_STORE_URL: z.optional(WebAddress),
  COLLAR_APP_PLAY_URL: z.optional(WebAddress),
  /** URL template of a raster or SVG tile server, and its attribution. */
  TILE_URL: z.optional(NonEmptyText),
  TILE_ATTRIBUTION: z.optional(NonEmptyText),
  /** The same for satellite imagery; without it the map has no switch. */
  SATELLITE_TILE_URL: z.optional(NonEmptyText),
  SATELLITE_TILE_ATTRIBUTION: z.optional(NonEmptyText),
  /** The `/api` of a Photon server. Without one, places need coordinates. */
  GEOCODER_URL: z.optional(WebAddress),
  /** The maximum number of addresses requested from it per minute; 0 for none. */
  GEOCODER_CALLS_PER_MINUTE: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(6000)), 60),
  /** Network servers to which messages for trackers may be sent, separated by commas: `host`, or `http://host:port`. */
  DOWNLINK_SERVERS: buildServerList(TTS_CLUSTERS),
  /** Days after its subscription until a tracker rests (docs/resting.md); `off`: no tracker ever rests. */
  GRACE_DAYS: GraceDays,
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/ })),
  /** Sender of the mails, such as `Acme <no-reply@acme.example>`. */
  MAIL_FROM: z.optional(NonEmptyText),
  /** Signs notifications to browsers, 32 bytes in base64 as from `openssl rand -base64 32`; without it none are sent. */
  PUSH_KEY: z.optional(SecretKey),
  /** Hosts of the push services of browsers, separated by commas. */
  PUSH_SERVICES: z.pipe(z._default(z.string(), PUSH_SERVICES.join(',')), z.transform(splitList)),
  /**
   * Whether a new contact has to agree before the first alert mail: `asked` by a mail with a link, or `presumed`. Default: `asked` in
   * production, `presumed` in the mock server.
   */
  CONTACT_CONSENT: z.optional(z.enum(['asked', 'presumed'])),
  /** Where users may send alerts (webhooks, Telegram, ntfy): to any public host, only to `CHANNEL_SERVERS`, or nowhere. */
  CHANNELS: z._default(z.enum(['public', 'listed', 'off']), 'public'),
  /** Servers in the operator's own network that they may also use, separated by commas: `host`, or `http://host:port`. */
  CHANNEL_SERVERS: buildServerList([]),
  /**
   * The address of another server with Stripe's API, such as the fake (docs/stripe.md): for a staging environment without Stripe. Needs
   * test keys.
   */
  STRIPE_API_URL: z.optional(buildOrigin('http://localhost:12111')),
  STRIPE_SECRET_KEY: z.optional(NonEmptyText),
  STRIPE_PUBLIC_KEY: z.optional(NonEmptyText),
  STRIPE_WEBHOOK_SECRET: z.optional(NonEmptyText),
  /** Limits per account and, except in the local stack, per IP address; off in end-to-end suites, where many users share one address. */
  RATE_LIMITS: Switch,
  /** Encrypts the secrets of second factors in the database: 32 bytes in base64, as from `openssl rand -base64 32`. */
  SECRETS_KEY: z.optional(SecretKey),
  /** Whether support and administrators of pro accounts need a second factor. Default: on in production, off in the mock server. */
  REQUIRE_SECOND_FACTOR: OptionalSwitch,
  ...SaleSettings,
  /** Guards the control plane; required when it is reachable from other machines. */
  CONTROL_TOKEN: z.optional(z.string().check(z.minLength(24))),
  /** The instant that the demo data is relative to; now when absent. */
  SEED_ANCHOR: z.optional(z.iso.datetime()),
  /** Reverse proxies in front of the server: their number, or their addresses and networks; `off` without any. */
  TRUST_PROXY: z.optional(TrustedProxies),
  /** Opens `/metrics` to requests with this bearer token. In production they are closed without it. */
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(24))),
  /** Whether the API reference is served at `/docs`. Default: only outside production. */
  DOCS: OptionalSwitch,
})

export type Config = z.infer<typeof Config>

/** The names of all variables. */
export const VARIABLES = Object.keys(Config.shape)

/** An empty variable counts as not set. Throws one message that lists every invalid variable. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = z.safeParse(Config, Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')))
  if (parsed.success && parsed.data.DATABASE_REPLICA_URL.length > 0 && !parsed.data.DATABASE_URL)
    throw new Error(
      'DATABASE_REPLICA_URL names replicas of a PostgreSQL. Set DATABASE_URL to the primary, or remove it: SQLite has no replicas.',
    )
  if (parsed.success) return refuseLiveKeysElsewhere(parsed.data)
  const lines = parsed.error.issues.map((issue) => `  ${String(issue.path[0])}: ${issue.message}`)
  throw new Error(`These environment variables cannot be used:\n${lines.join('\n')}`)
}

/** Real payments would be lost at a server other than Stripe. */
function refuseLiveKeysElsewhere(config: Config) {
  if (config.STRIPE_API_URL === undefined) return config
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLIC_KEY'] as const)
    if (isLiveKey(config[name] ?? ''))
      throw new Error(
        `STRIPE_API_URL=${config.STRIPE_API_URL} is not used with a live key, because real payments go to Stripe only. Remove STRIPE_API_URL, or set ${name} to a test key.`,
      )
  return config
}

export const findEndingsFile = ({ DATA_DIR, ENDINGS_FILE }: Config) => ENDINGS_FILE ?? path.join(DATA_DIR, 'endings.jsonl')

/** `{id}` at most once, and only in the host. */
function isWorldOrigin(value: string) {
  return isOrigin(value.replace(/\/$/, '').replace('{id}', 'id')) && !/[{}]/.test(value.replace('{id}', ''))
}

/** Throws one message that lists what production lacks, or what would be unsafe there. */
export function requireProduction(config: Config) {
  const needed = [
    'PORTAL_ORIGIN',
    'SECRETS_KEY',
    'SMTP_URL',
    'MAIL_FROM',
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLIC_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ] as const
  const missing = needed.filter((name) => config[name] === undefined)
  if (missing.length > 0) throw new Error(`Production needs these environment variables: ${missing.join(', ')}`)
  const { protocol, hostname } = new URL(config.PORTAL_ORIGIN!)
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new Error('PORTAL_ORIGIN must begin with https:// in production: passwords, sessions and positions pass over it.')
  if (config.TRUST_PROXY === undefined && isLoopback(config.HOST))
    throw new Error(
      `HOST=${config.HOST} can only be reached through a proxy on this machine. Set TRUST_PROXY=1, or all callers share one limit for failed requests; TRUST_PROXY=off if there really is no proxy.`,
    )
}
