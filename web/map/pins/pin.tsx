import type { CSSProperties } from 'react'
import { type Face, FaceIcon, kindColour } from '#web/trackers/parts/kind-icon.tsx'
import classes from './pin.module.css'

type Props = {
  of: Face
  label: string
  caption?: string | undefined
  /** Degrees clockwise from north, for a moving tracker. */
  heading?: number | undefined
  isSelected?: boolean
  isMoving?: boolean
  isLost?: boolean
  /** Greyed out, because the position is old. */
  isStale?: boolean
  onClick?: () => void
  onFocus?: () => void
}

export function Pin({ of, label, caption, heading, isSelected, isMoving, isLost, isStale, onClick, onFocus }: Props) {
  return (
    <button
      type="button"
      className={classes.pin}
      style={{ '--k': isLost ? 'var(--pin-lost)' : kindColour(of.kind) } as CSSProperties}
      aria-label={label}
      aria-pressed={isSelected ?? false}
      data-moving={isMoving || undefined}
      data-stale={isStale || undefined}
      onClick={onClick}
      onFocus={onFocus}
    >
      {heading !== undefined && <span className={classes.heading} style={{ rotate: `${heading}deg` }} />}
      <FaceIcon of={of} size={isSelected ? 24 : 20} />
      {caption && (
        <span className={classes.caption} aria-hidden="true">
          {caption}
        </span>
      )}
    </button>
  )
}
