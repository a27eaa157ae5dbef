import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { isRow, type Row } from '#scripts/contracts/client/backend.ts'
import { type Finding, fail, tolerate } from '#scripts/contracts/client/findings.ts'
import type { Run, TrackerNames } from '#scripts/contracts/client/run.ts'
import { Unreachable } from '#scripts/contracts/client/send.ts'
import { Device, findField, listAliases, type OwnNames, readTolerantly, SUB_STATES } from '#scripts/contracts/port.ts'

/**
 * A field of a tracker: what its name may contain, and whether a screen depends on it. One without a description is no loss that a user
 * would notice.
 */
type Watched = { path: string; word?: string; hint?: RegExp; isEssential?: true; fits?: (value: unknown) => boolean }

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const isSubState = (value: unknown) => isText(value) && SUB_STATES.some((state) => state === String(value).toLowerCase())

const WATCHED: Watched[] = [
  { path: 'id', word: 'id', hint: /(^|_)(id|uuid|guid|pk|key|ref)$/, isEssential: true },
  { path: 'name', word: 'name', hint: /name|title|label|alias|nick/, isEssential: true, fits: isText },
  {
    path: 'tracker_status.last_position',
    word: 'position',
    hint: /pos|loc|coord|gps|geo|point|fix|place|where|lat_?lng/,
    isEssential: true,
  },
  {
    path: 'tracker_status.sub_state',
    word: 'state of the subscription',
    hint: /sub|state|status|plan|contract|licen/,
    isEssential: true,
    fits: isSubState,
  },
  { path: 'tracker_status.battery', word: 'battery', hint: /bat|charge|power|volt/ },
  { path: 'tracker_status.last_address', word: 'address', hint: /addr|street/, fits: isText },
  { path: 'tracker_status.last_event', word: 'last event', hint: /event|activity/ },
  { path: 'tracker_status.stationary_since', word: 'time of the last stop', hint: /stationary|stopp?ed|parked|halt/ },
  { path: 'tracker_status.sub_end_date', word: 'end of the subscription', hint: /(sub|contract|plan|licen).*(end|until)|expir|valid/ },
  { path: 'serial', word: 'S/N', hint: /serial|(^|_)s_?n$/, fits: isText },
  { path: 'kind', word: 'kind', hint: /kind|category|species/, fits: isText },
  ...['type', 'operator', 'online_since', 'tracker_config.board_name', 'tracker_config.usage', 'tracker_config.mode'].map((path) => ({
    path,
  })),
]

const Rows = z.array(z.record(z.string(), z.unknown()))
const Devices = z.array(Device)
/** The number of trackers that suffices to determine the names of a backend's fields. */
const SAMPLE = 12

/** Determines names from the list of trackers, and uses them for the rest of the run. */
export async function findNames({ backend }: Pick<Run, 'backend'>, given: OwnNames, isWritten: boolean): Promise<TrackerNames> {
  try {
    const found = findTrackerNames(listRaw((await backend.read('devices.list')).body), given, isWritten)
    backend.names = found.names
    return found
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { names: given, lost: [], findings: [] }
  }
}

/** The unparsed trackers of a response, taken out of any envelope. */
export function listRaw(body: unknown): Row[] {
  const reading = readTolerantly(Rows, body)
  return reading.ok ? (reading.value as Row[]) : []
}

/**
 * Finds fields that are missing in every tracker, and their replacements: of the fields that the portal does not read, the only one that
 * fits by name and value. `isWritten` says whether a configuration with these names is written.
 */
function findTrackerNames(all: readonly Row[], given: OwnNames, isWritten: boolean): TrackerNames {
  let entries = all.slice(0, SAMPLE)
  const result: TrackerNames = { names: given, lost: [], findings: [] }
  if (entries.length === 0) return result
  let unread: string[] | undefined
  for (const field of WATCHED) {
    // The portal skips an entry without an id.
    if (field.path === 'name' && result.lost.includes('id') && result.names.id === undefined)
      entries = entries.map((entry, index) => ({ ...entry, id: index + 1 }))
    if (!entries.every((entry) => isMissing(entry, field.path, result.names))) continue
    unread ??= listUnread(entries, result.names)
    const fitting = listOutermost(unread.filter((path) => isFitting(entries, field, path, result.names)))
    const named = findNamed(field, fitting)
    const pair = field.path.endsWith('.last_position') && fitting.length === 0 ? findCoordinates(unread) : undefined
    const own = named.length === 1 ? { [field.path]: named[0]! } : pair
    if (own === undefined && field.word === undefined) continue
    result.names = { ...result.names, ...own }
    if (field.word !== undefined && (own === undefined || !isWritten)) result.lost.push(field.word)
    result.findings.push(describe(field, own, fitting, unread, isWritten))
    // The id of a tracker is read before everything else.
    unread = field.path === 'id' ? undefined : unread.filter((path) => !Object.values(own ?? {}).some((found) => isWithin(path, found)))
  }
  return result
}

/** Whether two paths are equal or one is inside the other. */
const isWithin = (one: string, other: string) => `${one}.`.startsWith(`${other}.`) || other.startsWith(`${one}.`)

