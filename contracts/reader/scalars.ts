import * as z from 'zod/mini'
import { Id, MinorUnits, parseId } from '#contracts/lib/common.ts'

/** Epoch seconds and milliseconds are distinguished by size: 1e11 seconds are the year 5138, 1e11 milliseconds 1973. */
const MILLIS_FROM = 1e11
/** Smaller numbers are no times of this product: 1e8 seconds are March 1973. */
const SECONDS_FROM = 1e8

/**
 * An instant of the contract, `2026-03-01T12:00:00Z`, from a time with an offset, without a zone (taken as UTC), with a blank for the `T`,
 * from a date, or from epoch seconds or milliseconds as number or text. Undefined for anything else.
 */
export function toInstant(value: unknown): string | undefined {
  const millis = typeof value === 'string' ? (parseEpoch(value) ?? parseText(value)) : fromEpoch(value)
  return millis === undefined || Number.isNaN(millis) || Math.abs(millis) > 8.64e15 ? undefined : formatInstant(millis)
}

/** A date of the contract, `2026-03-01`, from a time that begins with it, or from epoch seconds or milliseconds. */
export function toDate(value: unknown): string | undefined {
  const given = typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)[T ]/.exec(value)?.[1] : undefined
  return given ?? (typeof value === 'number' || typeof value === 'string' ? toInstant(value)?.slice(0, 10) : undefined)
}

const formatInstant = (millis: number) => new Date(millis).toISOString().replace('.000Z', 'Z')

const fromEpoch = (value: unknown) => {
  if (typeof value !== 'number' || value < SECONDS_FROM) return undefined
  return Math.round(value < MILLIS_FROM ? value * 1000 : value)
}

const parseEpoch = (text: string) => (/^\d{9,13}(\.\d+)?$/.test(text) ? fromEpoch(Number(text)) : undefined)

function parseText(text: string) {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(text.trim())
  if (!parts) return undefined
  const [, date, time = '00:00', zone = 'Z'] = parts
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  return Date.parse(`${date}T${time}${offset}`)
}

/** How a field, or the body itself, differs from the contract. */
export type Habit =
  | 'number-as-text'
  | 'text-as-number'
  | 'fraction'
  | 'boolean-as-text'
  | 'other-instant'
  | 'other-case'
  | 'id-as-text'
  | 'unknown-value'
  | 'other-name'
  | 'other-place'
  | 'other-position'
  | 'number-for-range'
  | 'absent'
  | 'unreadable'
  | 'entry-left-out'
  | 'page-for-list'
  | 'list-for-page'
  | 'other-page'
  | 'wrapped'
  | 'body-not-expected'

type Def = { type: string; format?: string; [key: string]: unknown }
type Attempt = [Habit, (value: unknown) => unknown]

/** Conversions for a value that the schema rejects, in the order they are tried; each returns undefined when it does not apply. */
export function listAttempts(schema: z.ZodMiniType): Attempt[] {
  const { def } = (schema as unknown as { _zod: { def: Def } })._zod
  const valid = (value: unknown) => (z.safeParse(schema, value).success ? value : undefined)
  if (schema === Id) return [['id-as-text', readId]]
  switch (def.type) {
    case 'number':
      return [
        ['number-as-text', (value) => (typeof value === 'string' ? readNumber(value, valid, schema === MinorUnits) : undefined)],
        ['fraction', (value) => (typeof value === 'number' ? readNumber(value, valid, schema === MinorUnits) : undefined)],
      ]
    case 'boolean':
      return [['boolean-as-text', (value) => BOOLEANS.get(typeof value === 'string' ? value.toLowerCase() : value)]]
    case 'enum':
      return readListed(Object.values(def.entries as Record<string, string>))
    case 'literal':
      return readLiteral(def.values as unknown[])
    case 'string':
      return [
        ...readTime(def, valid),
        ['text-as-number', (value) => (typeof value === 'number' ? valid(String(value)) : undefined)],
        ['other-case', (value) => (typeof value === 'string' ? valid(value.trim().toLowerCase()) : undefined)],
        ...(def.format === 'uuid' ? [['id-as-text', readUuid] as Attempt] : []),
      ]
    default:
      return []
  }
}

/** An id that is no UUID still identifies the object. */
const readUuid = (value: unknown) => (typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined)

const readId = (value: unknown) => (typeof value !== 'string' || value === '' ? undefined : parseId(value))

/** A fraction of money means another unit, and a wrong price is worse than a missing one; other numbers are rounded. */
function readNumber(value: string | number, valid: (value: unknown) => unknown, isMoney: boolean) {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number)) return undefined
  return valid(number) ?? (isMoney ? undefined : valid(Math.round(number)))
}

const BOOLEANS = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ['0', false],
  ['1', true],
  ['false', false],
  ['true', true],
])

const readListed = (known: string[]): Attempt[] => [
  ['other-case', (value) => (typeof value === 'string' ? known.find((each) => each.toLowerCase() === value.toLowerCase()) : undefined)],
  ['unknown-value', (value) => (typeof value === 'string' && value !== '' ? value : undefined)],
]

const readLiteral = (values: unknown[]): Attempt[] => [
  ['other-case', (value) => values.find((each) => String(each).toLowerCase() === String(value).toLowerCase())],
  ['boolean-as-text', (value) => (typeof value === 'number' ? values.find((each) => each === BOOLEANS.get(value)) : undefined)],
  ['unknown-value', (value) => (typeof value === 'string' && values.every((each) => typeof each === 'string') ? value : undefined)],
]

const readTime = ({ format }: Def, valid: (value: unknown) => unknown): Attempt[] => {
  if (format === 'datetime') return [['other-instant', (value) => valid(toInstant(value))]]
  return format === 'date' ? [['other-instant', (value) => valid(toDate(value))]] : []
}
