import type { snapshots as contract } from '#contracts/mock/snapshots.ts'
import type { Handlers } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'
import { describeSnapshot, type Snapshots, serializeWorld } from '#server/mock/worlds/snapshots.store.ts'
import { signInPersonas } from '#server/mock/worlds/worlds.present.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

export const snapshots = (all: MockWorlds, store: Snapshots): Handlers<typeof contract> => ({
  list: () => store.list(),
  async create({ body }, { id }) {
    const world = all.get(id)!
    const at = world.clock.now().toISOString().slice(0, 19).replace(/\D/g, '')
    return store.save(body.name ?? `${world.scenario}-${at}`, await serializeWorld(world))
  },
  restore: async ({ params }, { id }) => signInPersonas(all, await all.reset({ id }, { from: store.find(params.name) })),
  download: ({ params }) => ({ filename: `${params.name}.db`, content: store.bytes(params.name) }),
  async add({ query, body }) {
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    await describeSnapshot(bytes).catch(() => {
      throw invalidField('file', 'Not a snapshot of a world')
    })
    return store.save(query.name, bytes)
  },
  remove({ params }) {
    store.remove(params.name)
    return params
  },
})
