import { formatInstant } from '#contracts/rules/time.ts'
import { listPersonas } from './list-personas.ts'
import type { MockWorld } from './world.ts'
import { createSessions } from './worlds.store.ts'
import type { MockWorlds } from './worlds.ts'

export const presentClock = ({ clock }: MockWorld) => ({ ...clock.state(), now: formatInstant(clock.now()) })

export function presentWorld(all: MockWorlds, world: MockWorld) {
  const { id, origin, scenario, size, seed, storage } = world
  const end = all.expiryOf(id)
  const enter_url = `${all.get('main')?.origin ?? origin}/mock/enter/${id}`
  return {
    id,
    base_url: origin,
    enter_url,
    scenario,
    size,
    seed,
    storage,
    clock: presentClock(world),
    expires_at: end && formatInstant(end),
  }
}

/** Creates a session for every persona that still exists and presents the world with their tokens. */
export async function signInPersonas(all: MockWorlds, world: MockWorld) {
  const cast = listPersonas(world)
  const sessions = await createSessions(
    world,
    cast.map(({ id }) => id),
  )
  const personas = cast.flatMap(({ id, key, email, password, role }) => {
    const token = sessions.get(id)
    return token === undefined ? [] : [{ key, email, password, role, token }]
  })
  return { ...presentWorld(all, world), personas }
}
