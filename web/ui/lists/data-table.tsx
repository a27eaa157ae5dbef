import { type ReactNode, useEffect, useRef } from 'react'
import { useMedia } from '#web/lib/use-media.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import classes from './data-table.module.css'

export type Column<T> = {
  head: string
  cell: (row: T) => ReactNode
  /** Aligns the column to the end, for numbers. */
  isEnd?: boolean
  /** Hides the heading visually, for action columns. */
  isUnlabelled?: boolean
}

type Props<T> = { label: string; columns: readonly Column<T>[]; rows: readonly T[]; keyOf: (row: T) => string | number; chosen?: unknown }

/** Next to the navigation, a tablet has space for this many columns on one line. */
const FEW_COLUMNS = 6

/** A table that becomes a list of cards on narrow screens, with many columns also on tablets. The first column is the row header. */
export function DataTable<T>({ label, columns, rows, keyOf, chosen }: Props<T>) {
  const chosenRow = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (chosen !== undefined) chosenRow.current?.scrollIntoView({ block: 'center' })
  }, [chosen])
  const isCards = useMedia(`(max-width: ${columns.length > FEW_COLUMNS ? 900 : 768}px)`)
  const [first, ...others] = columns
  return (
    <table className={classes.table} aria-label={label} {...(isCards && { 'data-cards': true })}>
      <thead className={classes.heads}>
        <tr>
          {columns.map(({ head, isEnd, isUnlabelled }) => (
            <th key={head} scope="col" className={classes.head} data-end={isEnd}>
              {isUnlabelled ? <VisuallyHidden>{head}</VisuallyHidden> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const isChosen = chosen !== undefined && keyOf(row) === chosen
          return (
            <tr key={keyOf(row)} className={classes.row} {...(isChosen && { ref: chosenRow, 'data-chosen': true })}>
              <th scope="row" className={classes.name}>
                {first?.cell(row)}
              </th>
              {others.map(({ head, cell, isEnd, isUnlabelled }) => (
                <td key={head} className={classes.cell} data-end={isEnd} data-head={isUnlabelled ? undefined : head}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
