import { describeChoice } from '#contracts/mock/choices.ts'
import type { CallMatch, faults as contract } from '#contracts/mock/faults.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { describeFault, listNotes } from '#server/mock/faults/describe-fault.ts'
import { type Fault, presets } from '#server/mock/faults/faults.ts'
import { isKnownRoute } from '#server/mock/lib/endpoint-requests.ts'
import { endpointsByName, isApiPath } from '#server/mock/lib/endpoints.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { listPersonas } from '#server/mock/worlds/worlds.present.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

export function faults(worlds: MockWorlds): Handlers<typeof contract> {
  const of = ({ id }: { id: string }) => worlds.get(id)!.faults
  return {
    list: (_, world) => of(world).all().map(presentFault),
    unused: (_, world) => of(world).unused().map(presentFault),
    create({ body }, world) {
      const { route, ...match } = body.match ?? {}
      // A stub may replace a call that the API does not have yet.
      const isNew = body.effect === 'respond' && route !== undefined && isApiPath(route)
      validateMatch(worlds.get(world.id)!, isNew ? match : { ...match, route }, (field) => `match.${field}`)
      return presentFault(of(world).add(body))
    },
    preset: ({ params }, world) => presets[params.name].map((fault) => presentFault(of(world).add(fault))),
    clear: (_, world) => of(world).clear(),
    remove({ params }, world) {
      if (!of(world).remove(params.id)) throw new Failure('not_found')
    },
  }
}

export const presentFault = ({ firstResponses: _, paths, isInitial: __, ...fault }: Fault) => ({
  ...fault,
  words: describeFault(fault),
  notes: listNotes({ ...fault, paths }),
})

/** Throws `validation_error` for an unknown route or persona: a misspelt one would silently match nothing. */
export function validateMatch(world: MockWorld, { route, persona }: CallMatch, nameOf = (field: string) => field) {
  const keys = listPersonas(world).map(({ key }) => key)
  if (route !== undefined && !isKnownRoute(route)) {
    const known = [...endpointsByName].map(([name, { path }]) => (route.startsWith('/') ? path : name))
    throw invalidField(nameOf('route'), `No call of the API is named so. ${describeChoice(route, known)}`)
  }
  if (persona !== undefined && !persona.includes('@') && !keys.includes(persona))
    throw invalidField(nameOf('persona'), `${describeChoice(persona, keys)}, or an e-mail`)
}
