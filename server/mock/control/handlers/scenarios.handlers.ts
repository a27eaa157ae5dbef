import { type scenarios as contract, SCENARIO_KEYS } from '#contracts/mock/scenarios.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { presentUser } from '#server/accounts/users/users.present.ts'
import type { Handlers } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'
import { listCast, SCENARIOS } from '#server/mock/seed/scenarios/scenarios.ts'
import { findPersonaUser } from '#server/mock/worlds/worlds.store.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

export const scenarios = (all: MockWorlds): Handlers<typeof contract> => ({
  list: () =>
    SCENARIO_KEYS.map((key) => {
      const { title, covers, routes, cast, size = null } = SCENARIOS[key]
      return { key, title, covers: [...covers], routes: [...routes], personas: [...cast], size }
    }),
  personas: (_, { id }) =>
    listCast(all.get(id)!.scenario).map(({ key, email, password, role, firstName, lastName, language, currency }) => ({
      ...{ key, email, password, role, language, currency },
      name: `${firstName} ${lastName}`,
    })),
  async login({ body }, { id }) {
    const world = all.get(id)!
    const known = listCast(world.scenario).find(({ key }) => key === body.persona)
    const found = known && (await findPersonaUser(world.db.read, known.id))
    if (!found)
      throw invalidField(
        'persona',
        `One of ${listCast(world.scenario)
          .map(({ key }) => key)
          .join(', ')}`,
      )
    const token = await signInAs(world, found.user.email)
    return {
      token,
      user: presentUser(found.user, found.account.adminEmail),
      storage: { token, language: found.user.language },
      url: `${world.origin}/?token=${token}`,
    }
  },
})
