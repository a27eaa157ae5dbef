import type { MockWorld } from '#server/mock/worlds/world.ts'
import type { MockWorlds, WorldRequest } from '#server/mock/worlds/worlds.ts'
import type { Clock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import { IDLE_MS, MAX_LIFETIME_MS, MAX_WORLDS, MAX_WORLDS_PER_ADDRESS } from './limits.ts'

type Visit = { address: string; begunAt: number; usedAt: number }
type NewVisit = Pick<WorldRequest, 'scenario' | 'from'> & { address: string; instead?: string | undefined }

export type Visits = ReturnType<typeof createVisits>

/** Tracks which world belongs to which visitor and when it expires. The cookie with the world's id is the only key to it. */
export function createVisits(all: MockWorlds, lobby: MockWorld, wall: Clock) {
  /** Least recently used first. */
  const visits = new Map<string, Visit>()
  const now = () => wall.now().getTime()
  const end = ({ begunAt, usedAt }: Visit) => Math.min(usedAt + IDLE_MS, begunAt + MAX_LIFETIME_MS)

  async function leave(id: string) {
    if (visits.delete(id)) await all.remove(id)
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
      for (const [id, visit] of visits) if (end(visit) <= now()) await leave(id)
    },
  }

  return {
    worlds,
    use(id: string) {
      const visit = visits.get(id)
      if (!visit) return
      visit.usedAt = now()
      visits.delete(id)
      visits.set(id, visit)
    },
    addressOf: (id: string) => visits.get(id)?.address,
    async begin({ address, instead, ...request }: NewVisit): Promise<MockWorld> {
      if (instead) await leave(instead)
      const own = [...visits].filter(([, visit]) => visit.address === address)
      if (own.length >= MAX_WORLDS_PER_ADDRESS) await leave(own[0]![0])
      if (visits.size >= MAX_WORLDS) await leave(visits.keys().next().value!)
      const id = systemIds.token()
      visits.set(id, { address, begunAt: now(), usedAt: now() })
      try {
        return await all.create({ ...request, id, seed: lobby.seed, ttl: null })
      } catch (error) {
        visits.delete(id)
        throw error
      }
    },
  }
}
