import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { fromFixed7, toFixed7 } from '#db/positions.ts'
import { type Column, columnsOf, type Table } from '#db/schema/columns.ts'
import { type Row, readInstant } from '#server/mock/entities/entity-row.ts'
import { type Child, type Completion, REFERENCES, type Resource } from './resources.ts'

/** A column of a list as the document names it. */
export type Field = { field: string; column: string; of: Column }

const NAMES: Record<string, string> = { device_id: 'tracker' }
const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function nameField(column: string) {
  const name = toSnakeCase(column)
  const target = name.replace(/_id$/, '')
  return NAMES[name] ?? (name.endsWith('_id') && target in REFERENCES ? target : name)
}

/** The fields of a list, or of the rows within a row of one. */
export const fieldsOf = ({ table, hidden = [], parent }: { table: Table; hidden?: readonly string[]; parent?: string }): Field[] =>
  Object.entries(columnsOf(table)).flatMap(([column, of]) =>
    hidden.includes(column) || column === parent || column === 'passwordHash' ? [] : [{ field: nameField(column), column, of }],
  )

/** Other names of the tables that rows refer to. */
export const keyOf = ({ id, uuid }: Row) => id ?? uuid

/** Formats a time, without milliseconds if they are zero. */
export const formatTime = (at: Date) => at.toISOString().replace('.000Z', 'Z')

const isDegrees = (column: string) => column === 'lat' || column === 'lng'

const presentValue = (column: string, value: unknown) => {
  if (value instanceof Date) return formatTime(value)
  return isDegrees(column) && typeof value === 'number' ? fromFixed7(value) : value
}

/** A row without the columns that have their default value. */
export function presentRow(
  row: Row,
  { table, hidden, defaults = {} }: Pick<Resource, 'table' | 'hidden' | 'defaults'>,
  completion: Completion,
  parent?: string,
): Row {
  const isUsual = ({ column, of }: Field) => {
    const usual = column in defaults ? defaults[column]!(row, completion) : usualValue(of)
    return JSON.stringify(usual) === JSON.stringify(row[column])
  }
  const shown = fieldsOf({ table, ...(hidden && { hidden }), ...(parent && { parent }) }).filter((field) => !isUsual(field))
  return Object.fromEntries(shown.map(({ field, column }) => [field, presentValue(column, row[column])]))
}

const usualValue = ({ hasDefault, default: usual }: Column) => (hasDefault ? usual : null)

/** A nested row: just a number if it has nothing but a reference. */
export function presentChild(row: Row, { table, parent }: Child, completion: Completion): unknown {
  const shown = presentRow(row, { table }, completion, parent)
  const values = Object.values(shown)
  return values.length === 1 ? values[0] : shown
}

export const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reports the problem at a path of the document. */
export type Issue = (path: string, message: string) => void

const BY_TYPE: Record<string, z.ZodMiniType> = { number: z.int(), string: z.string(), boolean: z.boolean() }

/** Parses the fields of a row; reports errors by their path, and omits those columns. */
export function parseRow(fields: readonly Field[], data: Row, path: string, { values = {} }: Pick<Resource, 'values'>, report: Issue): Row {
  const row: Row = {}
  for (const [name, value] of Object.entries(data)) {
    const known = fields.find(({ field }) => field === name)
    if (!known) report(`${path}.${name}`, `No field of that name; there are ${fields.map(({ field }) => field).join(', ')}`)
    else row[known.column] = parseValue(known, value, values[known.column], (message) => report(`${path}.${name}`, message))
  }
  return row
}

function parseValue({ column, of }: Field, value: unknown, values: z.ZodMiniType | undefined, report: (message: string) => void) {
  if (value === null && !of.notNull) return null
  if (of.dataType === 'date') return parseTime(value, report)
  const schema = values ?? (column === 'lat' ? Latitude : column === 'lng' ? Longitude : BY_TYPE[of.dataType]) ?? z.unknown()
  const { error, data } = schema.safeParse(value)
  if (error) for (const { path, message } of error.issues) report([...path, message].join(': '))
  if (isDegrees(column)) return toFixed7(Number(value))
  return error ? value : data
}

/** An instant; an invalid one is reported and replaced by the current time. */
export function parseTime(value: unknown, report: (message: string) => void): Date {
  const at = readInstant(value)
  if (at) return at
  report('Must be an instant such as 2026-03-02T09:00:00Z')
  return new Date(0)
}
