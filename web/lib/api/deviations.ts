import type { Route } from '#contracts/lib/route.ts'
import type { Deviation } from '#contracts/reader/tolerant.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import type { ClientPorts } from './api.ts'

/** A difference between a response and the contract: which call, which field, which habit. No values, so no personal data. */
export type DeviationReport = Deviation & { call: string }

const SEEN = 'deviations'
const seen = new Set<string>(readSeen())
onSessionEnd(() => seen.clear())

/** Reports each difference once per session: to the console, to the developer panel, and to `reportUrl` of the configuration. */
export function reportDeviations({ method, path }: Route, deviations: readonly Deviation[], { log, onDeviations, reportUrl }: ClientPorts) {
  const call = `${method} ${path}`
  const reports = deviations.map((deviation) => ({ call, ...deviation })).filter((each) => !seen.has(name(each)))
  if (reports.length === 0) return
  for (const each of reports) seen.add(name(each))
  saveSeen()
  log.failure('The backend differs from the contract', reports.map(name))
  onDeviations?.(reports)
  if (reportUrl) navigator.sendBeacon(reportUrl, JSON.stringify({ deviations: reports }))
}

const name = ({ call, path, habit }: DeviationReport) => `${call} ${path || 'body'}: ${habit}`

function readSeen(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(SEEN) ?? '[]')
  } catch {
    return []
  }
}

/** A full or forbidden storage only means that a reload reports again. */
function saveSeen() {
  try {
    sessionStorage.setItem(SEEN, JSON.stringify([...seen]))
  } catch {}
}
