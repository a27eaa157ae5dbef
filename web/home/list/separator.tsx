import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './separator.module.css'
import { type Shape, WIDTH } from './use-shape.ts'

/** Pixels that an arrow key moves. */
const STEP = 20

/** Between list and map: drag it, move it with arrow keys, or double-click it to fit the widest row. */
export function Separator({ shape: { width, most, isTable, resize } }: { shape: Shape }) {
  const { t } = useTranslation()
  const line = useRef<HTMLDivElement>(null)
  const grip = useRef<{ pointer: number; offset: number }>(null)
  const frame = useRef(0)
  const fit = () => resize(fittingWidth(line.current?.parentElement, width, isTable))
  const keys: Record<string, () => void> = {
    ArrowLeft: () => resize(width - STEP),
    ArrowRight: () => resize(width + STEP),
    Home: () => resize(WIDTH.least),
    End: () => resize(most),
    Enter: fit,
  }
  const press = (event: KeyboardEvent) => {
    const run = keys[event.key]
    if (!run) return
    event.preventDefault()
    run()
  }
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture?.(event.pointerId)
    grip.current = { pointer: event.pointerId, offset: width - event.clientX }
  }
  const drag = ({ clientX }: PointerEvent) => {
    const held = grip.current
    if (!held) return
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => resize(clientX + held.offset))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: hr has no value and cannot be moved
    <div
      ref={line}
      role="separator"
      className={classes.separator}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('trackers.width')}
      aria-valuenow={width}
      aria-valuemin={WIDTH.least}
      aria-valuemax={Math.max(width, most)}
      onKeyDown={press}
      onDoubleClick={fit}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={() => {
        grip.current = null
      }}
      onPointerCancel={() => {
        grip.current = null
      }}
    />
  )
}

/** The width at which nothing in the drawn rows is cut; the usual one if nothing is. Columns of a table grow with the table. */
function fittingWidth(list: Element | null | undefined, width: number, isTable: boolean) {
  const texts = [...(list?.querySelectorAll<HTMLElement>('[data-fit]') ?? [])].filter(({ clientWidth }) => clientWidth > 0)
  const cut = Math.max(0, ...texts.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
  if (cut === 0) return WIDTH.usual
  return isTable ? width * Math.max(...texts.map(({ scrollWidth, clientWidth }) => scrollWidth / clientWidth)) : width + cut
}
