import type { events as contract } from '#contracts/mock/events.ts'
import type { EntryMatch, requests as requestsContract, violations as violationsContract } from '#contracts/mock/requests.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { createEventStream, waitForResult } from '#server/mock/events/events.ts'
import { formatHar } from '#server/mock/journal/format-har.ts'
import { presentEntry, presentViolations } from '#server/mock/journal/journal.ts'
import { findEntries, findNearMisses } from '#server/mock/journal/match.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { validateMatch } from './faults.handlers.ts'

type WorldId = { id: string }

export function requests(worlds: MockWorlds): Handlers<typeof requestsContract> {
  const getJournal = ({ id }: WorldId) => worlds.get(id)!.journal
  /**
   * Rejects unknown routes and personas, which would match nothing. A stub, or a recorded request, may be for a call that the API lacks.
   */
  function readEntries({ id }: WorldId, { route, ...match }: EntryMatch) {
    const world = worlds.get(id)!
    const entries = world.journal.entries()
    const isNew = world.faults.all().some((fault) => fault.match?.route === route) || findEntries(entries, { route }).length > 0
    validateMatch(world, isNew ? match : { ...match, route })
    return entries
  }
  return {
    list: ({ query }, world) => getJournal(world).entries().slice(-query.limit).reverse().map(presentEntry),
    har: (_, world) => formatHar(getJournal(world).entries(), world.origin),
    clear: (_, world) => getJournal(world).clear(),
    find: ({ body }, world) => findEntries(readEntries(world, body), body).reverse().map(presentEntry),
    count: ({ body }, world) => ({ count: findEntries(readEntries(world, body), body).length }),
    async wait({ body: { count, timeout_ms, ...match } }, world) {
      const made = () => findEntries(readEntries(world, match), match)
      const enough = () => (made().length >= count ? made() : undefined)
      const found = await waitForResult(worlds.get(world.id)!.events, timeout_ms, enough)
      if (!found)
        throw new Failure('nothing_came', { count: made().length, near_misses: findNearMisses(getJournal(world).entries(), match) })
      return found.reverse().map(presentEntry)
    },
    verify({ body: { count: exactly, at_most = exactly, at_least = exactly ?? (at_most === undefined ? 1 : 0), ...match } }, world) {
      const entries = readEntries(world, match)
      const count = findEntries(entries, match).length
      if (count < at_least || count > (at_most ?? count))
        throw new Failure('not_verified', { count, near_misses: findNearMisses(entries, match) })
      return { count }
    },
  }
}

export function violations(worlds: MockWorlds): Handlers<typeof violationsContract> {
  const getJournal = ({ id }: WorldId) => worlds.get(id)!.journal
  return {
    list: (_, world) => getJournal(world).violations().flatMap(presentViolations),
    clear: (_, world) => getJournal(world).clearViolations(),
  }
}

export const events = (worlds: MockWorlds): Handlers<typeof contract> => ({
  watch: (_, { id }) => createEventStream(worlds.get(id)!.events),
})
