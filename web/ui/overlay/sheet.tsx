import { type PointerEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './sheet.module.css'

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

/** A shorter drag, in pixels, is a tap. */
const TAP_PX = 6

/** Index of the stop closest to `share`. */
export const nearestStop = (stops: readonly number[], share: number) =>
  stops.reduce((best, stop, index) => (Math.abs(stop - share) < Math.abs((stops[best] ?? 0) - share) ? index : best), 0)

/** Follows the pointer; `onRelease` receives the fraction of the container's height where it was released. */
function useSheetDrag(resting: number, onRelease: (share: number) => void) {
  const [dragged, setDragged] = useState<number | null>(null)
  const start = useRef({ y: 0, height: 1, moved: false, isDown: false })
  const computeShare = (y: number) => Math.max(0.08, Math.min(1, resting + (start.current.y - y) / start.current.height))
  const release = ({ clientY }: PointerEvent) => {
    if (!start.current.isDown) return
    start.current.isDown = false
    setDragged(null)
    if (start.current.moved) onRelease(computeShare(clientY))
  }
  return {
    share: dragged ?? resting,
    isDragging: dragged !== null,
    wasDragged: () => start.current.moved,
    handle: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        const container = event.currentTarget.parentElement?.parentElement
        start.current = { y: event.clientY, height: container?.clientHeight || 1, moved: false, isDown: true }
        event.currentTarget.setPointerCapture?.(event.pointerId)
      },
      onPointerMove: ({ clientY }: PointerEvent) => {
        if (!start.current.isDown) return
        start.current.moved ||= Math.abs(clientY - start.current.y) > TAP_PX
        if (start.current.moved) setDragged(computeShare(clientY))
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  }
}
