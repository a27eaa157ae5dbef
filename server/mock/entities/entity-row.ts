import * as z from 'zod/mini'
import { Instant } from '#contracts/lib/common.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { fromFixed7, toFixed7 } from '#db/positions.ts'
import { type Column, columnsOf, type Table } from '#db/schema/columns.ts'
import { invalidField } from '#server/lib/errors.ts'

export type Row = Record<string, unknown>
/** A table, with schemas for columns whose own types are too wide: lists, ranges and formats of the contract. */
export type TableShape = { table: Table; values: Record<string, z.ZodMiniType> }

const SECRETS = ['passwordHash']
/** Stored times 1e7, presented in degrees. */
const DEGREES = ['lat', 'lng']

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const presentRow = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (SECRETS.includes(name) ? [] : [[toSnakeCase(name), presentValue(name, value)]])),
  )

function presentValue(name: string, value: unknown) {
  if (value instanceof Date) return formatInstant(value)
  return DEGREES.includes(name) && typeof value === 'number' ? fromFixed7(value) : value
}

/** Parses presented columns into those of a row. Rejects unknown columns and values that the API could never return. */
export function parseRow({ table, values }: TableShape, data: Row): Row {
  const settable = Object.entries(columnsOf(table)).filter(([name]) => !SECRETS.includes(name))
  const columns = new Map(settable.map(([name, column]) => [toSnakeCase(name), { name, column }]))
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const known = columns.get(key)
      if (!known) throw invalidField(`data.${key}`, `No column of that name may be set, but ${[...columns.keys()].join(', ')}`)
      return [known.name, parseValue(`data.${key}`, known.column, value, values[known.name])]
    }),
  )
}

function parseValue(field: string, column: Column, value: unknown, values: z.ZodMiniType = columnSchema(column)) {
  if (value === null && !column.notNull) return null
  if (column.dataType === 'date') return parseInstant(field, value)
  const { error, data } = values.safeParse(value)
  if (error) throw invalidField(field, ...error.issues.map(({ message }) => message))
  return DEGREES.includes(column.name) ? toFixed7(Number(value)) : data
}

const SCHEMAS_BY_TYPE: Record<string, z.ZodMiniType> = { number: z.int(), string: z.string(), boolean: z.boolean() }

const columnSchema = ({ dataType }: Column) => SCHEMAS_BY_TYPE[dataType] ?? z.unknown()

function parseInstant(field: string, value: unknown) {
  const at = readInstant(value)
  if (!at) throw invalidField(field, 'An instant such as 2026-03-01T12:00:00Z')
  return at
}

/** A time without its zone would mean another instant on each machine. */
const ZONED = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:?\d\d))?$/

/** Returns undefined for an invalid instant. */
export function readInstant(value: unknown): Date | undefined {
  const at = new Date(typeof value === 'string' && ZONED.test(value) ? value : Number.NaN)
  return Number.isNaN(at.getTime()) || !Instant.safeParse(at.toISOString()).success ? undefined : at
}

export type RowContext = {
  /** Counts up over all rows created in the world. */
  number: number
  accountId: number
  deviceId: number | null
  placeId: number | null
  passwordHash: string | null
  uuid(): string
  at(days: number): Date
  /** A house of the city, a different one each time. */
  spot: LatLng & { label: string }
}

export type EntityKind = TableShape & {
  key: Column
  make(maker: RowContext): Row
  traits: Record<string, (maker: Pick<RowContext, 'at'>, row: Row) => Row>
  derive?(row: Row): Row
}
