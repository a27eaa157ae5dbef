import { users } from '#db/schema/accounts.ts'
import { columnsOf } from '#db/schema/columns.ts'
import { prices } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import type { Row } from '#server/mock/entities/entity-row.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { photoRows } from '#server/mock/seed/records/photos.ts'
import { priceRows } from '#server/mock/seed/records/prices.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { presentPosition } from './document-positions.ts'
import { fieldsOf, formatTime, keyOf, presentChild, presentRow } from './document-row.ts'
import { type Completion, REFERENCES, RESOURCES, type Resource } from './resources.ts'

/** The first field of a document, so that no other JSON is mistaken for one. */
export const FORMAT = 'whereabouts world 1'

type Exported = Pick<MockWorld, 'db' | 'clock'>

/** Formats a world as a readable JSON document (docs/decisions/072), one line per row. It contains no secrets. */
export async function exportWorld(world: Exported): Promise<string> {
  const { db, clock } = world
  const { seed, anchor, scenario, size, claims, faults } = await readSeed(db.read)
  const { mode, rate, now } = clock.state()
  const head = {
    scenario,
    ...(size !== null && { size }),
    seed,
    ...(claims && { claims }),
    anchor: formatTime(anchor),
    clock: { now: formatTime(now), mode, rate },
  }
  const lists = await readLists(world, { anchor, passwordHash: '' })
  const parts = RESOURCES.flatMap(({ name }) => (lists.get(name)!.length > 0 ? [`  "${name}": ${formatList(lists.get(name)!, '  ')}`] : []))
  const tracks = await readTracks(world)
  return [
    `{\n  "format": "${FORMAT}",\n  "world": ${JSON.stringify(head)}`,
    ...(faults && faults.length > 0 ? [`  "faults": ${formatList(faults, '  ')}`] : []),
    ...parts,
    ...(tracks.length > 0
      ? [`  "positions": {\n${tracks.map(([id, rows]) => `    "${id}": ${formatList(rows, '    ')}`).join(',\n')}\n  }`]
      : []),
  ]
    .join(',\n')
    .concat('\n}\n')
}

const formatList = (rows: readonly unknown[], indent: string) =>
  `[\n${rows.map((row) => `${indent}  ${JSON.stringify(row)}`).join(',\n')}\n${indent}]`

/** The rows of every list, in the order of their keys. Rows with references to deleted rows are left out. */
async function readLists({ db }: Exported, completion: Completion) {
  const lists = new Map<string, Row[]>()
  const keys = new Map<string, Set<unknown>>()
  const rowsOf = async (table: Resource['table']) => (await db.read.select().from(table)) as Row[]
  const found = await Promise.all(RESOURCES.map(async (resource) => [resource, await rowsOf(resource.table)] as const))
  for (const [{ name }, rows] of found) keys.set(name, new Set(rows.map(({ id }) => id)))
  const refersTo = (table: Resource['table'], row: Row) =>
    fieldsOf({ table }).every(({ field, column, of }) => {
      const target = REFERENCES[field]
      if (!target || row[column] === null || keys.get(target)!.has(row[column])) return true
      if (!of.notNull) row[column] = null
      return !of.notNull
    })
  for (const [resource, rows] of found) {
    const children = await Promise.all((resource.children ?? []).map(async (child) => [child, await rowsOf(child.table)] as const))
    const shown = rows
      .filter((row) => refersTo(resource.table, row))
      .map((row) => {
        const own = children.flatMap(([child, all]) => {
          const list = all
            .filter((one) => one[child.parent] === keyOf(row) && refersTo(child.table, one))
            .map((one) => presentChild(one, child, completion))
          return list.length > 0 ? [[child.name, list] as const] : []
        })
        return {
          ...presentRow(withKnownPhoto(resource, row), resource, completion),
          ...presentPassword(resource, row),
          ...Object.fromEntries(own),
        }
      })
    lists.set(resource.name, isSeeded(resource, rows) ? [] : shown.sort(compareRows))
  }
  return lists
}

/** Only hashes of passwords are stored, so every user gets the common password. */
const presentPassword = ({ table }: Resource, { passwordHash }: Row) =>
  table === users ? { password: passwordHash === null ? null : DEMO_PASSWORD } : {}

const withKnownPhoto = ({ table }: Resource, row: Row) =>
  table === devices && !photoRows.some(({ hash }) => hash === row.photo) ? { ...row, photo: null } : row

/** The prices of the demo are in every world whose document names no others. */
const isSeeded = ({ table }: Resource, rows: readonly Row[]) => table === prices && describePrices(rows) === describePrices(priceRows)

const describePrices = (rows: readonly Row[]) =>
  JSON.stringify(
    rows
      .map((row) => Object.keys(columnsOf(prices)).map((column) => row[column] ?? columnsOf(prices)[column as 'id'].default ?? null))
      .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  )

const compareRows = (a: Row, b: Row) =>
  typeof a.id === 'number' && typeof b.id === 'number' ? a.id - b.id : JSON.stringify(a) < JSON.stringify(b) ? -1 : 1

const AT_ONCE = 10_000

/** The positions of every tracker that has any. */
async function readTracks({ db }: Exported): Promise<[number, unknown[]][]> {
  const tracks: [number, unknown[]][] = []
  const ids = await db.read.select({ id: devices.id }).from(devices).orderBy(devices.id)
  for (const { id } of ids) {
    const rows: unknown[] = []
    for (let offset = 0; ; offset += AT_ONCE) {
      const page = await db.positions.range(id, 0, Number.MAX_SAFE_INTEGER, AT_ONCE, offset)
      rows.push(...page.map(presentPosition))
      if (page.length < AT_ONCE) break
    }
    if (rows.length > 0) tracks.push([id, rows])
  }
  return tracks
}
