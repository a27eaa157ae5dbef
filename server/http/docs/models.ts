import * as z from 'zod/mini'
import * as announcements from '#contracts/accounts/announcements.ts'
import * as apiTokens from '#contracts/accounts/api-tokens.ts'
import * as channels from '#contracts/accounts/channels.ts'
import * as handOff from '#contracts/accounts/hand-off.ts'
import * as myData from '#contracts/accounts/my-data.ts'
import * as push from '#contracts/accounts/push.ts'
import * as quietHours from '#contracts/accounts/quiet-hours.ts'
import * as retention from '#contracts/accounts/retention.ts'
import * as secondFactor from '#contracts/accounts/second-factor.ts'
import * as security from '#contracts/accounts/security.ts'
import * as sessions from '#contracts/accounts/sessions.ts'
import * as silences from '#contracts/accounts/silences.ts'
import * as team from '#contracts/accounts/team.ts'
import * as terms from '#contracts/accounts/terms.ts'
import * as users from '#contracts/accounts/users.ts'
import * as addresses from '#contracts/addresses.ts'
import * as alerts from '#contracts/alerts.ts'
import * as batteryAlerts from '#contracts/battery-alerts.ts'
import * as careClaims from '#contracts/billing/care-claims.ts'
import * as invoices from '#contracts/billing/invoices.ts'
import * as orders from '#contracts/billing/orders.ts'
import * as paymentMethods from '#contracts/billing/payment-methods.ts'
import * as subscriptions from '#contracts/billing/subscriptions.ts'
import * as contacts from '#contracts/contacts.ts'
import * as data from '#contracts/data.ts'
import * as days from '#contracts/days.ts'
import * as firings from '#contracts/firings.ts'
import { ErrorBody } from '#contracts/lib/errors.ts'
import * as links from '#contracts/links.ts'
import * as networks from '#contracts/networks.ts'
import * as places from '#contracts/places.ts'
import * as positions from '#contracts/positions.ts'
import * as tags from '#contracts/tags.ts'
import * as theft from '#contracts/theft.ts'
import * as deviceKeys from '#contracts/trackers/device-keys.ts'
import * as devices from '#contracts/trackers/devices.ts'
import * as normal from '#contracts/trackers/normal.ts'
import * as owners from '#contracts/trackers/owners.ts'
import * as phones from '#contracts/trackers/phones.ts'
import * as sct2 from '#contracts/trackers/sct2.ts'
import * as trackers from '#contracts/trackers/trackers.ts'

type Json = { [key: string]: unknown }
type Io = 'input' | 'output'

/** Kinds of schemas that become a class in a generated client; the others are values. */
const MODELS = ['object', 'union', 'intersection']

const MODULES = [
  addresses,
  alerts,
  announcements,
  apiTokens,
  batteryAlerts,
  contacts,
  data,
  days,
  deviceKeys,
  devices,
  firings,
  retention,
  terms,
  links,
  handOff,
  myData,
  networks,
  normal,
  owners,
  places,
  positions,
  push,
  quietHours,
  phones,
  sct2,
  tags,
  theft,
  trackers,
  secondFactor,
  security,
  sessions,
  silences,
  team,
  users,
  careClaims,
  channels,
  invoices,
  orders,
  paymentMethods,
  subscriptions,
]

/** The schemas that the contract exports by name, such as `Device`; path parameters are excluded. */
const names = z.registry<{ id: string }>()
names.add(ErrorBody, { id: 'Error' })
nameModels(MODULES)

/** Names the models that modules of a contract export. */
export function nameModels(modules: readonly object[]) {
  for (const [name, schema] of modules.flatMap((module) => Object.entries(module)))
    if (isModel(schema) && /^[A-Z]/.test(name) && !name.endsWith('Params') && !names.has(schema)) names.add(schema, { id: name })
}

function isModel(value: unknown): value is z.ZodMiniType {
  const type = (value as { _zod?: { def?: { type?: string } } } | null)?._zod?.def?.type
  return type !== undefined && MODELS.includes(type)
}

/**
 * Turns schemas into JSON schemas that refer to their named models, and collects those; responses come first. A model with another form in
 * requests than in responses (defaults, for example) is named `<name>Input` there.
 */
export function createModels() {
  const models: Record<string, unknown> = {}
  const describe = (schema: z.ZodMiniType, io: Io) => {
    const {
      $schema,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: names }) as Json & { $defs?: Json }
    const adapt = (value: unknown) => simplifyPatterns(io === 'output' ? openObjects(value) : value)
    const renamed = new Map<string, string>()
    for (const [name, model] of Object.entries($defs)) {
      const received = models[name]
      const differs =
        io === 'input' && received !== undefined && JSON.stringify(refer(adapt(withoutId(model)), new Map())) !== JSON.stringify(received)
      renamed.set(name, differs ? `${name}Input` : name)
    }
    for (const [name, model] of Object.entries($defs)) models[renamed.get(name)!] ??= refer(adapt(withoutId(model)), renamed)
    return refer(adapt(own), renamed) as Json
  }
  return { describe, list: () => Object.fromEntries(Object.entries(models).sort(([one], [other]) => (one < other ? -1 : 1))) }
}

const withoutId = (model: unknown) => {
  const { id: _, ...own } = model as Json
  return typeof _ === 'string' ? own : model
}

/** Points references at the components of an OpenAPI document. */
function refer(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => refer(each, renamed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key === '$ref' && typeof inner === 'string' ? inner.replace('#/$defs/', '') : undefined
      return [key, name === undefined ? refer(inner, renamed) : `#/components/schemas/${renamed.get(name) ?? name}`]
    }),
  )
}

/** Unicode classes, which many validators and languages do not know, as ranges: control characters, and invisible format characters. */
const CLASSES = { Cc: '\\u0000-\\u001f\\u007f-\\u009f', Cf: '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff' }

function simplifyPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplifyPatterns)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'pattern' && typeof inner === 'string'
        ? inner.replace(/\\p\{(Cc|Cf)\}/g, (_, name: keyof typeof CLASSES) => CLASSES[name])
        : simplifyPatterns(inner),
    ]),
  )
}

/** A response may have more fields than the contract names, which a client ignores. */
function openObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openObjects)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, inner]) => key !== 'additionalProperties' || inner !== false)
  return Object.fromEntries(kept.map(([key, inner]) => [key, openObjects(inner)]))
}
