import type { Breach } from '#contracts/lib/breaches.ts'
import type { Verdict } from '#contracts/mock/requests.ts'
import type { Call } from '#server/mock/calls/call.ts'
import type { Events } from '#server/mock/events/events.ts'
import { presentViolations, summaryOf } from './present.ts'

const KEPT = 1000

type Side = { headers: Record<string, string>; body: string }

/** A call and what was answered, without its secrets; `call` is absent for an address that the API does not have. */
export type Entry = {
  id: number
  at: Date
  ms: number
  method: string
  url: string
  call: Call | undefined
  status: number
  faults: readonly number[]
  verdict: Verdict
  breaches: readonly Breach[]
  request: Side
  response: Side
}

export type NewEntry = Omit<Entry, 'id' | 'verdict'>

/** The newest calls of a world, oldest first, and those that broke a contract. */
export type Journal = {
  entries(): readonly Entry[]
  broken(): readonly Entry[]
  add(entry: NewEntry): void
  clear(): void
  forgive(): void
}

/** Empty, or going on from the one of a world `before`. */
export function createJournal(events: Events, before?: Journal): Journal {
  let entries: Entry[] = [...(before?.entries() ?? [])]
  let broken: Entry[] = [...(before?.broken() ?? [])]
  let count = entries.at(-1)?.id ?? 0
  return {
    entries: () => entries,
    broken: () => broken,
    add(noted) {
      const entry = { ...noted, id: ++count, verdict: verdictOf(noted.breaches) }
      entries.push(entry)
      if (entries.length > KEPT) entries.shift()
      events.tell('request', summaryOf(entry))
      if (entry.breaches.length === 0) return
      broken.push(entry)
      if (broken.length > KEPT) broken.shift()
      for (const violation of presentViolations(entry)) events.tell('contract', violation)
    },
    clear() {
      entries = []
    },
    forgive() {
      broken = []
    },
  }
}

function verdictOf(breaches: readonly Breach[]): Verdict {
  if (breaches.some(({ kind }) => kind === 'invalid')) return 'fail'
  return breaches.length > 0 ? 'drift' : 'pass'
}
