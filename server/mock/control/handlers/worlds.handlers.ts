import { describeChoice } from '#contracts/mock/choices.ts'
import { control } from '#contracts/mock/index.ts'
import type { worlds as contract } from '#contracts/mock/worlds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { exportWorld } from '#server/mock/document/export-world.ts'
import { importWorld } from '#server/mock/document/import-world.ts'
import { resolveSize } from '#server/mock/seed/scenarios/scenarios.ts'
import { type Snapshots, serializeWorld } from '#server/mock/worlds/snapshots.store.ts'
import { buildControlLinks, presentWorld, signInPersonas } from '#server/mock/worlds/worlds.present.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { countMails } from '#server/outbox/outbox.store.ts'
import { presentFault } from './faults.handlers.ts'

const DEFAULT_SEED = 1
const API_VERSION = '1.0.0'

export const worlds = (all: MockWorlds, snapshots: Snapshots): Handlers<typeof contract> => {
  const getWorld = (id: string) => {
    const world = all.get(id)
    if (!world) throw new Failure('not_found')
    return world
  }
  return {
    async about(_, { id }) {
      const world = getWorld(id)
      const { faults, stripe, db } = world
      return {
        version: API_VERSION,
        world: presentWorld(all, world),
        faults: faults.all().map(presentFault),
        payments: { webhooks: stripe.settings(), waiting: stripe.listEvents().filter(({ state }) => state === 'waiting').length },
        mail: { count: await countMails(db.read) },
        links: buildControlLinks(control),
      }
    },
    list: () => all.all().map((world) => presentWorld(all, world)),
    async create({ body }, { ids }) {
      const {
        id = ids.uuid().slice(0, 8),
        scenario = 'family',
        seed = DEFAULT_SEED,
        storage,
        claims,
        ttl_seconds: ttl,
        grace_days: graceDays,
        contact_consent: consent,
      } = body
      const { at, ...pace } = body.clock ?? {}
      if (body.from !== undefined && !snapshots.has(body.from))
        throw invalidField(
          'from',
          `There is no snapshot of that name. ${describeChoice(
            body.from,
            (await snapshots.list()).map(({ name }) => name),
          )}`,
        )
      const size = resolveSize(scenario, body.size)
      const from = body.from === undefined ? undefined : snapshots.find(body.from)
      const clock = { ...pace, ...(at && { at: new Date(at) }) }
      return signInPersonas(
        all,
        await all.create({
          id,
          scenario,
          size,
          seed,
          clock,
          storage,
          claims,
          ttl,
          from,
          graceDays,
          ...(consent && { asksContacts: consent === 'asked' }),
        }),
      )
    },
    async import({ query: { id, ttl_seconds: ttl }, body }, { ids }) {
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      const base = await importWorld(Buffer.concat(chunks).toString('utf8'))
      return signInPersonas(all, await all.create({ id: id ?? ids.uuid().slice(0, 8), seed: DEFAULT_SEED, ttl, base }))
    },
    export: async ({ params }) => ({ filename: `${params.id}.json`, content: Buffer.from(await exportWorld(getWorld(params.id))) }),
    read: ({ params }) => presentWorld(all, getWorld(params.id)),
    async remove({ params }) {
      await all.remove(params.id)
      return params
    },
    async clone({ params, body }, { ids }) {
      const world = getWorld(params.id)
      const { id = ids.uuid().slice(0, 8), ttl_seconds: ttl } = body
      return signInPersonas(
        all,
        await all.create({
          id,
          scenario: world.scenario,
          seed: world.seed,
          ttl,
          graceDays: world.graceDays,
          asksContacts: world.asksContacts,
          from: await serializeWorld(world),
        }),
      )
    },
    async reset({ body: { scenario, size, seed, keep: preserved = [] } }, { id }) {
      if (size !== undefined) resolveSize(scenario ?? getWorld(id).scenario, size)
      const journal = preserved.includes('journal') ? getWorld(id).journal : undefined
      return signInPersonas(
        all,
        await all.reset(
          { id },
          { ...(scenario && { scenario }), ...(size !== undefined && { size }), ...(seed !== undefined && { seed }), journal },
        ),
      )
    },
  }
}
