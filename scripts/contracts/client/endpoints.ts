import { endpointsByName, type Route } from '#scripts/contracts/port.ts'
import { CannotRun } from './io.ts'

export type Endpoint = { name: string; route: Route }

/** The calls that a backend is checked for: all except the extras of our server. */
export const endpoints: readonly Endpoint[] = [...endpointsByName]
  .map(([name, route]) => ({ name, route }))
  .filter(({ route }) => route.provenance !== 'ours')

/** Throws if the contract table has no such endpoint. */
export function getEndpoint(name: string): Endpoint {
  const route = endpointsByName.get(name)
  if (!route) throw new Error(`No endpoint is named ${name}`)
  return { name, route }
}

export const PREFLIGHT_CHECKS = [
  'preflight.tls',
  'preflight.auth',
  'preflight.cors',
  'preflight.slash',
  'preflight.json',
  'preflight.clock',
] as const
export type PreflightCheck = (typeof PREFLIGHT_CHECKS)[number]

type Selection = (name: string) => boolean

/** Returns a filter of checks by name or path, where `*` matches anything. Throws if nothing matches. */
export function createFilter(only: string | undefined): Selection {
  if (only === undefined) return () => true
  const glob = new RegExp(`^${only.split('*').map(escapePattern).join('.*')}$`)
  const meant = new Set([
    ...endpoints.filter(({ name, route }) => glob.test(name) || glob.test(route.path)).map(({ name }) => name),
    ...PREFLIGHT_CHECKS.filter((name) => glob.test(name)),
  ])
  if (meant.size === 0) throw new CannotRun(`--only ${only} matches no endpoint; examples: places.list, devices.*, /users/*`)
  return (name) => meant.has(name)
}

const escapePattern = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
