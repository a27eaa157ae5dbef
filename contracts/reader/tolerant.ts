import type * as z from 'zod/mini'
import { CurrencyCode } from '#contracts/lib/common.ts'
import { applyOwnNames, isRecord, listAliases, type OwnNames } from './names.ts'
import { gatherPrices, isOnOffer } from './prices.ts'
import { findReshape, isOfPrices } from './reshapes.ts'
import { type Habit, listAttempts } from './scalars.ts'
import { type Missing, missingValue } from './stand-ins.ts'

/**
 * Reads responses of backends whose format differs from the contract: `readTolerantly` walks the schema of a response and reads each field
 * as well as it can. The result has the shape of the contract, with two exceptions: a value that a closed list lacks is passed through, and
 * so is an id that is not a number.
 */

/** `path` is the same for all elements of a list: `[].tracker_status.battery`. */
export type Deviation = { path: string; habit: Habit }

/**
 * `omitted`: the number of list entries left out. For a list that came as a page, `next`: the URL of the next page, `count`: the total
 * number of entries.
 */
export type Reading =
  | { ok: true; value: unknown; deviations: Deviation[]; omitted: number; next?: string; count?: number }
  | { ok: false; deviations: Deviation[] }

export type Notes = { deviations: Set<Deviation>; omitted: number; next?: string | undefined; count?: number | undefined; names: OwnNames }
export type Read = (value: unknown, notes: Notes) => unknown
type Def = { type: string; [key: string]: unknown }
type Internals = { def: Def; run(payload: { value: unknown; issues: unknown[] }, context: object): { issues: unknown[] } }

/** Returned by a reader for an unreadable value. */
const UNREADABLE = Symbol('unreadable')

const internals = (schema: z.ZodMiniType) => (schema as unknown as { _zod: Internals })._zod
const isValid = (schema: z.ZodMiniType, value: unknown) => internals(schema).run({ value, issues: [] }, {}).issues.length === 0

const readers = new WeakMap<z.ZodMiniType, Read>()

/** Reads `body` by the schema of a response, with the backend's own names. A body that conforms to the contract has no deviations. */
export function readTolerantly(schema: z.ZodMiniType, body: unknown, names: OwnNames = {}): Reading {
  const read = readers.get(schema) ?? compile(schema, '')
  readers.set(schema, read)
  const notes: Notes = { deviations: new Set(), omitted: 0, names }
  const value = read(body, notes)
  const deviations = [...notes.deviations]
  if (value === UNREADABLE) return { ok: false, deviations: [...deviations, { path: '', habit: 'unreadable' }] }
  const { omitted, next, count } = notes
  return { ok: true, value, deviations, omitted, ...(next && { next }), ...(count !== undefined && { count }) }
}

/** Builds the reader of a schema once, so that reading a list neither walks schemas nor parses a field twice. */
function compile(schema: z.ZodMiniType, path: string): Read {
  const { def } = internals(schema)
  switch (def.type) {
    case 'object':
      return compileObject(def.shape as Record<string, z.ZodMiniType>, path)
    case 'array':
      return compileList(def.element as z.ZodMiniType, path)
    case 'nullable':
    case 'optional':
      return compileEmptyable(def, path)
    case 'union':
      return compileUnion(def.options as z.ZodMiniType[], path)
    case 'record':
      return compileRecord(def.valueType as z.ZodMiniType, path)
    case 'void':
      return compileNothing(path)
    default:
      return isCurrency(def, path) ? compileCurrency(schema, path) : compileScalar(schema, path)
  }
}

const isCurrency = ({ type }: Def, path: string) => type === 'string' && /(^|\.)currency$/.test(path)

/** The currency of an account may be any text, but is compared with those of prices. */
function compileCurrency(schema: z.ZodMiniType, path: string): Read {
  const readCode = compileScalar(CurrencyCode, path)
  const readText = compileScalar(schema, path)
  return (value, notes) => {
    const code = readCode(value, notes)
    return code === UNREADABLE ? readText(value, notes) : code
  }
}

