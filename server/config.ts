import * as z from 'zod/mini'

const Port = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535))
const Switch = z.pipe(
  z._default(z.enum(['on', 'off']), 'on'),
  z.transform((value) => value === 'on'),
)
const WebAddress = z.url({ protocol: /^https?$/ })
/** As browsers send it, because paths are put behind it and callers are compared with it: a slash at the end goes, a path is refused. */
const Origin = z.pipe(
  z
    .string()
    .check(z.refine(isOrigin, { error: ({ input }) => `${input} is not an origin such as https://portal.example, without a path` })),
  z.transform((value) => new URL(value).origin),
)
const Filled = z.string().check(z.minLength(1))

const Config = z.object({
  NODE_ENV: z._default(z.string(), 'development'),
  /** What the mock server is: the local stack, or a public demo with a world for each visitor (docs/demo.md). */
  MODE: z._default(z.enum(['local', 'demo']), 'local'),
  PORT: z._default(Port, 8080),
  HOST: z._default(Filled, '127.0.0.1'),
  /** Where the database file lives. */
  DATA_DIR: z._default(Filled, 'data'),
  LOG_LEVEL: z._default(z.enum(['debug', 'info', 'warn', 'error', 'silent']), 'warn'),
  /** FULL also survives a power cut. */
  SYNCHRONOUS: z._default(z.enum(['NORMAL', 'FULL']), 'NORMAL'),
  /** Origin of the portal as people see it; links in e-mails point there. */
  PORTAL_ORIGIN: z.optional(Origin),
  /** Other origins that may call the API, separated by commas; the local stack answers all of them unless some are named. */
  CORS_ORIGINS: z.pipe(
    z.pipe(
      z._default(z.string(), ''),
      z.transform((list) =>
        list
          .split(',')
          .map((origin) => origin.trim())
          .filter(Boolean),
      ),
    ),
    z.array(Origin),
  ),
  PRODUCT_NAME: z._default(Filled, 'Whereabouts'),
  SUPPORT_EMAIL: z._default(z.email(), 'support@example.com'),
  /** A contact form elsewhere. */
  SUPPORT_FORM_URL: z.optional(WebAddress),
  /** What opens the two apps on a phone, and their pages in the stores. */
  TRACK_APP_URL: z.optional(Filled),
  TRACK_APP_STORE_URL: z.optional(WebAddress),
  TRACK_APP_PLAY_URL: z.optional(WebAddress),
  COLLAR_APP_URL: z.optional(Filled),
  COLLAR_APP_STORE_URL: z.optional(WebAddress),
  COLLAR_APP_PLAY_URL: z.optional(WebAddress),
  /** Template of a raster or SVG tile server, and its credit. */
  TILE_URL: z.optional(Filled),
  TILE_ATTRIBUTION: z.optional(Filled),
  /** The same of pictures from above; without them the map has no switch. */
  SATELLITE_TILE_URL: z.optional(Filled),
  SATELLITE_TILE_ATTRIBUTION: z.optional(Filled),
  /** Where addresses are searched: the `/api` of a Photon server. Without one, places need a point. */
  GEOCODER_URL: z.optional(WebAddress),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/ })),
  /** Sender of the mails, such as `Acme <no-reply@acme.example>`. */
  MAIL_FROM: z.optional(Filled),
  STRIPE_SECRET_KEY: z.optional(Filled),
  STRIPE_PUBLIC_KEY: z.optional(Filled),
  STRIPE_WEBHOOK_SECRET: z.optional(Filled),
  /** By account, and by address but for the local stack; off in end-to-end suites, where many people share one. */
  RATE_LIMITS: Switch,
  /** Guards the control plane; required where others can reach it. */
  CONTROL_TOKEN: z.optional(z.string().check(z.minLength(24))),
  /** The instant the demo data is laid around; now when absent. */
  SEED_ANCHOR: z.optional(z.iso.datetime()),
  TRUST_PROXY: z.pipe(
    z._default(z.enum(['on', 'off']), 'off'),
    z.transform((value) => value === 'on'),
  ),
})

export type Config = z.infer<typeof Config>

/** Reads the environment once; an empty variable is one that is not set. Throws one message that lists every variable it cannot use. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = z.safeParse(Config, Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')))
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map((issue) => `  ${String(issue.path[0])}: ${issue.message}`)
  throw new Error(`These environment variables cannot be used:\n${lines.join('\n')}`)
}

function isOrigin(value: string) {
  if (!URL.canParse(value)) return false
  const { protocol, origin, href } = new URL(value)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

/** What production cannot do without, by name; the rest has a default. */
export function requireProduction(config: Config) {
  const needed = ['PORTAL_ORIGIN', 'SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_PUBLIC_KEY', 'STRIPE_WEBHOOK_SECRET'] as const
  const missing = needed.filter((name) => config[name] === undefined)
  if (missing.length > 0) throw new Error(`Production needs these environment variables: ${missing.join(', ')}`)
}
