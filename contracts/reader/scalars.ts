import * as z from 'zod/mini'
import { Id, MinorUnits, parseId } from '#contracts/lib/common.ts'
import { toDate, toInstant } from './instants.ts'

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

/** Ways to take a value that the schema refuses, in the order they are tried; each returns undefined when it does not fit. */
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
      ]
    default:
      return []
  }
}

const readId = (value: unknown) => (typeof value !== 'string' || value === '' ? undefined : parseId(value))

/** A fraction of money means another unit, and a price that is wrong is worse than none; anything else is rounded. */
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
