import type { Breach } from '#contracts/lib/breaches.ts'
import type { Verdict } from '#contracts/mock/requests.ts'
import type { Events } from '#server/mock/events/events.ts'
import type { Call } from '#server/mock/lib/call.ts'
import { presentViolations, summaryOf } from './journal.present.ts'
import { redactHeaders, redactText, redactUrl } from './redact.ts'

const KEPT = 1000

type Side<Headers> = { headers: Headers; body: string }

type Exchange<Headers> = {
  at: Date
  ms: number
  method: string
  url: string
  /** Undefined when the address is not in the API. */
  call: Call | undefined
  status: number
  faults: readonly number[]
  breaches: readonly Breach[]
  request: Side<Headers>
  response: Side<Headers>
}

/** A request and its response as sent. */
export type Noted = Exchange<Record<string, unknown>>

/** A request and its response without secrets, with the verdict on its contract. */
export type Entry = Exchange<Record<string, string>> & { id: number; verdict: Verdict }

/** The newest requests of a world, oldest first, and those that violated a contract. */
export type Journal = {
  entries(): readonly Entry[]
  broken(): readonly Entry[]
  add(noted: Noted): void
  clear(): void
  forgive(): void
}

/** Redaction is done on first read, because most requests are never read. */
type Kept = { id: number; noted: Noted; entry?: Entry }

/** Creates a journal, empty or with the entries of `before`. */
export function createJournal(events: Events, before?: Journal): Journal {
  const keep = (entry: Entry): Kept => ({ id: entry.id, noted: entry, entry })
  let newest = (before?.entries() ?? []).map(keep)
  let broken: Entry[] = [...(before?.broken() ?? [])]
  let count = newest.at(-1)?.id ?? 0
  return {
    entries: () => newest.map(entryOf),
    broken: () => broken,
    add(noted) {
      const kept = { id: ++count, noted }
      newest.push(kept)
      if (newest.length > KEPT) newest.shift()
      if (events.isHeard()) events.tell('request', summaryOf(entryOf(kept)))
      if (noted.breaches.length === 0) return
      broken.push(entryOf(kept))
      if (broken.length > KEPT) broken.shift()
      for (const violation of presentViolations(entryOf(kept))) events.tell('contract', violation)
    },
    clear() {
      newest = []
    },
    forgive() {
      broken = []
    },
  }
}

function entryOf(kept: Kept): Entry {
  kept.entry ??= { ...redact(kept.noted), id: kept.id, verdict: verdictOf(kept.noted.breaches) }
  return kept.entry
}

const redact = (noted: Noted) => ({
  ...noted,
  url: redactUrl(noted.url),
  request: redactSide(noted.request),
  response: redactSide(noted.response),
})

const redactSide = ({ headers, body }: Side<Record<string, unknown>>) => ({ headers: redactHeaders(headers), body: redactText(body) })

function verdictOf(breaches: readonly Breach[]): Verdict {
  if (breaches.some(({ kind }) => kind === 'invalid')) return 'fail'
  return breaches.length > 0 ? 'drift' : 'pass'
}
