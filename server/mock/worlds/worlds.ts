import { DAY_MS } from '#contracts/rules/time.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { type Clock, systemClock } from '#server/ports/clock.ts'
import type { World, Worlds } from '#server/ports/world.ts'
import type { Template } from './templates.ts'
import type { MockWorld, MockWorldOptions, Storage } from './world.ts'
import { createWorldOrigins, type WorldOrigins } from './world-origins.ts'

export type WorldRequest = {
  id: string
  seed: number
  /** Defaults to `family`. */
  scenario?: string
  /** Number of trackers, for scenarios that take a size; defaults to that of the scenario. */
  size?: number | undefined
  clock?: Partial<NonNullable<MockWorldOptions['clock']>>
  storage?: Storage | undefined
  /** Trackers that accounts may claim; defaults to those of the snapshot or document, then to the setting of the server. */
  claims?: 'stock' | 'any' | undefined
  /** A database made from a document, to which a reset returns too. */
  base?: Buffer | undefined
  /** A snapshot; its database, clock and seed replace those of the request. */
  from?: Template | undefined
  journal?: MockWorldOptions['journal']
  /** Days of grace; those of the server by default. */
  graceDays?: number | null | undefined
  /** Whether new contacts have to agree before alert mails; as the server by default. */
  asksContacts?: boolean | undefined
  /** Seconds of idle time after which the world ends; null for never. */
  ttl?: number | null | undefined
}

export type MockWorlds = Worlds & {
  get(id: string): MockWorld | undefined
  all(): MockWorld[]
  /** When the world will end if no request uses it; null for never. */
  expiryOf(id: string): Date | null
  /** Throws `world_exists`, and `too_many_worlds` at the limit. */
  create(request: WorldRequest): Promise<MockWorld>
  /** Restores a world to its seed, another seed or a snapshot. */
  reset(
    world: Pick<World, 'id'>,
    change?: Partial<Pick<WorldRequest, 'seed' | 'scenario' | 'size' | 'from' | 'journal'>>,
  ): Promise<MockWorld>
  /** Throws `in_use` for `main`, and `not_found`. */
  remove(id: string): Promise<void>
  /** Removes the worlds whose idle time is over. */
  expire(): Promise<void>
  closeAll(): void
}

type WorldEntry = { world: MockWorld; ttl: number | null; usedAt: number } & Pick<WorldRequest, 'base' | 'claims'>

/** Created worlds end after an hour without a request, so a killed test run leaves none behind. */
const IDLE_SECONDS = 3600

/** A world may start at most this far from its anchor, because everything due in between is executed. */
const MAX_DAYS_AHEAD = 400

type Options = {
  wall?: Clock
  /** The most worlds at once, including the main one. */
  max?: number
  /** The world that a host name refers to. */
  readId?: WorldOrigins['readId']
}

export function createWorlds(
  main: MockWorld,
  make: (request: WorldRequest, old?: MockWorld) => Promise<MockWorld>,
  { wall = systemClock, max = Number.POSITIVE_INFINITY, readId = createWorldOrigins().readId }: Options = {},
): MockWorlds {
  const now = () => wall.now().getTime()
  const worlds = new Map<string, WorldEntry>([[main.id, { world: main, ttl: null, usedAt: now() }]])
  let last: Promise<unknown> = Promise.resolve()
  /** Serializes changes: two at once could create two worlds of one name or write to the same file. */
  function runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const expiryMs = ({ ttl, usedAt }: WorldEntry) => (ttl === null ? null : usedAt + ttl * 1000)
  const isExpired = (entry: WorldEntry) => (expiryMs(entry) ?? Number.POSITIVE_INFINITY) <= now()

  return {
    of(request) {
      const entry = worlds.get(readWorldId(request, readId)) ?? (HOST_FILE.test(request.url) ? worlds.get(main.id) : undefined)
      if (!entry) throw new Failure('unknown_world')
      entry.usedAt = now()
      return entry.world
    },
    get: (id) => worlds.get(id)?.world,
    all: () => [...worlds.values()].map(({ world }) => world),
    expiryOf(id) {
      const entry = worlds.get(id)
      const at = entry ? expiryMs(entry) : null
      return at === null ? null : new Date(at)
    },
    create: (request) =>
      runExclusive(async () => {
        if (worlds.has(request.id)) throw new Failure('world_exists')
        if (worlds.size >= max) throw new Failure('too_many_worlds', { worlds: worlds.size })
        const world = await make(request.base ? { ...request, from: request.base } : request)
        if (request.clock?.at && request.clock.at.getTime() > world.simulator.dateOf(0).getTime() + MAX_DAYS_AHEAD * DAY_MS) {
          world.close()
          throw invalidField('clock.at', `At most ${MAX_DAYS_AHEAD} days at once`)
        }
        await playBeginning(world).catch((error) => {
          world.close()
          throw error
        })
        const { ttl = IDLE_SECONDS, base, claims } = request
        worlds.set(world.id, { world, ttl, usedAt: now(), base, claims })
        return world
      }),
    reset: ({ id }, change = {}) =>
      runExclusive(async () => {
        const entry = worlds.get(id)
        if (!entry) throw new Failure('not_found')
        const { seed, scenario, storage, clock, graceDays, asksContacts } = entry.world
        const size = change.scenario === undefined ? (entry.world.size ?? undefined) : undefined
        const { mode, rate } = clock.state()
        if (change.scenario !== undefined) entry.base = undefined
        const from = change.from ?? entry.base
        entry.world = await make(
          {
            id,
            seed,
            scenario,
            size,
            storage,
            graceDays,
            asksContacts,
            claims: entry.claims,
            ...(!from && { clock: { mode, rate } }),
            ...change,
            from,
          },
          entry.world,
        )
        await playBeginning(entry.world)
        entry.usedAt = now()
        return entry.world
      }),
    remove: (id) =>
      runExclusive(async () => {
        const entry = worlds.get(id)
        if (!entry) throw new Failure('not_found')
        if (id === main.id) throw new Failure('in_use')
        worlds.delete(id)
        entry.world.close()
      }),
    expire: () =>
      runExclusive(async () => {
        for (const [id, entry] of worlds) {
          if (!isExpired(entry)) continue
          worlds.delete(id)
          entry.world.close()
        }
      }),
    closeAll() {
      for (const { world } of worlds.values()) world.close()
    },
  }
}

/** A world with a frozen clock does not change by itself, so work that is due initially is done before anybody sees the world. */
const playBeginning = async (world: MockWorld) => {
  if (world.clock.state().mode === 'frozen') await world.play()
}

/** Files that browsers and search engines request from every host, even one whose world has ended. */
const HOST_FILE = /^\/(favicon\.ico|apple-touch-icon\.png|robots\.txt)(\?|$)/

/** Followed by the id of a world; see enter.ts. */
export const ENTRY_PATH = '/mock/enter/'

/** The first match wins: entry link, header, host, cookie, else `main`. */
function readWorldId({ url, headers, hostname, cookies }: Parameters<Worlds['of']>[0], readId: WorldOrigins['readId']) {
  if (url.startsWith(ENTRY_PATH)) return url.slice(ENTRY_PATH.length).replace(/\/?(\?.*)?$/s, '')
  const header = headers['x-world']
  if (typeof header === 'string') return header
  return readId(hostname) ?? cookies.__world ?? 'main'
}
