import { CannotRun } from './cannot-run.ts'
import { calls } from './contracts.calls.ts'
import { PREFLIGHT } from './preflight-names.ts'

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
