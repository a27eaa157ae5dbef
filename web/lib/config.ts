import * as z from 'zod/mini'
import { isLost, pause, RETRY_PAUSES_MS } from './lost.ts'

const NonEmpty = z.string().check(z.minLength(1))
/** A URL of any site or app, except `javascript:`. */
const Address = z.string().check(z.regex(/^(?!javascript:)[a-z][a-z\d+.-]*:\/\/\S+$/i))
const App = z.object({ open: z.optional(Address), appStore: z.optional(Address), playStore: z.optional(Address) })
const Whole = z.int().check(z.minimum(0), z.maximum(24))
/** URL template with `{z}`, `{x}` and `{y}`, the attribution, and the highest zoom. */
const Tiles = z.object({
  url: NonEmpty,
  attribution: z.string(),
  maxZoom: Whole,
  /** The middle of the only town with streets; without it the map has them everywhere. */
  streets: z.optional(z.object({ lat: z.number(), lng: z.number() })),
})

/** The schema of `/config.json`, the only place where a build learns about its environment. */
const Config = z.object({
  /** Base URL of the API, or its path on this origin; empty or absent for this origin without a path. */
  apiBaseUrl: z._default(z.string().check(z.regex(/^(https?:\/\/[^\s/]+\S*|\/[^\s/]\S*)?$/)), ''),
  /** Authentication settings, if the backend differs from the specification. */
  auth: z.optional(
    z.object({
      /** The scheme before the token in the header `Authorization`. */
      scheme: z.optional(z.enum(['Bearer', 'Token', 'JWT'])),
      csrfCookie: z.optional(NonEmpty),
      csrfHeader: z.optional(NonEmpty),
      /** `include` sends cookies to another origin, `omit` sends none; without it, cookies go to this origin only. */
      credentials: z.optional(z.enum(['omit', 'same-origin', 'include'])),
    }),
  ),
  /** The backend's places of fields that the contract has elsewhere: `{ "tracker_status.last_position": "position" }`. */
  names: z.optional(z.record(z.string(), NonEmpty)),
  /** The features of the backend, by the names of the contract's resources; without the list the portal detects them by requests. */
  features: z.optional(z.array(NonEmpty)),
  /** Days after its subscription until a tracker rests; without it the portal never speaks of rest. */
  graceDays: z.optional(z.nullable(z.int().check(z.minimum(1)))),
  /** URL to which differences between responses and the contract are sent, without values. */
  reportUrl: z.optional(Address),
  productName: z._default(NonEmpty, 'Tracker Portal'),
  supportEmail: z.optional(z.string().check(z.regex(/^\S+@\S+$/))),
  supportForm: z.optional(Address),
  apps: z.optional(z.object({ track: z.optional(App), collar: z.optional(App) })),
  tiles: Tiles,
  /** Satellite tiles; with them every map can switch between the two. */
  satellite: z.optional(Tiles),
  build: z._default(z.string(), ''),
  /** `terms`, `privacy` and `imprint`, read by `web/legal/legal-places.ts`. */
  legal: z.optional(z.record(z.string(), z.unknown())),
  /** The page on which customers withdraw from a contract. */
  withdrawal: z.optional(z.string()),
  /** Further origins of payment pages, and another Stripe.js for a backend that returns no checkout URL. */
  payments: z.optional(z.object({ origins: z.optional(z.array(NonEmpty)), stripeJs: z.optional(NonEmpty) })),
  /** Accounts to try out; only set for a demo. */
  demo: z.optional(
    z.object({
      password: NonEmpty,
      accounts: z.array(NonEmpty),
      /** Whether a token in the address replaces an open session without asking. */
      mayReplace: z.optional(z.boolean()),
    }),
  ),
})
export type Config = z.infer<typeof Config>

export type ConfigFault = { field: string; reason: 'missing' | 'unusable' }

/** The configuration is invalid: `faults` lists each bad field, and is empty when the file could not be read. */
export class ConfigError extends Error {
  readonly faults: ConfigFault[]
  constructor(faults: ConfigFault[]) {
    super('config.json')
    this.faults = faults
  }
}

/** A slow connection must not look like a wrong configuration. */
const PATIENCE_MS = 180_000

/**
 * Throws ConfigError when the file is missing, is not JSON or has an unusable field. `cache: 'reload'` makes the service worker wait for the
 * server.
 */
export async function loadConfig(fetch = globalThis.fetch, cache: RequestCache = 'no-cache'): Promise<Config> {
  const raw = await fetchConfig(fetch, cache).catch(() => undefined)
  if (raw === undefined) throw new ConfigError([])
  return parseConfig(raw)
}

/** Resolves to undefined when the server responds with an error. Retries when the file got lost. */
async function fetchConfig(fetch: typeof globalThis.fetch, cache: RequestCache): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await fetch('/config.json', { cache, signal: AbortSignal.timeout(PATIENCE_MS) })
      const text = await answer.text()
      return answer.ok ? parseJson(text) : undefined
    } catch (error) {
      const ms = RETRY_PAUSES_MS[attempt]
      if (ms === undefined || !isLost(error)) throw error
      await pause(ms)
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function parseConfig(raw: unknown): Config {
  const parsed = Config.safeParse(raw)
  if (parsed.success) return parsed.data
  throw new ConfigError(parsed.error.issues.map(({ path }) => ({ field: path.join('.') || 'config.json', reason: faultReason(raw, path) })))
}

const faultReason = (raw: unknown, path: PropertyKey[]): ConfigFault['reason'] =>
  path.reduce((value: unknown, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], raw) === undefined
    ? 'missing'
    : 'unusable'

let current: Config | undefined

/** The current configuration; set once before anything is rendered. */
export const config = (): Config => {
  if (!current) throw new Error('config() was called before setConfig()')
  return current
}

/** Names of the features of the backend; undefined when the configuration leaves that open, and before it is set. */
export const listFeatures = () => current?.features

/** Days of grace of the backend; null when its trackers never rest, or it says nothing about that. */
export const readGraceDays = () => current?.graceDays ?? null

export const setConfig = (next: Config) => {
  current = next
}
