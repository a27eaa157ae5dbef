import type { Route } from '#contracts/lib/route.ts'
import { namedRoutes } from '#server/mock/lib/names.ts'
import { CannotRun } from './io.ts'

export type Call = { name: string; route: Route }

export const calls: readonly Call[] = [...namedRoutes].map(([name, route]) => ({ name, route }))

/** Throws if the contract table has no such endpoint. */
export function callNamed(name: string): Call {
  const route = namedRoutes.get(name)
  if (!route) throw new Error(`No call is named ${name}`)
  return { name, route }
}

const bare = (path: string) => path.replace(/\/$/, '')

const gapsIn = (path: string) => path.split(':').length

/** Paths without parameters first, so that `/devices/live/` does not match `/devices/:id/`. */
const patterns = calls
  .map((call) => ({ call, gaps: gapsIn(call.route.path), pattern: new RegExp(`^${bare(call.route.path).replace(/:\w+/g, '[^/]+')}$`) }))
  .sort((a, b) => a.gaps - b.gaps)

/** Finds the endpoint of a URL path, with or without the final slash. */
export const callAt = (method: string, pathname: string) =>
  patterns.find(({ call, pattern }) => call.route.method === method && pattern.test(bare(pathname)))?.call

export const PREFLIGHT = ['preflight.tls', 'preflight.cors', 'preflight.slash', 'preflight.json', 'preflight.clock'] as const
export type Preflight = (typeof PREFLIGHT)[number]

type Selection = (name: string) => boolean

/** Returns a filter of checks by name or path, where `*` matches anything. Throws if nothing matches. */
export function selection(only: string | undefined): Selection {
  if (only === undefined) return () => true
  const glob = new RegExp(`^${only.split('*').map(literal).join('.*')}$`)
  const meant = new Set([
    ...calls.filter(({ name, route }) => glob.test(name) || glob.test(route.path)).map(({ name }) => name),
    ...PREFLIGHT.filter((name) => glob.test(name)),
  ])
  if (meant.size === 0) throw new CannotRun(`--only ${only}: no call is named so; names look like places.list, devices.* or /users/*`)
  return (name) => meant.has(name)
}

const literal = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
