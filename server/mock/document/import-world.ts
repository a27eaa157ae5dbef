import * as z from 'zod/mini'
import { NewFault } from '#contracts/mock/faults.ts'
import { ScenarioName } from '#contracts/mock/scenarios.ts'
import { Claims } from '#contracts/mock/worlds.ts'
import { GRACE_DAYS } from '#contracts/rules/service.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import type { PositionRow } from '#db/positions.ts'
import { prices } from '#db/schema/commerce.ts'
import { deviceKeys, photos } from '#db/schema/devices.ts'
import { staff } from '#db/schema/staff.ts'
import { seeds } from '#db/schema/worlds.ts'
import { openEmpty } from '#db/sqlite/empty.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Row } from '#server/mock/entities/entity-row.ts'
import { isKnownRoute } from '#server/mock/lib/endpoint-requests.ts'
import { isApiPath } from '#server/mock/lib/endpoints.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { photoRows } from '#server/mock/seed/records/photos.ts'
import { priceRows } from '#server/mock/seed/records/prices.ts'
import { staffRows } from '#server/mock/seed/records/second-factor.ts'
import { seededPasswordHash, sha256 } from '#server/mock/seed/records/seed-secrets.ts'
import { deviceKeyRows } from '#server/mock/seed/records/sharing.ts'
import { learnDue } from '#server/tracking/normal/learn-normal.ts'
import { readTracks } from './document-positions.ts'
import { fieldsOf, type Issue, isObject, keyOf, parseRow, parseTime } from './document-row.ts'
import { FORMAT } from './export-world.ts'
import { type Child, REFERENCES, RESOURCES, type Resource } from './resources.ts'

const ANCHOR = '2026-03-02T09:00:00Z'
/** The most problems listed. */
const MOST_ISSUES = 20

const Head = z.strictObject({
  scenario: z.optional(ScenarioName),
  size: z.optional(z.int()),
  seed: z.optional(z.int()),
  claims: z.optional(Claims),
  anchor: z.optional(z.string()),
  clock: z.optional(
    z.strictObject({
      now: z.string(),
      mode: z.optional(z.enum(['frozen', 'flow'])),
      rate: z.optional(z.number().check(z.positive(), z.maximum(86_400))),
    }),
  ),
})

/** Creates the database of a world from a document, and returns its bytes. Throws `validation_error` with a reason for each path. */
export async function importWorld(text: string, { scenario }: { scenario?: string } = {}): Promise<Buffer> {
  const issues = new Map<string, string[]>()
  const report: Issue = (path, message) => {
    if (issues.size < MOST_ISSUES) issues.set(path, [...(issues.get(path) ?? []), message])
  }
  const refuse = () => {
    if (issues.size > 0) throw new Failure('validation_error', { errors: Object.fromEntries(issues) })
  }
  const document = parseJson(text, report)
  refuse()
  const { seed, anchor, ...head } = parseHead(document!.world ?? {}, report)
  const passwordHash = await seededPasswordHash(DEMO_PASSWORD, seed)
  const lists = readLists(document!, { anchor, passwordHash }, report)
  const tracks = readTracks(document!.positions ?? {}, lists.get('trackers')!, report)
  const faults = readFaults(document!.faults ?? [], report)
  refuse()
  completeTrackers(lists.get('trackers')!, tracks)
  const db = openEmpty()
  try {
    await db.write('everything', async (tx) => {
      await tx.insert(seeds).values({
        seed,
        anchor,
        ...head,
        scenario: scenario ?? head.scenario,
        ids: firstId(text),
        faults: faults.length > 0 ? faults : null,
      })
      if (lists.get('prices')!.length === 0) await tx.insert(prices).values(priceRows)
      await insertLists(tx, lists, report)
      refuse()
      await tx.insert(deviceKeys).values(deviceKeyRows)
      await tx.insert(staff).values(staffRows(anchor, passwordHash))
      for (const [id, rows] of tracks) await db.positions.add(tx, id, rows)
    })
    await learnDue({ db, graceDays: GRACE_DAYS.usual }, new Date(head.clock.at))
    return db.raw.serialize()
  } finally {
    db.close()
  }
}

/** The first generated id of a world: different for each document, so that it does not collide with an id in the document. */
const firstId = (text: string) => 1_000_000 + Number.parseInt(sha256(text).slice(0, 8), 16)