function compileEmptyable(def: Def, path: string): Read {
  const read = compile(def.innerType as z.ZodMiniType, path)
  const nothing = def.type === 'nullable' ? null : undefined
  const unreadable: Deviation = { path, habit: 'unreadable' }
  return (value, notes) => {
    if (value === null || value === undefined) return nothing
    const result = read(value, notes)
    if (result !== UNREADABLE) return result
    // Django sends the empty text for many absent values.
    if (value !== '') notes.deviations.add(unreadable)
    return nothing
  }
}

function compileUnion(options: z.ZodMiniType[], path: string): Read {
  const reads = options.map((option) => compile(option, path))
  // Any text is a valid value of an open list, so upper and lower case are compared first.
  const listed = new Set(options.flatMap((option) => Object.values((internals(option).def.entries ?? {}) as Record<string, string>)))
  const otherCase: Deviation = { path, habit: 'other-case' }
  return (value, notes) => {
    if (typeof value === 'string' && listed.has(value.toLowerCase()) && !listed.has(value)) {
      notes.deviations.add(otherCase)
      return value.toLowerCase()
    }
    if (options.some((option) => isValid(option, value))) return value
    for (const read of reads) {
      const result = read(value, notes)
      if (result !== UNREADABLE) return result
    }
    return UNREADABLE
  }
}

function compileRecord(valueSchema: z.ZodMiniType, path: string): Read {
  const read = compile(valueSchema, `${path}.*`)
  return (value, notes) => {
    if (!isRecord(value)) return UNREADABLE
    const entries = Object.entries(value).map(([key, each]) => [key, read(each, notes)] as const)
    return Object.fromEntries(entries.filter(([, each]) => each !== UNREADABLE))
  }
}

/** A body where the contract has no body is ignored. */
function compileNothing(path: string): Read {
  const unexpected: Deviation = { path, habit: 'body-not-expected' }
  return (value, notes) => {
    if (value !== undefined) notes.deviations.add(unexpected)
    return undefined
  }
}

type Field = {
  key: string
  aliases: readonly string[]
  read: Read
  missing: Missing
  absent: Deviation
  unreadable: Deviation
  otherName: Deviation
}

function compileObject(shape: Record<string, z.ZodMiniType>, path: string): Read {
  const fields = Object.entries(shape).map(([key, schema]): Field => {
    const at = path ? `${path}.${key}` : key
    const read = compile(schema, at)
    return {
      key,
      aliases: listAliases(key, path),
      read,
      missing: missingValue(key, path, schema),
      absent: { path: at, habit: 'absent' },
      unreadable: { path: at, habit: 'unreadable' },
      otherName: { path: at, habit: 'other-name' },
    }
  })
  const readFields = (value: Record<string, unknown>, notes: Notes) => {
    const result: Record<string, unknown> = {}
    for (const { key, aliases, read, missing, absent, unreadable, otherName } of fields) {
      const alias = key in value ? undefined : aliases.find((each) => value[each] !== undefined)
      const given = value[alias ?? key]
      if (alias) notes.deviations.add(otherName)
      const isAbsent = given === undefined || given === null
      if (isAbsent && missing.isAllowed(given)) {
        if (key in value) result[key] = given
        continue
      }
      const taken = isAbsent ? UNREADABLE : read(given, notes)
      if (taken !== UNREADABLE) {
        if (taken !== undefined) result[key] = taken
        continue
      }
      notes.deviations.add(isAbsent ? absent : unreadable)
      if (missing.isEssential) return UNREADABLE
      const filled = missing.isObject ? read({}, notes) : missing.value
      if (filled === UNREADABLE) return UNREADABLE
      if (filled !== undefined) result[key] = filled
    }
    return result
  }
  const toShape = 'results' in shape ? unwrapPage(path) : unwrapObject(shape, path)
  const reshape = findReshape(shape, path)
  const isThing = ['', '[]', 'results[]'].includes(path) && !('results' in shape)
  return (value, notes) => {
    const given = toShape(value, notes)
    const shaped = reshape(isThing ? applyOwnNames(given, notes.names) : given, notes)
    return isRecord(shaped) ? readFields(shaped, notes) : UNREADABLE
  }
}

