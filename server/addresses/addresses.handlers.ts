import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { addresses as contract, FoundAddress } from '#contracts/addresses.ts'
import { ADDRESS_SEARCH } from '#contracts/addresses.ts'
import type { Db } from '#db/db.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Geocoder, ViewerContext } from '#server/ports/world.ts'

const MAX_CACHED = 500
const MINUTE_MS = 60_000
/** The geocoder may be a public one, so few requests run at once. */
const runLookup = pLimit(2)

type Minute = { startedAt: number; count: number }
type Found = LRUCache<string, FoundAddress[]>
type Minutes = LRUCache<number, Minute>

const searches = new WeakMap<Geocoder, Found>()
const lookups = new WeakMap<Db, Minutes>()

function ensureCache<K extends object, V extends object>(caches: WeakMap<K, V>, of: K, create: () => V): V {
  const cache = caches.get(of) ?? create()
  caches.set(of, cache)
  return cache
}

export const addresses: Handlers<typeof contract> = {
  async search({ query: { q } }, context) {
    const found = ensureCache(searches, context.geocode, (): Found => new LRUCache({ max: MAX_CACHED }))
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

/** Throws `throttled` beyond the lookups of an account per minute: each typed letter may cause one. */
function countLookup({ db, clock, viewer }: ViewerContext) {
  const minutes = ensureCache(lookups, db, (): Minutes => new LRUCache({ max: MAX_CACHED }))
  const now = clock.now().getTime()
  const minute = minutes.get(viewer.accountId)
  const isOver = !minute || now - minute.startedAt >= MINUTE_MS || now < minute.startedAt
  const current = isOver ? { startedAt: now, count: 0 } : minute
  if (current.count >= ADDRESS_SEARCH.perMinute) throw new Failure('throttled')
  minutes.set(viewer.accountId, { ...current, count: current.count + 1 })
}
