import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
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
  /** Stands in place of the heading, also above cards. */
  headCell?: ReactNode
  /** Names the column in the order of the table, if it can be sorted by it. */
  sort?: string
}

/** How a table is sorted: by the name of a column, with `-` for the highest first. */
export type TableSorting = { sort: string; onSort: (sort: string) => void }

type Props<T> = {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  chosen?: unknown
  sorting?: TableSorting
  /** Whether it stands next to a sidebar. */
  isBeside?: boolean
}

/** More than `few` columns have space on one line from above `many` pixels on. */
const ALONE = { few: 6, many: 900 }
const BESIDE = { few: 4, many: 1023 }

/** `isBeside`: next to a sidebar, which leaves less space than the navigation of the portal. */
export function useIsCards(columns: number, isBeside = false) {
  const most = isBeside ? BESIDE : ALONE
  return useMedia(`(max-width: ${columns > most.few ? most.many : 768}px)`)
}

/** A table that becomes a list of cards on narrow screens, with many columns also on tablets. The first column is the row header. */
export function DataTable<T>({ label, columns, rows, keyOf, chosen, sorting, isBeside }: Props<T>) {
  const chosenRow = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (chosen !== undefined && chosenRow.current && !isInView(chosenRow.current)) chosenRow.current.scrollIntoView({ block: 'center' })
  }, [chosen])
  const isCards = useIsCards(columns.length, isBeside)
  const [first, ...others] = columns
  return (
    <table className={classes.table} aria-label={label} {...(isCards && { 'data-cards': true })}>
      <thead className={classes.heads}>
        <tr>
          {columns.map(({ head, headCell, isEnd, isUnlabelled, sort }) => (
            <th
              key={head}
              scope="col"
              className={classes.head}
              data-end={isEnd}
              data-filled={headCell !== undefined || undefined}
              aria-sort={findDirection(sort, sorting)}
            >
              {headCell ??
                (sort !== undefined && sorting && !isCards ? (
                  <SortButton head={head} sort={sort} sorting={sorting} />
                ) : isUnlabelled ? (
                  <VisuallyHidden>{head}</VisuallyHidden>
                ) : (
                  head
                ))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const isChosen = chosen !== undefined && keyOf(row) === chosen
          return (
            <tr key={keyOf(row)} data-key={keyOf(row)} className={classes.row} {...(isChosen && { ref: chosenRow, 'data-chosen': true })}>
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

/** The height of bars that may cover the edges of the window. */
const BARS = 100

/** Whether an element can be seen without scrolling. Where it can, the page does not move with the choice. */
function isInView(element: Element) {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= BARS && bottom <= window.innerHeight - BARS
}

/** Undefined for all columns but the one by which the table is sorted. */
function findDirection(sort: string | undefined, sorting: TableSorting | undefined) {
  if (sort === undefined || sorting?.sort.replace(/^-/, '') !== sort) return undefined
  return sorting.sort.startsWith('-') ? ('descending' as const) : ('ascending' as const)
}

function SortButton({ head, sort, sorting }: { head: string; sort: string; sorting: TableSorting }) {
  const direction = findDirection(sort, sorting)
  const Icon = direction === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <button type="button" className={classes.sort} onClick={() => sorting.onSort(direction === 'ascending' ? `-${sort}` : sort)}>
      {head}
      <Icon size={14} aria-hidden="true" data-idle={direction === undefined || undefined} />
    </button>
  )
}
