import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { listSorts, type Sort } from '#contracts/operator/sorting.ts'
import { useAddress } from '#web/lib/navigation/use-address.ts'
import type { Column } from '#web/ui/lists/data-table.tsx'

/**
 * The order of a list, which the address keeps. The list loads by `shown`, which follows `sort` when its rows have come, so that the heads of the
 * table stay where the focus is.
 */
export function useSorting<C extends string>(columns: readonly C[], standard: Sort<C>, name = 'sort') {
  const [address, change] = useAddress()
  const sort = pickListed(listSorts(columns), address.get(name) ?? '', standard)
  const onSort = (next: string) => change({ [name]: next === standard ? '' : next })
  return { sort, shown: useDeferredValue(sort), onSort }
}

/** A column of rows that the browser has all: `value` is what it sorts them by. */
export type ValuedColumn<T> = Column<T> & { value?: (row: T) => string | number | null }

/** Sorts rows by the columns that have a value, at first in the given order. Rows without a value come last. */
export function useSortedRows<T>(rows: readonly T[], columns: readonly ValuedColumn<T>[], name?: string) {
  const { i18n } = useTranslation()
  const sortable = columns.flatMap(({ sort, value }) => (sort !== undefined && value ? [{ sort, value }] : []))
  const given = ''
  const { sort, onSort } = useSorting([given, ...sortable.map((column) => column.sort)], given, name)
  const column = sortable.find((each) => each.sort === sort.replace(/^-/, ''))
  const sorted = column ? sortRows(rows, column.value, sort.startsWith('-'), i18n.language) : rows
  return { rows: sorted, sorting: { sort, onSort } }
}

function sortRows<T>(rows: readonly T[], read: (row: T) => string | number | null, isDescending: boolean, language: string) {
  const { compare } = new Intl.Collator(language, { numeric: true })
  const rank = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
  return rows.toSorted((one, other) => {
    const [a, b] = [read(one), read(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return isDescending ? rank(b, a) : rank(a, b)
  })
}
