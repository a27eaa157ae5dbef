import type { ComponentProps } from 'react'
import { DataTable } from '#web/ui/lists/data-table.tsx'
import { useSortedRows, type ValuedColumn } from './sorting.ts'

type Props<T> = Omit<ComponentProps<typeof DataTable<T>>, 'columns' | 'sorting'> & {
  columns: readonly ValuedColumn<T>[]
  /** The parameter of the address with the order; a screen with several tables has one for each. */
  sortName?: string
}

/** A table of rows that the browser has all, sorted there. */
export function SortedTable<T>({ rows, columns, sortName, ...table }: Props<T>) {
  const sorted = useSortedRows(rows, columns, sortName)
  return <DataTable {...table} {...sorted} isBeside columns={columns} />
}
