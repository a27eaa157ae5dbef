import { rights } from '#contracts/lib/rights.ts'
import { SCOPES, TRACKER_SCOPES } from '#contracts/lib/scopes.ts'
import { describeChoice } from '#contracts/mock/choices.ts'
import { type scenarios as contract, SCENARIO_KEYS } from '#contracts/mock/scenarios.ts'
import type { Viewer } from '#db/scope.ts'
import { apiTokens } from '#server/accounts/api-tokens/api-tokens.handlers.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { presentUser } from '#server/accounts/users/users.present.ts'
import type { Handlers } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'
import type { OwnScenarios } from '#server/mock/seed/scenarios/scenario.ts'
import { SCENARIOS } from '#server/mock/seed/scenarios/scenarios.ts'
import { addHandOff } from '#server/mock/sign-in/hand-off-address.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { listPersonas } from '#server/mock/worlds/worlds.present.ts'
import { findPersonaUser, NO_END } from '#server/mock/worlds/worlds.store.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

/** Sees all accounts, as support does. */
export const EVERYBODY: Viewer = { userId: 0, accountId: 0, role: 'deepsupport' }

export const scenarios = (all: MockWorlds, own: OwnScenarios): Handlers<typeof contract> => ({
  list: () => [
    ...SCENARIO_KEYS.map((key) => {
      const { title, covers, routes, cast, size = null } = SCENARIOS[key]
      return { key, title, covers: [...covers], routes: [...routes], personas: [...cast], size }
    }),
    ...[...own].map(([key, { title, personas }]) => ({ key, title, covers: [], routes: [], personas, size: null })),
  ],
  personas: (_, { id }) =>
    listPersonas(all.get(id)!).map(({ key, email, password, role, firstName, lastName, language, currency }) => ({
      ...{ key, email, password, role, language, currency },
      name: `${firstName} ${lastName}`,
    })),
  async login({ body }, { id }) {
    const world = all.get(id)!
    const found = await getPersona(world, body.persona)
    const token = await signInAs(world, found.user.email, NO_END)
    return {
      token,
      user: presentUser(found.user, found.account.adminEmail),
      storage: { token, language: found.user.language },
      url: (await addHandOff(world, token, '/')).href,
    }
  },
  async token({ body: { persona, ...body } }, context) {
    const { user } = await getPersona(all.get(context.id)!, persona)
    if (!rights.ownTrackers.some((role) => role === user.role)) throw invalidField('persona', `A ${user.role} has no API tokens`)
    const viewer = { userId: user.id, accountId: user.accountId, role: user.role, email: user.email }
    const scopes = body.scopes ?? [...(body.devices ? TRACKER_SCOPES : SCOPES)]
    return apiTokens.create({ body: { ...body, scopes } }, { ...context, viewer, session: '' })
  },
})

/** The user of a persona. Throws, listing the personas of the world, unless it has this one. */
export async function getPersona(world: MockWorld, persona: string) {
  const personas = listPersonas(world)
  const known = personas.find(({ key }) => key === persona)
  const found = known && (await findPersonaUser(world.db.read, known.id))
  if (!found)
    throw invalidField(
      'persona',
      describeChoice(
        persona,
        personas.map(({ key }) => key),
      ),
    )
  return found
}
