import { Fragment, type HTMLAttributes, lazy, type ReactNode, type Ref, Suspense } from 'react'

/** Up to this many rows all are drawn; of more only those near the visible part. */
const MAX_DRAWN = 100

export const isLong = (items: readonly unknown[]) => items.length > MAX_DRAWN

/** Position and measuring of a row, for its `li` or `tr`; empty while all rows are drawn. */
export type RowAttributes = Pick<HTMLAttributes<HTMLElement>, 'aria-setsize' | 'aria-posinset' | 'aria-rowindex' | 'onFocus'> & {
  'data-index'?: number
  ref?: Ref<HTMLLIElement & HTMLTableRowElement>
}

export type LongRowsProps<T extends { id: number }> = {
  items: readonly T[]
  /** `li` in a list, `tr` in the body of a table. */
  as: 'li' | 'tr'
  /** Pixels, until a row has been drawn and measured. */
  rowHeight: number
  /** Its row stays drawn, so that it can scroll itself into view. */
  chosen?: number | undefined
  children: (item: T, attributes: RowAttributes) => ReactNode
}

const WindowedRows = lazy(async () => ({ default: (await import('./windowed-rows.tsx')).WindowedRows }))

const NONE: RowAttributes = {}

/** The rows of a list or table. A long one starts with its first rows until the code that draws parts of it is loaded. */
export function LongRows<T extends { id: number }>(props: LongRowsProps<T>) {
  const { items, children } = props
  const draw = (item: T) => <Fragment key={item.id}>{children(item, NONE)}</Fragment>
  if (!isLong(items)) return items.map(draw)
  return (
    <Suspense fallback={items.slice(0, MAX_DRAWN / 4).map(draw)}>
      <WindowedRows {...(props as unknown as LongRowsProps<{ id: number }>)} />
    </Suspense>
  )
}
