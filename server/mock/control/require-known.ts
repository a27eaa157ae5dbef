import type { CallMatch } from '#contracts/mock/faults.ts'
import { invalidField } from '#server/lib/errors.ts'
import { isKnownRoute } from '#server/mock/lib/endpoint-requests.ts'
import { listCast } from '#server/mock/seed/scenarios/scenarios.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'

/** Throws `validation_error` for an unknown route or persona: a misspelt one would silently match nothing. */
export function validateMatch({ scenario }: MockWorld, { route, persona }: CallMatch, nameOf = (field: string) => field) {
  const keys = listCast(scenario).map(({ key }) => key)
  if (route !== undefined && !isKnownRoute(route)) throw invalidField(nameOf('route'), 'No call of the API is named so')
  if (persona !== undefined && !persona.includes('@') && !keys.includes(persona))
    throw invalidField(nameOf('persona'), `An e-mail, or one of ${keys.join(', ')}`)
}
