import { type CSSProperties, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './sheet.module.css'
import type { createSheetMotion } from './sheet-motion.ts'

type Props = {
  label: string
  children: ReactNode
  /** Id of the shown item, whose content starts at the top; undefined shows the list at its previous scroll position. */
  of?: number | undefined
  /** Resting heights as fractions of the container, ascending. */
  stops?: readonly number[]
  /** Index of the current detent; if undefined, the sheet is uncontrolled. */
  stop?: number
  onStop?: (stop: number) => void
}

const STOPS = [0.3, 0.55, 0.92]

const percent = (share = 0.5) => `${Math.round(share * 1000) / 10}%`

/** A bottom sheet over a map, moved by dragging its header, its content from the top, or by arrow keys, Enter and Space on its handle. */
export function Sheet({ label, children, of, stops = STOPS, stop, onStop }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const sheet = useRef<HTMLElement>(null)
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
  const motion = useMotion({ sheet, stops, at, moveTo })
  const isTop = at === stops.length - 1
  return (
    <section
      ref={sheet}
      aria-label={label}
      className={classes.sheet}
      style={{ '--rest': percent(stops[at]), '--full': percent(Math.max(...stops)) } as CSSProperties}
    >
      <button
        type="button"
        data-grip
        className={classes.handle}
        aria-label={isTop ? t('sheet.collapse') : t('sheet.expand')}
        aria-expanded={at > 0}
        aria-controls={id}
        onKeyDown={({ key }) => {
          if (key === 'ArrowUp') moveTo(at + 1)
          if (key === 'ArrowDown') moveTo(at - 1)
        }}
        onClick={({ detail }) => (detail === 0 || !motion.current?.wasDragged()) && moveTo(isTop ? 0 : at + 1)}
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

type Motion = ReturnType<typeof createSheetMotion>
type Moved = {
  sheet: RefObject<HTMLElement | null>
  stops: readonly number[]
  at: number
  moveTo: (stop: number) => void
}

/** Loads the code that moves the sheet after it is mounted; until then it is moved by taps and keys, without animation. */
function useMotion(moved: Moved) {
  const motion = useRef<Motion>(null)
  const latest = useRef(moved)
  useLayoutEffect(() => {
    latest.current = moved
    motion.current?.follow()
  })
  const { sheet } = moved
  useEffect(() => {
    let isGone = false
    const start = async () => {
      const { createSheetMotion } = await import('./sheet-motion.ts')
      if (isGone || !sheet.current) return
      motion.current = createSheetMotion(sheet.current, { read: () => latest.current, onStop: (stop) => latest.current.moveTo(stop) })
    }
    // If that fails, a sheet still moves by taps and keys.
    start().catch(() => undefined)
    return () => {
      isGone = true
      motion.current?.end()
      motion.current = null
    }
  }, [sheet])
  return motion
}
