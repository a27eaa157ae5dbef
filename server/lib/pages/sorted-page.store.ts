import { asc, type Column, desc, type SQL, sql } from 'drizzle-orm'
import type { Sort } from '#contracts/operator/sorting.ts'
import { invalidField } from '#server/lib/errors.ts'
import type { PageEnd } from './page-end.ts'

/** A column by which a list can be sorted. `isUnique`: no two rows have the same value, so that the key of a row adds nothing. */
export type SortColumn = { value: Column | SQL; isNumber?: true; isUnique?: true }

type Sorting<C extends string> = {
  columns: Record<C, SortColumn>
  /** The column that tells rows with equal values apart. */
  key: Column
  isNumberKey?: true
  sort: Sort<C>
  after: PageEnd | undefined
}

/**
 * Order and beginning of a page. A comparison of rows is one range of an index, in which both engines begin at the end of the page before.
 * Throws a field error if `after` belongs to another order.
 */
export function sortPage<C extends string>({ columns, key, isNumberKey, sort, after }: Sorting<C>) {
  const isDescending = sort.startsWith('-')
  const { value, isNumber, isUnique } = columns[sort.replace(/^-/, '') as C]
  const order = isDescending ? desc : asc
  const sign = sql.raw(isDescending ? '<' : '>')
  const read = (text: string, isNumeric: boolean | undefined) => {
    if (isNumeric && !/^-?\d{1,15}$/.test(text)) throw invalidField('after', 'No page of this order ends there.')
    return isNumeric ? Number(text) : text
  }
  const end = after && { value: read(after.value, isNumber), key: read(after.key, isNumberKey) }
  if (isUnique) return { orderBy: [order(value)], begin: end && sql`${value} ${sign} ${end.value}` }
  return { orderBy: [order(value), order(key)], begin: end && sql`(${value}, ${key}) ${sign} (${end.value}, ${end.key})` }
}