/** A position with coordinates inside is itself a match for the position. */
const listOutermost = (paths: readonly string[]) => paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)))

/** The names of two coordinates of an object that the portal does not read, if there is only one such pair. */
function findCoordinates(unread: readonly string[]): OwnNames | undefined {
  const lats = unread.filter((path) => /(^|\.)lat/i.test(path))
  const lngs = unread.filter((path) => /(^|\.)(lng|lon)/i.test(path))
  return lats.length === 1 && lngs.length === 1
    ? { 'tracker_status.last_position.lat': lats[0]!, 'tracker_status.last_position.lng': lngs[0]! }
    : undefined
}

type Own = OwnNames | undefined

function describe({ path, isEssential }: Watched, own: Own, fitting: string[], unread: string[], isWritten: boolean): Finding {
  const at = `*.${path}`
  const write = (names: OwnNames) => `"names": ${JSON.stringify(names)}`
  const quote = (paths: readonly string[]) => paths.map((each) => `\`${each}\``).join(', ')
  if (own !== undefined) {
    const message = `${quote(Object.values(own))} of the tracker stands for it`
    if (isWritten) return tolerate('own-name', at, { message })
    if (!isEssential) return tolerate('own-name', at, { message, effect: `not shown without ${write(own)} in /config.json` })
    return fail(at, `found in no tracker; ${message}: --write-config writes ${write(own)}`)
  }
  const perhaps =
    fitting.length > 0
      ? `perhaps ${quote(fitting.slice(0, HINTS))} of the tracker: ${write({ [path]: fitting[0]! })} in /config.json`
      : unread.length > 0
        ? `perhaps one of the fields that the portal does not read: ${quote(unread.slice(0, HINTS))}`
        : 'no field is left that the portal does not read'
  const message = `found in no tracker; ${perhaps}`
  return isEssential ? fail(at, message) : tolerate('absent', at, { message })
}

const HINTS = 8

/** Null at a known name is an unknown value, not a missing field. */
function isMissing(entry: Row, path: string, names: OwnNames): boolean {
  const key = path.split('.').at(-1)!
  const sections = [entry, ...['tracker_status', 'tracker_config'].map((name) => findField(entry, name))].filter(isRow)
  const known = [key, ...listAliases(key, '.'), ...(key === 'last_position' ? ['lat', 'latitude'] : [])]
  const isEmpty = sections.some((fields) => known.some((name) => fields[name] === null || fields[name] === ''))
  if (isEmpty || (names[path] !== undefined && findAt(entry, names[path]) === null)) return false
  const { deviations } = readTolerantly(Devices, [entry], names)
  return deviations.some((one) => one.path === `[].${path}` && (one.habit === 'absent' || one.habit === 'unreadable'))
}

/** Paths of values that can be removed without changing what the portal reads; an object stands for everything in it. */
function listUnread(entries: readonly Row[], names: OwnNames): string[] {
  const paths = [...new Set(entries.flatMap((entry) => listPaths(entry)))]
  const before = readTolerantly(Devices, entries, names)
  const readWithout = (path: string) =>
    readTolerantly(
      Devices,
      entries.map((entry) => without(entry, path.split('.'))),
      names,
    )
  return paths.filter((path) => isDeepStrictEqual(readWithout(path), before))
}

const DEPTH = 3

function listPaths(fields: Row, above = '', depth = 1): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === '' || name.includes('.')) return []
    const inner = isRow(value) && !Array.isArray(value) && depth < DEPTH ? listPaths(value, `${above}${name}.`, depth + 1) : []
    return [`${above}${name}`, ...inner]
  })
}

const findAt = (entry: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isRow(at) ? at[name] : undefined), entry)

function without(fields: Row, [name = '', ...rest]: string[]): Row {
  const { [name]: inner, ...others } = fields
  return rest.length > 0 && isRow(inner) ? { ...others, [name]: without(inner, rest) } : others
}

/** Whether the portal could read the value at a path as the field, in every tracker that has one. */
function isFitting(entries: readonly Row[], { path, fits }: Watched, own: string, names: OwnNames): boolean {
  const having = entries.filter((entry) => ![undefined, null, ''].includes(findAt(entry, own) as null))
  if (path === 'id' && new Set(having.map((entry) => findAt(entry, own))).size < entries.length) return false
  return having.every((entry) => (!fits || fits(findAt(entry, own))) && !isMissing(entry, path, { ...names, [path]: own }))
}

const lastName = (path: string) =>
  path
    .split('.')
    .at(-1)!
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()

/**
 * Finds fields with a name like the expected one. A name that the portal knows, at a place where it does not look, is a better match than a
 * similar name.
 */
function findNamed({ path, hint }: Watched, fitting: string[]): string[] {
  const key = path.split('.').at(-1)!
  const known = fitting.filter((own) => [key, ...listAliases(key, '.')].includes(lastName(own)))
  return known.length > 0 ? known : fitting.filter((own) => hint?.test(lastName(own)))
}
