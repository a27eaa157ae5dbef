import type { faults as contract } from '#contracts/mock/faults.ts'
import { Failure, invalid } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { isKnown } from '#server/mock/calls/call.ts'
import type { MockWorlds } from '#server/mock/worlds.ts'
import type { Fault } from './faults.ts'
import { presets } from './presets.ts'

/** What tests may let go wrong. */
export function faults(worlds: MockWorlds): Handlers<typeof contract> {
  const of = ({ id }: { id: string }) => worlds.get(id)!.faults
  return {
    list: (_, world) => of(world).all().map(present),
    create({ body }, world) {
      const { route } = body.match ?? {}
      if (route !== undefined && !isKnown(route)) throw invalid('match.route', 'No call of the API is named so')
      return present(of(world).add(body))
    },
    preset: ({ params }, world) => presets[params.name].map((fault) => present(of(world).add(fault))),
    clear: (_, world) => of(world).clear(),
    remove({ params }, world) {
      if (!of(world).remove(params.id)) throw new Failure('not_found')
    },
  }
}

const present = ({ kept: _, ...fault }: Fault) => fault
