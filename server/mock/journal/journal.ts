import type { Breach } from '#contracts/lib/breaches.ts'
import type { Verdict, Violation, Entry as Wire } from '#contracts/mock/requests.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Events } from '#server/mock/events/events.ts'
import type { EndpointRequest } from '#server/mock/lib/endpoint-requests.ts'
import { redactHeaders, redactText, redactUrl } from './redact.ts'

/** The fields of an entry that the event stream publishes. */
const presentSummary = ({ id, at, ms, method, url, call, status, faults, verdict }: Entry) => ({
  id,
  at: formatInstant(at),
  duration_ms: Math.round(ms * 10) / 10,
  method,
  url,
  route: call?.name || null,
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

const MAX_ENTRIES = 1000

type Side<Headers> = { headers: Headers; body: string }

type Exchange<Headers> = {
  at: Date
  ms: number
  method: string
  url: string
  /** Undefined when the address is not in the API. */
  call: EndpointRequest | undefined
  status: number
  faults: readonly number[]
  breaches: readonly Breach[]
  request: Side<Headers>
  response: Side<Headers>
}

export type RecordedExchange = Exchange<Record<string, unknown>>

/** A request and its response without secrets, with the verdict on its contract. */
export type Entry = Exchange<Record<string, string>> & { id: number; verdict: Verdict }

/** The newest requests of a world, oldest first, and those that violated a contract. */
export type Journal = {
  entries(): readonly Entry[]
  violations(): readonly Entry[]
  add(exchange: RecordedExchange): void
  clear(): void
  clearViolations(): void
}

/** Redaction is done on first read, because most requests are never read. */
type StoredExchange = { id: number; exchange: RecordedExchange; entry?: Entry }

export function createJournal(events: Events, before?: Journal): Journal {
  const fromEntry = (entry: Entry): StoredExchange => ({ id: entry.id, exchange: entry, entry })
  let newest = (before?.entries() ?? []).map(fromEntry)
  let broken: Entry[] = [...(before?.violations() ?? [])]
  let count = newest.at(-1)?.id ?? 0
  return {
    entries: () => newest.map(toEntry),
    violations: () => broken,
    add(exchange) {
      const stored = { id: ++count, exchange }
      newest.push(stored)
      if (newest.length > MAX_ENTRIES) newest.shift()
      if (events.hasListeners()) events.publish('request', presentSummary(toEntry(stored)))
      if (exchange.breaches.length === 0) return
      broken.push(toEntry(stored))
      if (broken.length > MAX_ENTRIES) broken.shift()
      for (const violation of presentViolations(toEntry(stored))) events.publish('contract', violation)
    },
    clear() {
      newest = []
    },
    clearViolations() {
      broken = []
    },
  }
}

function toEntry(stored: StoredExchange): Entry {
  stored.entry ??= { ...redact(stored.exchange), id: stored.id, verdict: computeVerdict(stored.exchange.breaches) }
  return stored.entry
}

const redact = (exchange: RecordedExchange) => ({
  ...exchange,
  url: redactUrl(exchange.url),
  request: redactSide(exchange.request),
  response: redactSide(exchange.response),
})

const redactSide = ({ headers, body }: Side<Record<string, unknown>>) => ({ headers: redactHeaders(headers), body: redactText(body) })

function computeVerdict(breaches: readonly Breach[]): Verdict {
  if (breaches.some(({ kind }) => kind === 'invalid')) return 'fail'
  return breaches.length > 0 ? 'drift' : 'pass'
}
