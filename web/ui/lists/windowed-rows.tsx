import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, type Ref, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { WindowedRowsProps } from './long-rows.tsx'

/** Number of rows above and below the visible part. */
const OVERSCAN = 8

/**
 * Rows near the visible part of the surrounding scroller, with gaps in place of the others. The row that had the focus last stays rendered
 * with its neighbours, so that scrolling does not lose the focus and Tab continues from there.
 */
export function WindowedRows<T extends { id: number }>({ items, as, rowHeight, chosen, focused: before, children }: WindowedRowsProps<T>) {
  const [focused, setFocused] = useState(() => before.current)
  const top = useRef<HTMLLIElement & HTMLTableRowElement>(null)
  const { scroller, margin } = useScroller(top)
  const find = (id: number | null | undefined) => (id === null || id === undefined ? -1 : items.findIndex((item) => item.id === id))
  const [focusedIndex, chosenIndex] = [find(focused), find(chosen)]
  const rangeExtractor = useCallback(
    (range: Range) => addIndexes(defaultRangeExtractor(range), range.count, focusedIndex, chosenIndex),
    [focusedIndex, chosenIndex],
  )
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
    overscan: OVERSCAN,
    scrollMargin: margin,
    rangeExtractor,
  })
  useRestoredFocus(top, before.current === null ? -1 : focusedIndex)
  const isTable = as === 'tr'
  const parts: ReactNode[] = [<Gap key="top" as={as} height={0} ref={top} />]
  let end = margin
  for (const { index, start, end: rowEnd } of rows.getVirtualItems()) {
    const item = items[index]
    if (!item) continue
    if (start > end) parts.push(<Gap key={`before ${index}`} as={as} height={start - end} />)
    end = rowEnd
    const place = isTable ? { 'aria-rowindex': index + 2 } : { 'aria-setsize': items.length, 'aria-posinset': index + 1 }
    const attributes = {
      ...place,
      'data-index': index,
      ref: rows.measureElement,
      onFocus: () => setFocused(item.id),
    }
    parts.push(<Fragment key={item.id}>{children(item, attributes)}</Fragment>)
  }
  const rest = margin + rows.getTotalSize() - end
  return [...parts, rest > 0 && <Gap key="bottom" as={as} height={rest} />]
}

/** Adds the chosen row, and the focused one with its neighbours, to the indexes of the rendered rows; -1 is none. */
export function addIndexes(visible: number[], count: number, focused: number, chosen: number) {
  const extra = focused < 0 ? [chosen] : [focused - 1, focused, focused + 1, chosen]
  const added = extra.filter((index) => index >= 0 && index < count)
  return [...new Set([...visible, ...added])].sort((a, b) => a - b)
}

type GapProps = { as: 'li' | 'tr'; height: number; ref?: Ref<HTMLLIElement & HTMLTableRowElement> }

const Gap = ({ as, height, ref }: GapProps) =>
  as === 'tr' ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row has no focus
    <tr ref={ref} aria-hidden="true" style={{ height }} />
  ) : (
    <li ref={ref} aria-hidden="true" style={{ height, listStyle: 'none' }} />
  )

/** Focuses the row of the given index once it is rendered, unless the focus is elsewhere by then; -1 for none. */
function useRestoredFocus(top: { current: HTMLElement | null }, index: number) {
  const isDone = useRef(false)
  useLayoutEffect(() => {
    const row = isDone.current ? null : top.current?.parentElement?.querySelector<HTMLElement>(`[data-index="${index}"] :is(a, button)`)
    if (!row) return
    isDone.current = true
    if (document.activeElement === document.body) row.focus({ preventScroll: true })
  })
}

/** The element that scrolls the rows, and how many pixels of its content are above them; measured again after each rendering. */
function useScroller(top: { current: HTMLElement | null }) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    if (!top.current) return
    const found = findScroller(top.current)
    const above = top.current.getBoundingClientRect().top - found.getBoundingClientRect().top + found.scrollTop
    setScroller(found)
    if (Math.abs(above - margin) >= 1) setMargin(above)
  })
  return useMemo(() => ({ scroller, margin }), [scroller, margin])
}

function findScroller(element: HTMLElement): HTMLElement {
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent
  return document.documentElement
}
