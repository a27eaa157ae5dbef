import * as z from 'zod/mini'

const Filled = z.string().check(z.minLength(1))
/** Of this site, of another, or of an app; never a script. */
const Address = z.string().check(z.regex(/^(?!javascript:)[a-z][a-z\d+.-]*:\/\/\S+$/i))
const App = z.object({ open: z.optional(Address), appStore: z.optional(Address), playStore: z.optional(Address) })
const Whole = z.int().check(z.minimum(0), z.maximum(24))
/** A template of addresses with `{z}`, `{x}` and `{y}`, the credit, and how close it goes. */
const Tiles = z.object({ url: Filled, attribution: z.string(), maxZoom: Whole })

/** What `/config.json` may say; a portal build knows nothing else about where it runs. */
const Config = z.object({
  /** Base of the API; empty or absent is this origin. */
  apiBaseUrl: z._default(z.string().check(z.regex(/^(https?:\/\/[^\s/]+\S*)?$/)), ''),
  productName: z._default(Filled, 'Tracker Portal'),
  supportEmail: z.optional(z.string().check(z.regex(/^\S+@\S+$/))),
  /** A form of support's own, elsewhere. */
  supportForm: z.optional(Address),
  /** How the apps are opened, and their pages in the stores. */
  apps: z.optional(z.object({ track: z.optional(App), collar: z.optional(App) })),
  tiles: Tiles,
  /** Pictures from above; with them a map has a switch between the two. */
  satellite: z.optional(Tiles),
  build: z._default(z.string(), ''),
  /** Where else the pages of the card provider may be, and the older Stripe.js for a backend that gives no address of it (C-19). */
  payments: z.optional(z.object({ origins: z.optional(z.array(Filled)), stripeJs: z.optional(Filled) })),
  /** Only a demonstration says with which accounts it can be tried. */
  demo: z.optional(z.object({ password: Filled, accounts: z.array(Filled) })),
})
export type Config = z.infer<typeof Config>

export type ConfigFault = { field: string; reason: 'missing' | 'unusable' }

/** The configuration cannot be used: `faults` names each field; none when the file itself could not be read. */
export class ConfigError extends Error {
  readonly faults: ConfigFault[]
  constructor(faults: ConfigFault[]) {
    super('config.json')
    this.faults = faults
  }
}

/** Throws ConfigError when the file is absent, is not JSON or says something unusable. */
export async function loadConfig(fetch = globalThis.fetch): Promise<Config> {
  const raw = await fetch('/config.json', { cache: 'no-cache', signal: AbortSignal.timeout(10_000) })
    .then((answer) => (answer.ok ? answer.json() : undefined))
    .catch(() => undefined)
  if (raw === undefined) throw new ConfigError([])
  return parseConfig(raw)
}

export function parseConfig(raw: unknown): Config {
  const parsed = Config.safeParse(raw)
  if (parsed.success) return parsed.data
  throw new ConfigError(parsed.error.issues.map(({ path }) => ({ field: path.join('.') || 'config.json', reason: reasonAt(raw, path) })))
}

const reasonAt = (raw: unknown, path: PropertyKey[]): ConfigFault['reason'] =>
  path.reduce((value: unknown, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], raw) === undefined
    ? 'missing'
    : 'unusable'

let current: Config | undefined

/** The configuration in force; set once before anything is drawn. */
export const config = (): Config => {
  if (!current) throw new Error('config() before the start')
  return current
}

export const setConfig = (next: Config) => {
  current = next
}