function parseJson(text: string, report: Issue): Row | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    report('document', `Not JSON: ${(error as Error).message}`)
    return undefined
  }
  if (!isObject(document) || document.format !== FORMAT) {
    report('format', `Must be "${FORMAT}"`)
    return undefined
  }
  const known = ['format', 'title', 'world', 'faults', 'positions', ...RESOURCES.map(({ name }) => name)]
  for (const name of Object.keys(document)) if (!known.includes(name)) report(name, `No field of that name; there are ${known.join(', ')}`)
  return document
}

function parseHead(value: unknown, report: Issue) {
  const { data, error } = Head.safeParse(value)
  for (const { path, message } of error?.issues ?? []) report(['world', ...path].join('.'), message)
  const { scenario = 'own', size = null, seed = 1, claims = null, clock } = data ?? {}
  const anchor = parseTime(data?.anchor ?? ANCHOR, (message) => report('world.anchor', message))
  const now = parseTime(clock?.now ?? anchor.toISOString(), (message) => report('world.clock.now', message))
  if (Math.abs(now.getTime() - anchor.getTime()) > MOST_DAYS * DAY_MS)
    report('world.clock.now', `At most ${MOST_DAYS} days from world.anchor, from which the trackers of the demo move on`)
  return {
    scenario,
    size,
    seed,
    claims,
    anchor,
    clock: { at: now.toISOString(), mode: clock?.mode ?? 'frozen', rate: clock?.rate ?? 1 } as const,
  }
}
const MOST_DAYS = 400

function readFaults(value: unknown, report: Issue): NewFault[] {
  if (!Array.isArray(value)) {
    report('faults', 'Must be a list')
    return []
  }
  return value.flatMap((one: unknown, index) => {
    const { data, error } = NewFault.safeParse(one)
    for (const { path, message } of error?.issues ?? []) report([`faults[${index}]`, ...path].join('.'), message)
    const route = data?.match?.route
    if (route !== undefined && !isKnownRoute(route) && !(data?.effect === 'respond' && isApiPath(route)))
      report(`faults[${index}].match.route`, 'No call of the API is named so')
    return data ? [data] : []
  })
}

type Lists = Map<string, Row[]>
/** Rows within rows; not columns of a table. */
const CHILDREN = Symbol('children')

function readLists(document: Row, completion: { anchor: Date; passwordHash: string }, report: Issue): Lists {
  const lists: Lists = new Map()
  const withAccounts = { accounts: listAccounts(document), ...document } as Row
  for (const resource of RESOURCES) lists.set(resource.name, readList(withAccounts[resource.name] ?? [], resource, completion, report))
  for (const resource of RESOURCES) checkReferences(resource, lists, report)
  return lists
}

/** The accounts that the rows refer to, for a document without a list of them. */
function listAccounts(document: Row) {
  const rows = RESOURCES.flatMap(({ name }) => (Array.isArray(document[name]) ? (document[name] as unknown[]) : [])).filter(isObject)
  return [...new Set([1, ...rows.map(({ account }) => account).filter((id) => Number.isInteger(id))])].map((id) => ({ id }))
}

