import type { worlds as contract } from '#contracts/mock/worlds.ts'
import { PERSONAS } from '#db/seed/personas.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { timeOf } from '#server/mock/clock/handlers.ts'
import type { MockWorld } from '#server/mock/world.ts'
import type { MockWorlds } from '#server/mock/worlds.ts'
import { signInAs } from '#server/sessions/sign-in.ts'

const DEFAULT_SEED = 1

/** What tests may do to whole worlds. */
export const worlds = (all: MockWorlds): Handlers<typeof contract> => ({
  async create({ body }, { ids }) {
    const { at, mode = 'frozen', rate } = body.clock ?? {}
    const id = body.id ?? ids.uuid().slice(0, 8)
    return stateOf(
      await all.create({ id, seed: body.seed ?? DEFAULT_SEED, clock: { mode, ...(at && { at: new Date(at) }), ...(rate && { rate }) } }),
    )
  },
  reset: async ({ body }, { id }) => stateOf(await all.reset(all.get(id)!, body.seed)),
})

async function stateOf(world: MockWorld) {
  const personas = []
  for (const { key, email, password, role } of PERSONAS) personas.push({ key, email, password, role, token: await signInAs(world, email) })
  return { id: world.id, base_url: world.origin, personas, clock: timeOf(world.clock) }
}
