import { describeChoice } from '#contracts/mock/choices.ts'
import type { entities as contract } from '#contracts/mock/entities.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { addressOf } from '#db/addresses.ts'
import { classifyDbError } from '#db/classify-error.ts'
import type { Tx } from '#db/db.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { City } from '#server/mock/city/index.ts'
import {
  createAccount,
  findOwner,
  insertRow,
  listRows,
  readNewestRowId,
  removeRow,
  updateRow,
} from '#server/mock/entities/entities.store.ts'
import { ENTITY_KINDS } from '#server/mock/entities/entity-kinds.ts'
import { type EntityKind, parseRow, presentRow, type Row, type RowContext } from '#server/mock/entities/entity-row.ts'
import { listPersonas } from '#server/mock/worlds/worlds.present.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import type { World } from '#server/ports/world.ts'

/** Creates and edits rows that tests need and no scenario provides, without applying the portal's rules. */
export const entities = (worlds: MockWorlds, city: City): Handlers<typeof contract> => ({
  list: async ({ params }, { db }) => (await listRows(db.read, ENTITY_KINDS[params.type])).map(presentRow),
  async create({ params, body }, world) {
    const kind = ENTITY_KINDS[params.type]
    const owner = listPersonas(worlds.get(world.id)!).find(({ key }, index) =>
      body.owner === undefined ? index === 0 : key === body.owner,
    )
    const owned = owner && (await findOwner(world.db.read, owner.id))
    if (!owned)
      throw invalidField(
        'owner',
        describeChoice(
          body.owner,
          listPersonas(worlds.get(world.id)!).map(({ key }) => key),
        ),
      )
    return writeOrReject(world, async (tx) => {
      const last = await readNewestRowId(tx, kind)
      const made: Row[] = []
      for (let number = last + 1; number <= last + body.count; number++) {
        const accountId = params.type === 'users' && !body.data?.account_id ? await createAccount(tx) : owned.accountId
        const maker = { ...owned, accountId, number, uuid: world.ids.uuid, at: daysFromNow(world), spot: chooseSpot(city, number) }
        made.push(presentRow(await insertRow(tx, kind, buildRow(kind, maker, body))))
      }
      return made
    })
  },
  async change({ params, body }, world) {
    const kind = ENTITY_KINDS[params.type]
    const given = parseRow(kind, body.data ?? {})
    const row = { ...resolveTraits(kind, body.traits, { at: daysFromNow(world) }, given), ...given }
    const changed = await writeOrReject(world, (tx) => updateRow(tx, kind, params.id, kind.derive?.(row) ?? row))
    if (!changed) throw new Failure('not_found')
    return presentRow(changed)
  },
  async remove({ params }, world) {
    const isGone = await writeOrReject(world, async (tx) => {
      if (params.type === 'trackers') await world.positions.remove(tx, Number(params.id))
      return removeRow(tx, ENTITY_KINDS[params.type], params.id)
    })
    if (!isGone) throw new Failure('not_found')
    return { id: params.id }
  },
})

function buildRow(
  kind: EntityKind,
  maker: RowContext,
  { traits, data = {} }: { traits?: string[] | undefined; data?: Row | undefined },
): Row {
  const given = parseRow(kind, data)
  const made = { ...kind.make(maker), ...given }
  const row = { ...made, ...resolveTraits(kind, traits, maker, made), ...given }
  return kind.derive?.(row) ?? row
}

function resolveTraits({ traits }: EntityKind, wanted: string[] = [], maker: Pick<RowContext, 'at'>, row: Row): Row {
  const all: Row = {}
  for (const name of wanted) {
    const trait = Object.hasOwn(traits, name) ? traits[name] : undefined
    if (!trait) throw invalidField('traits', describeChoice(name, Object.keys(traits)))
    Object.assign(all, trait(maker, row))
  }
  return all
}

const daysFromNow =
  ({ clock }: World) =>
  (days: number) =>
    new Date(clock.now().getTime() + days * DAY_MS)

/** A house on a spiral around the centre of the city, different for each number. */
function chooseSpot(city: City, number: number) {
  const [angle, far] = [number * 2.4, 0.002 * Math.sqrt(number % 200)]
  const near = city.snap({ lat: city.center.lat + far * Math.sin(angle), lng: city.center.lng + far * Math.cos(angle) }, 'foot')
  return { ...near, label: addressOf(city.nearest, near) ?? '' }
}

async function writeOrReject<T>({ db }: World, work: (tx: Tx) => Promise<T>) {
  try {
    return await db.write('everything', work)
  } catch (error) {
    if (classifyDbError(error) !== 'constraint' || !(error instanceof Error)) throw error
    throw invalidField('data', error.cause instanceof Error ? error.cause.message : error.message)
  }
}
