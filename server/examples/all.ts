import { api } from '#contracts/index.ts'
import type { Contract, Route } from '#contracts/lib/route.ts'
import { sessions, subscriptions, users } from './account.ts'
import { alerts } from './alerts.ts'
import { invoices, orders, paymentMethods } from './commerce.ts'
import { deviceKeys } from './device-keys.ts'
import type { Example } from './example.ts'
import { contacts, places, tags } from './places.ts'
import { confirmations, team } from './team.ts'
import { conflicts, devices, links, positions, sct2, serialChecks, theft, trackers } from './trackers.ts'

/** What a caller sends, whatever the call. */
type Sent = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
export type AnyExample = Sent & Pick<Example, 'as' | 'after'>

const examples: Record<string, Record<string, AnyExample | undefined>> = {
  alerts,
  confirmations,
  conflicts,
  contacts,
  deviceKeys,
  devices,
  invoices,
  links,
  orders,
  paymentMethods,
  places,
  positions,
  sct2,
  serialChecks,
  sessions,
  subscriptions,
  tags,
  team,
  theft,
  trackers,
  users,
}

export type NamedRoute = { name: string; route: Route; example: AnyExample | undefined }

/** Every call of the table by name, such as `links.create`, with its example. */
export const routes: NamedRoute[] = Object.entries(api).flatMap(([tag, contract]) =>
  Object.entries(contract as Contract).map(([name, route]) => ({ name: `${tag}.${name}`, route, example: examples[tag]?.[name] })),
)

/** Those that have one; a call without is a failing test of its own. */
export const exampled = routes.flatMap((each) => (each.example ? [{ ...each, example: each.example }] : []))

export type ExampledRoute = (typeof exampled)[number]

/** The call of that name, with its example. Throws when there is none. */
export function routeOf(name: string) {
  const found = exampled.find((each) => each.name === name)
  if (!found) throw new Error(`${name} has no example in server/examples`)
  return found
}
