import { type SQL, sql } from 'drizzle-orm'
import { columnsOf, type Table } from '#db/schema/columns.ts'

/** Statements of PostgreSQL that change many rows, which one parameter contains as a JSON list of objects. */

/** The rows of a placeholder as the table `given`, with these columns of a table. */
export function givenRows<T extends Table>(table: T, names: readonly (keyof T['$inferSelect'] & string)[], placeholder = 'rows'): SQL {
  const columns = columnsOf(table)
  const types = names.map((name) => `"${name}" ${columns[name]!.getSQLType().replace(/ COLLATE.*/, '')}`)
  return sql`json_to_recordset(${sql.placeholder(placeholder)}::json) as given(${sql.raw(types.join(', '))})`
}

/** A column of `givenRows`. */
export const given = (name: string) => sql.raw(`given."${name}"`)

/** The same columns as values of an update. */
export const givenValues = (names: readonly string[]): Record<string, SQL> => Object.fromEntries(names.map((name) => [name, given(name)]))

/** Whether a column has one of the numbers or texts of a placeholder, which gets an array. */
export const isAnyOf = (column: Table['_']['columns'][string], placeholder: string, type: 'bigint' | 'text' = 'bigint') =>
  sql`${column} = any(${sql.placeholder(placeholder)}::${sql.raw(type)}[])`