const ENVELOPES = ['data', 'result', 'object', 'item']
const PAGE_FIELDS = ['results', 'items', 'data', 'content', 'records', 'objects']

/** Unwraps an object from an envelope such as `{ data: {…} }`. */
function unwrapObject(shape: object, path: string) {
  const wrapped: Deviation = { path, habit: 'wrapped' }
  return (value: unknown, notes: Notes) => {
    // Envelopes exist only around whole bodies.
    if (path !== '' || !isRecord(value) || Object.keys(shape).some((key) => key in value)) return value
    const inner = ENVELOPES.map((name) => value[name]).find(isRecord)
    if (!inner) return value
    notes.deviations.add(wrapped)
    return inner
  }
}

/** Converts a plain list, or a page with other names, into a page of the contract. */
function unwrapPage(path: string) {
  const list: Deviation = { path, habit: 'list-for-page' }
  const other: Deviation = { path, habit: 'other-page' }
  return (value: unknown, notes: Notes) => {
    if (Array.isArray(value)) {
      notes.deviations.add(list)
      return { count: value.length, next: null, previous: null, results: value }
    }
    if (!isRecord(value) || Array.isArray(value.results)) return value
    const page = findPage(value)
    if (!page) return value
    notes.deviations.add(other)
    return { count: page.count ?? page.entries.length, next: page.next ?? null, previous: null, results: page.entries }
  }
}

/** The entries of a page under any field name; undefined when it contains no list. */
function findPage(value: Record<string, unknown>): { entries: unknown[]; next?: unknown; count?: unknown } | undefined {
  const name = PAGE_FIELDS.find((field) => Array.isArray(value[field]))
  if (!name) return isRecord(value.data) ? findPage(value.data) : undefined
  const { links, meta } = value
  const next = value.next ?? value.next_page_url ?? (isRecord(links) ? links.next : undefined)
  const count = value.count ?? value.total ?? (isRecord(meta) ? (meta.total ?? meta.count) : undefined)
  return { entries: value[name] as unknown[], next, count }
}

function compileList(element: z.ZodMiniType, path: string): Read {
  const read = compile(element, `${path}[]`)
  const isPrices = isOfPrices(element)
  const leftOut: Deviation = { path: `${path}[]`, habit: 'entry-left-out' }
  const pageForList: Deviation = { path, habit: 'page-for-list' }
  return (value, notes) => {
    const page = isRecord(value) ? (findPage(value) ?? (isPrices ? gatherPrices(value) : undefined)) : undefined
    // A backend may send a single entry without its list.
    const only = path === '' && !page && isRecord(value) ? [isRecord(value.data) ? value.data : value] : undefined
    const entries = page?.entries ?? only ?? value
    if (!Array.isArray(entries)) return UNREADABLE
    const listed = isPrices ? entries.filter(isOnOffer) : entries
    if (page || only) notes.deviations.add(pageForList)
    if (path === '' && typeof page?.next === 'string') notes.next = page.next
    if (path === '' && typeof page?.count === 'number') notes.count = page.count
    const taken: unknown[] = []
    for (const entry of listed) {
      const result = read(entry, notes)
      if (result !== UNREADABLE) taken.push(result)
      else {
        notes.deviations.add(leftOut)
        notes.omitted++
      }
    }
    return only && taken.length === 0 ? UNREADABLE : taken
  }
}

function compileScalar(schema: z.ZodMiniType, path: string): Read {
  const attempts = listAttempts(schema).map(([habit, attempt]) => ({ deviation: { path, habit } as Deviation, attempt }))
  const { run } = internals(schema)
  return (value, notes) => {
    if (run({ value, issues: [] }, {}).issues.length === 0) return value
    for (const { deviation, attempt } of attempts) {
      const result = attempt(value)
      if (result === undefined) continue
      notes.deviations.add(deviation)
      return result
    }
    return UNREADABLE
  }
}
