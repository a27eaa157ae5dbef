import type { faults as contract } from '#contracts/mock/faults.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Fault } from '#server/mock/faults/faults.ts'
import { presets } from '#server/mock/faults/presets.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { requireKnown } from './require-known.ts'

/** What tests may let go wrong. */
export function faults(worlds: MockWorlds): Handlers<typeof contract> {
  const of = ({ id }: { id: string }) => worlds.get(id)!.faults
  return {
    list: (_, world) => of(world).all().map(presentFault),
    create({ body }, world) {
      requireKnown(worlds.get(world.id)!, body.match ?? {}, (field) => `match.${field}`)
      return presentFault(of(world).add(body))
    },
    preset: ({ params }, world) => presets[params.name].map((fault) => presentFault(of(world).add(fault))),
    clear: (_, world) => of(world).clear(),
    remove({ params }, world) {
      if (!of(world).remove(params.id)) throw new Failure('not_found')
    },
  }
}

/** What it is, and to how many calls it has happened. */
export const presentFault = ({ kept: _, ...fault }: Fault) => fault
