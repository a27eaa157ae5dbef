import { worlds } from '#contracts/mock/worlds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'
import { presentWorld, signInPersonas } from '#server/mock/worlds/worlds.present.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

const { list, remove, reset } = worlds
/** Visitors may reset their own world; the operator may list and remove any. */
export const steering = { list, remove, reset }

/** The crowd scenario takes 50 MB, too much for a visitor. */
export const isOffered = (scenario: string | undefined) => scenario !== 'crowd'

export const steeringHandlers = (all: MockWorlds): Handlers<typeof steering> => ({
  list: () => all.all().map((world) => presentWorld(all, world)),
  async remove({ params }) {
    await all.remove(params.id)
    return params
  },
  async reset({ body: { scenario, size, seed } }, { id }) {
    if (seed !== undefined) throw invalidField('seed', 'The seed of a demo is fixed')
    if (size !== undefined) throw invalidField('size', 'The scenarios of a demo have no size')
    if (!isOffered(scenario)) throw invalidField('scenario', 'Too large for a demo')
    return signInPersonas(all, await all.reset({ id }, scenario === undefined ? {} : { scenario }))
  },
})
