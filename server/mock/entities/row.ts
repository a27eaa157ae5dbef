import { wire } from '#contracts/rules/instant.ts'
import { type Column, columnsOf, type Table } from '#db/columns.ts'
import { fromFixed7, toFixed7 } from '#db/positions.ts'
import { invalid } from '#server/lib/errors.ts'

export type Row = Record<string, unknown>

/** Never told, and not to be set. */
const SECRETS = ['passwordHash']
/** Stored times 1e7, told in degrees. */
const DEGREES = ['lat', 'lng']

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A row of the database in the words of its columns. */
export const tell = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).flatMap(([name, value]) => (SECRETS.includes(name) ? [] : [[snake(name), told(name, value)]])))

function told(name: string, value: unknown) {
  if (value instanceof Date) return wire(value)
  return DEGREES.includes(name) && typeof value === 'number' ? fromFixed7(value) : value
}

/** What was told, as the row keeps it. Throws what is no column, or of another type. */
export function heard(table: Table, data: Row): Row {
  const columns = new Map(Object.entries(columnsOf(table)).map(([name, column]) => [snake(name), { name, column }]))
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const known = columns.get(key)
      if (!known || SECRETS.includes(known.name)) throw invalid('data', `${key} is none of ${[...columns.keys()].join(', ')}`)
      return [known.name, kept(key, known.column, value)]
    }),
  )
}

function kept(key: string, column: Column, value: unknown) {
  if (value === null && !column.notNull) return null
  if (column.dataType === 'json') return value
  if (column.dataType === 'date') return instantOf(key, value)
  if (typeof value !== column.dataType) throw invalid('data', `${key} is a ${column.dataType}`)
  return DEGREES.includes(key) ? toFixed7(Number(value)) : value
}

function instantOf(key: string, value: unknown) {
  const at = new Date(typeof value === 'string' ? value : Number.NaN)
  if (Number.isNaN(at.getTime())) throw invalid('data', `${key} is an instant such as 2026-03-01T12:00:00Z`)
  return at
}
