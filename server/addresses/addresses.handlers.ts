import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { addresses as contract, FoundAddress } from '#contracts/addresses.ts'
import { ADDRESS_SEARCH } from '#contracts/lib/constants.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Geocoder, ViewerContext } from '#server/ports/world.ts'

const MAX_CACHED = 500
const MINUTE_MS = 60_000
/** The geocoder may be a public one, so few requests run at once. */
const runLookup = pLimit(2)

type Minute = { startedAt: number; count: number }
type Memory = { found: LRUCache<string, FoundAddress[]>; minutes: LRUCache<number, Minute> }

const memories = new WeakMap<Geocoder, Memory>()

function memoryOf(geocode: Geocoder) {
  const memory: Memory = memories.get(geocode) ?? { found: new LRUCache({ max: MAX_CACHED }), minutes: new LRUCache({ max: MAX_CACHED }) }
  memories.set(geocode, memory)
  return memory
}

export const addresses: Handlers<typeof contract> = {
  async search({ query: { q } }, context) {
    const { found } = memoryOf(context.geocode)
    const key = q.trim().toLowerCase()
    const known = found.get(key)
    if (known) return known
    countLookup(context)
    const answer = await runLookup(async () => context.geocode.search(q, ADDRESS_SEARCH.results))
    const labelled = answer.flatMap(({ label, lat, lng }) => (label ? [{ label, lat, lng }] : []))
    found.set(key, labelled)
    return labelled
  },
  async nearest({ query }, context) {
    countLookup(context)
    const { reverse, nearest } = context.geocode
    return { label: reverse ? await runLookup(async () => reverse(query)) : (nearest(query)?.label ?? null) }
  },
}

/** Throws `throttled` beyond the lookups of an account per minute: each letter typed may be one. */
function countLookup({ geocode, clock, viewer }: ViewerContext) {
  const { minutes } = memoryOf(geocode)
  const now = clock.now().getTime()
  const minute = minutes.get(viewer.accountId)
  const isOver = !minute || now - minute.startedAt >= MINUTE_MS || now < minute.startedAt
  const current = isOver ? { startedAt: now, count: 0 } : minute
  if (current.count >= ADDRESS_SEARCH.perMinute) throw new Failure('throttled')
  minutes.set(viewer.accountId, { ...current, count: current.count + 1 })
}
