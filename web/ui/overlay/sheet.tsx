import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './sheet.module.css'
import { nearestStop, useSheetDrag } from './use-sheet-drag.ts'

type Props = {
  label: string
  children: ReactNode
  /** Id of the shown item, whose content starts at the top; undefined shows the list at its previous scroll position. */
  of?: number | undefined
  /** Resting heights as fractions of the container, ascending. */
  stops?: readonly number[]
  /** Index of the current stop; if undefined, the sheet is uncontrolled. */
  stop?: number
  onStop?: (stop: number) => void
}

const STOPS = [0.3, 0.55, 0.92]

/** A bottom sheet over a map, moved by dragging its handle or by arrow keys, Enter and Space. */
export function Sheet({ label, children, of, stops = STOPS, stop, onStop }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const body = useRef<HTMLDivElement>(null)
  const listTop = useRef(0)
  useLayoutEffect(() => {
    if (body.current) body.current.scrollTop = of === undefined ? listTop.current : 0
  }, [of])
  const [own, setOwn] = useState(0)
  const at = Math.min(stop ?? own, stops.length - 1)
  const moveTo = (next: number) => {
    const clamped = Math.max(0, Math.min(stops.length - 1, next))
    setOwn(clamped)
    onStop?.(clamped)
  }
  const { share, handle, isDragging, wasDragged } = useSheetDrag(stops[at] ?? 0.5, (released) => moveTo(nearestStop(stops, released)))
  const isTop = at === stops.length - 1
  return (
    <section
      aria-label={label}
      className={classes.sheet}
      style={{ height: `${Math.round(share * 1000) / 10}%` }}
      data-dragging={isDragging || undefined}
    >
      <button
        type="button"
        className={classes.handle}
        aria-label={isTop ? t('sheet.collapse') : t('sheet.expand')}
        aria-expanded={at > 0}
        aria-controls={id}
        {...handle}
        onKeyDown={({ key }) => {
          if (key === 'ArrowUp') moveTo(at + 1)
          if (key === 'ArrowDown') moveTo(at - 1)
        }}
        onClick={({ detail }) => (detail === 0 || !wasDragged()) && moveTo(isTop ? 0 : at + 1)}
      >
        <span className={classes.grab} />
      </button>
      <div
        id={id}
        ref={body}
        className={classes.body}
        onScroll={({ currentTarget }) => {
          if (of === undefined) listTop.current = currentTarget.scrollTop
        }}
      >
        {children}
      </div>
    </section>
  )
}
