import type { CSSProperties, ReactNode } from 'react'
import { type Face, FaceIcon, kindColour } from '#web/trackers/parts/kind-icon.tsx'
import type { StateGroup } from '#web/trackers/state.ts'
import classes from './pin.module.css'

type Props = {
  of: Face
  label: string
  /** Drawn as a ring, or as a red pin; at rest without. */
  group?: StateGroup | undefined
  caption?: ReactNode
  isCaptionAbove?: boolean
  /** Degrees clockwise from north, for a moving tracker. */
  heading?: number | undefined
  isSelected?: boolean
  isLifted?: boolean
  isMoving?: boolean | undefined
  onClick?: () => void
  onFocus?: () => void
  onHover?: (isOver: boolean) => void
}

export function Pin({ of, label, group = 'rest', caption, isCaptionAbove, heading, isMoving, onClick, onFocus, onHover, ...looks }: Props) {
  const { isSelected, isLifted } = looks
  return (
    <button
      type="button"
      className={classes.pin}
      style={{ '--k': kindColour(of.kind) } as CSSProperties}
      aria-label={label}
      aria-pressed={isSelected ?? false}
      data-group={group}
      data-moving={isMoving || undefined}
      data-lifted={isLifted || undefined}
      onClick={onClick}
      onFocus={onFocus}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onHover?.(true)}
      onPointerLeave={() => onHover?.(false)}
    >
      {heading !== undefined && <span className={classes.heading} style={{ rotate: `${heading}deg` }} />}
      <FaceIcon of={of} size={isSelected ? 24 : 20} />
      {caption && (
        <span className={classes.caption} data-above={isCaptionAbove || undefined} aria-hidden="true">
          {caption}
        </span>
      )}
    </button>
  )
}
