import { LRUCache } from 'lru-cache'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import type { MockWorlds, WorldRequest } from '#server/mock/worlds/worlds.ts'
import type { Clock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import { IDLE_MS, IN_USE_MS, MAX_ENDED_WORLDS, MAX_LIFETIME_MS, type Room } from './limits.ts'

/** `seenAt`: the last request, including those of the demo bar, which a visible page sends. */
type Visit = { address: string; begunAt: number; usedAt: number; seenAt: number; scenario: string; as: string | null }
type NewVisit = Pick<WorldRequest, 'scenario' | 'from'> & { address: string; as: string | null; instead?: string | undefined }

/** Why a world ended: unused for too long, too old, or removed while unused because another visitor needed its place. */
export type EndReason = 'idle' | 'age' | 'room'
export type EndedVisit = { reason: EndReason | 'unknown' } & Partial<Pick<Visit, 'scenario' | 'as'>>

/** `address`: all places of the visitor's address are in use; `demo`: all places of the demo. */
export type Refusal = { full: 'address' | 'demo'; ms: number }

const WORLD_ID = /^[0-9a-f]{40}$/

export type Visits = ReturnType<typeof createVisits>

/** Tracks which world belongs to which visitor and when it expires. The cookie with the world's id is the only key to it. */
export function createVisits(all: MockWorlds, lobby: MockWorld, wall: Clock, room: Room) {
  const visits = new Map<string, Visit>()
  const ended = new LRUCache<string, EndedVisit>({ max: MAX_ENDED_WORLDS })
  const now = () => wall.now().getTime()
  const end = ({ begunAt, usedAt }: Visit) => Math.min(usedAt + IDLE_MS, begunAt + MAX_LIFETIME_MS)
  const reasonAtEnd = ({ begunAt }: Visit): EndReason => (begunAt + MAX_LIFETIME_MS <= now() ? 'age' : 'idle')

  async function leave(id: string, reason?: EndReason) {
    const visit = visits.get(id)
    if (!visit) return
    visits.delete(id)
    if (reason) ended.set(id, { reason, scenario: visit.scenario, as: visit.as })
    await all.remove(id)
  }

  const worlds: MockWorlds = {
    ...all,
    of({ cookies: { __world: id = '' } }) {
      const visit = visits.get(id)
      return (visit && end(visit) > now() && all.get(id)) || lobby
    },
    expiryOf(id) {
      const visit = visits.get(id)
      return visit ? new Date(end(visit)) : null
    },
    remove: (id) => (visits.has(id) ? leave(id) : all.remove(id)),
    async expire() {
      for (const [id, visit] of visits) if (end(visit) <= now()) await leave(id, reasonAtEnd(visit))
    },
  }

  /**
   * Finds the world that has to end for a new one: none if there is room, else the least recently used, of the same address if that has
   * reached its limit. If all of them are in use, returns the time until the first one can be removed.
   */
  function findPlace(address: string, instead?: string): { remove?: string } | Refusal {
    const others = [...visits].filter(([id]) => id !== instead)
    const own = others.filter(([, visit]) => visit.address === address)
    const isShareUsed = own.length >= room.perAddress
    if (!isShareUsed && others.length < room.worlds) return {}
    const [id, { seenAt }] = (isShareUsed ? own : others).reduce((a, b) => (b[1].seenAt < a[1].seenAt ? b : a))
    const ms = seenAt + IN_USE_MS - now()
    return ms > 0 ? { full: isShareUsed ? 'address' : 'demo', ms } : { remove: id }
  }

  return {
    worlds,
    use(id: string) {
      const visit = visits.get(id)
      if (visit) visit.usedAt = visit.seenAt = now()
    },
    /** Records that a page of the world is visible, which keeps its place but does not extend its life. */
    see(id: string) {
      const visit = visits.get(id)
      if (visit) visit.seenAt = now()
    },
    addressOf: (id: string) => visits.get(id)?.address,
    /** Information about the world whose id a browser still has; undefined if it never had one or the world still exists. */
    findEnded(id = ''): EndedVisit | undefined {
      const visit = visits.get(id)
      if (visit) return end(visit) > now() ? undefined : { ...visit, reason: reasonAtEnd(visit) }
      return ended.get(id) ?? (WORLD_ID.test(id) ? { reason: 'unknown' } : undefined)
    },
    /** Why an address cannot have a new world now. */
    findRefusal(address: string, instead?: string): Refusal | undefined {
      const place = findPlace(address, instead)
      return 'full' in place ? place : undefined
    },
    /** Creates a world for a visitor whom `findRefusal` does not reject. */
    async begin({ address, as, instead, ...request }: NewVisit): Promise<MockWorld> {
      const place = findPlace(address, instead)
      const id = systemIds.token()
      // Reserves the place before waiting, so that simultaneous visitors do not share it.
      const visit: Visit = { address, begunAt: now(), usedAt: now(), seenAt: now(), scenario: request.scenario ?? 'family', as }
      visits.set(id, visit)
      try {
        if (instead) await leave(instead)
        if ('remove' in place && place.remove) await leave(place.remove, 'room')
        const world = await all.create({ ...request, id, seed: lobby.seed, ttl: null })
        // The scenario of a shared copy is known only now.
        visit.scenario = world.scenario
        return world
      } catch (error) {
        visits.delete(id)
        throw error
      }
    },
  }
}
