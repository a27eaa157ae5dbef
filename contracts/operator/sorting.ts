import * as z from 'zod/mini'

/** A column of a list as a query names it: `date` for the lowest first, `-date` for the highest first. */
export type Sort<C extends string> = C | `-${C}`

/** The columns in both directions. */
export const listSorts = <const C extends string>(columns: readonly C[]): Sort<C>[] => [
  ...columns,
  ...columns.map((column): Sort<C> => `-${column}`),
]

/** The optional `sort` of a list. */
export const SortOf = <const C extends string>(columns: readonly C[]) => z.optional(z.enum(listSorts(columns) as [Sort<C>, ...Sort<C>[]]))
