import type { Violation, Entry as Wire } from '#contracts/mock/requests.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Entry } from './journal.ts'

/** The fields of an entry that the event stream publishes. */
export const presentSummary = ({ id, at, ms, method, url, call, status, faults, verdict }: Entry) => ({
  id,
  at: formatInstant(at),
  duration_ms: Math.round(ms * 10) / 10,
  method,
  url,
  route: call?.name ?? null,
  user: call?.user ?? null,
  status,
  faults: [...faults],
  verdict,
})

export const presentEntry = (entry: Entry): Wire => ({
  ...presentSummary(entry),
  breaches: [...entry.breaches],
  request: entry.request,
  response: entry.response,
})

export const presentViolations = (entry: Entry): Violation[] => {
  const { id, at, route, method, url, status } = presentSummary(entry)
  return entry.breaches.map((breach) => ({ ...breach, id, at, route, method, url, status }))
}
