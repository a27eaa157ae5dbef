import { Fragment, type HTMLAttributes, lazy, type ReactNode, type Ref, Suspense, useRef } from 'react'

/** Up to this many rows are all drawn; of more only those near the visible part. */
const MAX_DRAWN = 100

export const isLong = (items: readonly unknown[]) => items.length > MAX_DRAWN

/** Position and measuring of a row, for its `li` or `tr`; empty while all rows are drawn. */
export type RowAttributes = Pick<HTMLAttributes<HTMLElement>, 'aria-setsize' | 'aria-posinset' | 'aria-rowindex' | 'onFocus' | 'onBlur'> & {
  'data-index'?: number
  ref?: Ref<HTMLLIElement & HTMLTableRowElement>
}

export type LongRowsProps<T extends { id: number }> = {
  items: readonly T[]
  /** `li` in a list, `tr` in the body of a table. */
  as: 'li' | 'tr'
  /** Pixels, until a row has been drawn and measured. */
  rowHeight: number
  /** The index of a row that stays drawn, so that it can scroll itself into view. */
  chosen?: number | undefined
  children: (item: T, attributes: RowAttributes) => ReactNode
}

/** `focused` is the item of the row that has the focus while the code is loaded; null for none. */
export type WindowedRowsProps<T extends { id: number }> = LongRowsProps<T> & { focused: { readonly current: number | null } }

const WindowedRows = lazy(async () => ({ default: (await import('./windowed-rows.tsx')).WindowedRows }))

const NONE: RowAttributes = {}

/** The rows of a list or table. A long one starts with its first rows until the code for virtualization is loaded. */
export function LongRows<T extends { id: number }>(props: LongRowsProps<T>) {
  const { items, children } = props
  const focused = useRef<number | null>(null)
  const draw = (item: T, attributes: RowAttributes) => <Fragment key={item.id}>{children(item, attributes)}</Fragment>
  if (!isLong(items)) return items.map((item) => draw(item, NONE))
  const followFocus = (item: T) =>
    draw(item, {
      onFocus: () => {
        focused.current = item.id
      },
      onBlur: () => {
        focused.current = null
      },
    })
  return (
    <Suspense fallback={items.slice(0, MAX_DRAWN / 4).map(followFocus)}>
      <WindowedRows {...(props as unknown as LongRowsProps<{ id: number }>)} focused={focused} />
    </Suspense>
  )
}
