import type { faults as contract } from '#contracts/mock/faults.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Fault } from '#server/mock/faults/faults.ts'
import { presets } from '#server/mock/faults/presets.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { validateMatch } from './require-known.ts'

export function faults(worlds: MockWorlds): Handlers<typeof contract> {
  const of = ({ id }: { id: string }) => worlds.get(id)!.faults
  return {
    list: (_, world) => of(world).all().map(presentFault),
    create({ body }, world) {
      validateMatch(worlds.get(world.id)!, body.match ?? {}, (field) => `match.${field}`)
      return presentFault(of(world).add(body))
    },
    preset: ({ params }, world) => presets[params.name].map((fault) => presentFault(of(world).add(fault))),
    clear: (_, world) => of(world).clear(),
    remove({ params }, world) {
      if (!of(world).remove(params.id)) throw new Failure('not_found')
    },
  }
}

/** Removes the internal copies of stale responses. */
export const presentFault = ({ firstResponses: _, ...fault }: Fault) => fault
