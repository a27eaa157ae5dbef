import * as z from 'zod/mini'
import { toAuth, writeConfigFile } from '#scripts/contracts/client/auth.ts'
import { fail } from '#scripts/contracts/client/findings.ts'
import { CannotRun } from '#scripts/contracts/client/io.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { FEATURES, isExtra, type OwnNames } from '#scripts/contracts/port.ts'
import { type Feature, isSpare, listForConfig } from './features.ts'

/** Writes the configuration and opens the portal with it; returns what the portal still needs. */
export async function writeConfig(file: string, fields: Record<string, unknown>, run: Run, features: Feature[]): Promise<string[]> {
  const { backend, io, options, trackerNames } = run
  const config: Record<string, unknown> = {
    ...fields,
    apiBaseUrl: options.base,
    features: [...listForConfig(features), ...listKept(fields.features)].toSorted(),
    auth: toAuth(backend.identity),
    ...(Object.keys(trackerNames.names).length > 0 && { names: trackerNames.names }),
  }
  const missing = writeConfigFile(file, config)
  if (missing.length > 0) io.err(`contracts:check: the portal needs more in ${file}: ${missing.join(', ')}\n`)
  const untested = features.filter((one) => one.state === 'untested' && !one.isDocumented && !isSpare(one))
  await openPortal(run, config)
  return [
    ...missing.map((one) => `${one} in ${file}`),
    ...(untested.length > 0
      ? [`features that could not be tested are left out; add those that the backend has: ${listNames(untested)}`]
      : []),
  ]
}

const listNames = (features: readonly Feature[]) => features.map(({ name }) => name).join(', ')

/** The final test opens the portal with the written configuration. */
async function openPortal({ io, options, report }: Run, config: Record<string, unknown>) {
  const result = { level: 'portal', name: 'portal.open', title: '' } as const
  if (!io.visitPortal || !options.as) return
  const visit = await io.visitPortal({ base: options.base, config, as: options.as })
  if (visit.isOpen) report({ ...result, findings: [], note: `opens: ${visit.trackers} trackers, ${visit.onMap} on the map` })
  else if (visit.isTried) report({ ...result, findings: [fail('', `the portal does not open: ${visit.reason}`)], note: '' })
  else report({ ...result, verdict: 'skipped', findings: [], note: `not opened: ${visit.reason}` })
}

const Names = z.record(z.string(), z.string())

export function parseNames(names: unknown): OwnNames {
  const parsed = Names.safeParse(names ?? {})
  if (parsed.success) return parsed.data
  throw new CannotRun('--write-config: `names` in the file must be an object of texts')
}

/** Extra calls of our server are used only if the file already names them. */
const listKept = (names: unknown) => (Array.isArray(names) ? FEATURES.filter((name) => isExtra(name) && names.includes(name)) : [])