function readList(value: unknown, resource: Resource, completion: { anchor: Date; passwordHash: string }, report: Issue): Row[] {
  const { name, children = [], defaults = {} } = resource
  if (!Array.isArray(value)) {
    report(name, 'Must be a list')
    return []
  }
  const fields = fieldsOf(resource)
  const hasId = fields.some(({ column, of }) => column === 'id' && of.dataType === 'number')
  let last = Math.max(0, ...value.map((row) => (isObject(row) && typeof row.id === 'number' ? row.id : 0)))
  return value.map((data: unknown, index) => {
    const path = `${name}[${index}]`
    if (!isObject(data)) {
      report(path, 'Must be an object')
      return { [CHILDREN]: children.map(() => []) }
    }
    const own = Object.fromEntries(Object.entries(data).filter(([field]) => !isExtra(field, resource)))
    const parsed = parseRow(fields, own, path, resource, report)
    const row = resource.derive?.(parsed, data) ?? parsed
    if (hasId) row.id ??= ++last
    if (fields.some(({ column }) => column === 'accountId')) row.accountId ??= 1
    if (name === 'links') row.uuid ??= `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
    for (const { field, column, of } of fields)
      if (of.notNull && row[column] === undefined && !(column in defaults) && !of.hasDefault && !(column === 'id' && hasId))
        report(`${path}.${field}`, 'Required')
    for (const [column, complete] of Object.entries(defaults)) if (row[column] === undefined) row[column] = complete(row, completion)
    if (name === 'users' && data.password !== undefined)
      row.passwordHash = readPassword(data.password, completion, `${path}.password`, report)
    if (name === 'trackers' && row.photo && !photoRows.some(({ hash }) => hash === row.photo))
      report(`${path}.photo`, 'Not a photo of the demo')
    return Object.assign(row, {
      [CHILDREN]: children.map((child) => readChildren(data[child.name] ?? [], child, `${path}.${child.name}`, report)),
    })
  })
}

const isExtra = (field: string, { name, children = [] }: Resource) =>
  children.some((child) => child.name === field) || (name === 'users' && field === 'password')

function readPassword(value: unknown, { passwordHash }: { passwordHash: string }, path: string, report: Issue) {
  if (value === DEMO_PASSWORD) return passwordHash
  if (value !== null) report(path, `Must be "${DEMO_PASSWORD}", the password of everybody in a mock world, or null for an invited person`)
  return null
}

function readChildren(value: unknown, child: Child, path: string, report: Issue): Row[] {
  const fields = fieldsOf(child)
  if (!Array.isArray(value)) {
    report(path, 'Must be a list')
    return []
  }
  const [first] = fields
  return value.map((data: unknown, index) =>
    parseRow(fields, isObject(data) ? data : { [first!.field]: data }, `${path}[${index}]`, {}, report),
  )
}

function checkReferences(resource: Resource, lists: Lists, report: Issue) {
  const check = (fields: ReturnType<typeof fieldsOf>, row: Row, path: string) => {
    for (const { field, column } of fields) {
      const target = REFERENCES[field]
      const id = row[column]
      if (target && id !== null && id !== undefined && !idsOf(target, lists).has(id))
        report(`${path}.${field}`, `There is no ${id} in ${target}`)
    }
  }
  for (const [index, row] of lists.get(resource.name)!.entries()) {
    const path = `${resource.name}[${index}]`
    check(fieldsOf(resource), row, path)
    for (const [number, child] of (resource.children ?? []).entries())
      for (const [place, one] of childrenOf(row)[number]!.entries()) check(fieldsOf(child), one, `${path}.${child.name}[${place}]`)
  }
}

function idsOf(name: string, lists: Lists) {
  const rows = lists.get(name)!
  return new Set<unknown>((name === 'prices' && rows.length === 0 ? priceRows : rows).map(({ id }) => id))
}

const childrenOf = (row: Row) => ((row as { [CHILDREN]?: Row[][] })[CHILDREN] ?? []) as Row[][]

/** A tracker without a position takes that of its newest fix. */
function completeTrackers(trackers: Row[], tracks: Map<number, PositionRow[]>) {
  for (const tracker of trackers) {
    const [first, ...others] = tracks.get(Number(tracker.id)) ?? []
    const newest = first && others.reduce((a, b) => (b.time > a.time ? b : a), first)
    if (!newest || tracker.lat !== undefined) continue
    const at = new Date(newest.time * 1000)
    const { lat, lng, precision } = newest
    Object.assign(tracker, { lat, lng, precision, positionAt: at })
    tracker.lastMessageAt ??= at
    tracker.onlineSince ??= at
  }
}

async function insertLists(tx: Tx, lists: Lists, report: Issue) {
  const insert = async (table: Resource['table'], row: Row, path: string) => {
    try {
      await tx.insert(table).values(row as never)
    } catch (error) {
      report(path, describeConflict(error))
    }
  }
  for (const { name, table } of RESOURCES)
    for (const [index, row] of lists.get(name)!.entries()) {
      await insert(table, row, `${name}[${index}]`)
      const photo = name === 'trackers' ? photoRows.find(({ hash }) => hash === row.photo) : undefined
      if (photo) await insert(photos, { ...photo, deviceId: row.id }, `${name}[${index}].photo`)
    }
  for (const { name, children = [] } of RESOURCES)
    for (const [index, row] of lists.get(name)!.entries())
      for (const [number, child] of children.entries())
        for (const [place, one] of childrenOf(row)[number]!.entries())
          await insert(child.table, { ...one, [child.parent]: keyOf(row) }, `${name}[${index}].${child.name}[${place}]`)
}

/** Returns the reason that the database gives, such as `UNIQUE constraint failed: users.email`. */
function describeConflict(error: unknown) {
  const { cause, message } = error as Error
  const text = cause instanceof Error ? cause.message : message
  const [, columns] = /^UNIQUE constraint failed: (.+)$/.exec(text) ?? []
  return columns ? `Another row has the same ${columns.replaceAll(/\w+\./g, '')}` : text
}
