import type { CSSProperties } from 'react'
import type { Kind } from '#contracts/lib/constants.ts'
import { KindIcon, kindColour } from '#web/trackers/parts/kind-icon.tsx'
import classes from './pin.module.css'

type Props = {
  kind: Kind
  /** Name and state, for whoever does not see the map. */
  label: string
  /** Written under the pin. */
  caption?: string | undefined
  /** Degrees from north, of one that goes somewhere. */
  heading?: number | undefined
  isSelected?: boolean
  isMoving?: boolean
  isLost?: boolean
  /** An old position: greyed. */
  isStale?: boolean
  onClick?: () => void
  onFocus?: () => void
}

/** A tracker on the map: a button with the kind's icon on the kind's colour. */
export function Pin({ kind, label, caption, heading, isSelected, isMoving, isLost, isStale, onClick, onFocus }: Props) {
  return (
    <button
      type="button"
      className={classes.pin}
      style={{ '--k': isLost ? 'var(--pin-lost)' : kindColour(kind) } as CSSProperties}
      aria-label={label}
      aria-pressed={isSelected ?? false}
      data-moving={isMoving || undefined}
      data-stale={isStale || undefined}
      onClick={onClick}
      onFocus={onFocus}
    >
      {heading !== undefined && <span className={classes.heading} style={{ rotate: `${heading}deg` }} />}
      <KindIcon kind={kind} size={isSelected ? 24 : 20} />
      {caption && (
        <span className={classes.caption} aria-hidden="true">
          {caption}
        </span>
      )}
    </button>
  )
}
