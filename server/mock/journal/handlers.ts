import type { requests as requestsContract, violations as violationsContract } from '#contracts/mock/requests.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { awaited } from '#server/mock/events/events.ts'
import type { MockWorlds } from '#server/mock/worlds.ts'
import { har } from './har.ts'
import { find, nearMisses } from './match.ts'
import { present, presentViolations } from './present.ts'

type Of = { id: string }

/** What was asked of a world and what it answered. */
export function requests(worlds: MockWorlds): Handlers<typeof requestsContract> {
  const journalOf = ({ id }: Of) => worlds.get(id)!.journal
  return {
    list: ({ query }, world) => journalOf(world).entries().slice(-query.limit).reverse().map(present),
    har: (_, world) => har(journalOf(world).entries(), world.origin),
    clear: (_, world) => journalOf(world).clear(),
    find: ({ body }, world) => find(journalOf(world).entries(), body).reverse().map(present),
    count: ({ body }, world) => ({ count: find(journalOf(world).entries(), body).length }),
    async wait({ body: { count, timeout_ms, ...match } }, world) {
      const { events, journal } = worlds.get(world.id)!
      const made = () => find(journal.entries(), match)
      const found = await awaited(events, timeout_ms, () => (made().length >= count ? made() : undefined))
      if (!found) throw new Failure('nothing_came', { count: made().length, near_misses: nearMisses(journal.entries(), match) })
      return found.reverse().map(present)
    },
    verify({ body: { count: exactly, at_least = exactly ?? 1, at_most = exactly ?? Number.POSITIVE_INFINITY, ...match } }, world) {
      const entries = journalOf(world).entries()
      const count = find(entries, match).length
      if (count < at_least || count > at_most) throw new Failure('not_verified', { count, near_misses: nearMisses(entries, match) })
      return { count }
    },
  }
}

/** What broke a contract. */
export function violations(worlds: MockWorlds): Handlers<typeof violationsContract> {
  const journalOf = ({ id }: Of) => worlds.get(id)!.journal
  return {
    list: (_, world) => journalOf(world).broken().flatMap(presentViolations),
    clear: (_, world) => journalOf(world).forgive(),
  }
}
