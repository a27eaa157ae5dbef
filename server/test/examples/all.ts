import { api } from '#contracts/index.ts'
import type { Contract, Route } from '#contracts/lib/route.ts'
import {
  announcements,
  apiTokens,
  channels,
  factorSignIn,
  handOff,
  myData,
  passkeys,
  push,
  quietHours,
  recentSignIn,
  retention,
  secondFactor,
  security,
  sessions,
  subscriptions,
  terms,
  users,
} from './account.ts'
import { careClaims, invoices, orders, paymentMethods, planMoves, planPauses } from './commerce.ts'
import type { Example, Examples } from './example.ts'
import { addresses, alertDryRun, alertInbox, alertSwitch, alerts, contacts, firings, places, silences, tags } from './places.ts'
import { confirmations, team } from './team.ts'
import {
  batteryAlerts,
  conflicts,
  data,
  days,
  deviceKeys,
  devices,
  groupLinks,
  links,
  networkKeys,
  networkNumbers,
  networkServer,
  normal,
  owners,
  phoneTrackers,
  photos,
  positions,
  sct2,
  serialChecks,
  theft,
  trackers,
  uplinkMappings,
} from './trackers.ts'

type Sent = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
export type AnyExample = Sent & Pick<Example, 'as' | 'after'>

/** A missing example is a type error. */
const examples = {
  addresses,
  alertDryRun,
  alertInbox,
  alertSwitch,
  alerts,
  announcements,
  apiTokens,
  batteryAlerts,
  careClaims,
  channels,
  confirmations,
  conflicts,
  contacts,
  data,
  days,
  deviceKeys,
  devices,
  factorSignIn,
  firings,
  groupLinks,
  invoices,
  links,
  handOff,
  myData,
  networkKeys,
  networkNumbers,
  networkServer,
  normal,
  orders,
  owners,
  passkeys,
  paymentMethods,
  phoneTrackers,
  photos,
  places,
  planMoves,
  planPauses,
  positions,
  push,
  quietHours,
  recentSignIn,
  retention,
  sct2,
  secondFactor,
  serialChecks,
  security,
  sessions,
  silences,
  subscriptions,
  tags,
  team,
  terms,
  theft,
  trackers,
  uplinkMappings,
  users,
} satisfies { [Tag in keyof typeof api]: Examples<(typeof api)[Tag]> }

export type NamedEndpoint = { name: string; route: Route; example: AnyExample }

const examplesOfTag = (tag: string): Record<string, AnyExample> => examples[tag as keyof typeof examples]

/** Every endpoint by name, such as `links.create`, with its example. */
export const endpoints: NamedEndpoint[] = Object.entries(api).flatMap(([tag, contract]) =>
  Object.entries(contract as Contract).map(([name, route]) => ({ name: `${tag}.${name}`, route, example: examplesOfTag(tag)[name] ?? {} })),
)

export function getEndpoint(name: string) {
  const found = endpoints.find((each) => each.name === name)
  if (!found) throw new Error(`No endpoint is named ${name}`)
  return found
}
