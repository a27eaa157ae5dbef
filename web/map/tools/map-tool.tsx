import type { ReactNode } from 'react'
import classes from './map-tools.module.css'

type Props = {
  label: string
  onClick: () => void
  children: ReactNode
  isDisabled?: boolean
  isExpanded?: boolean
  isPressed?: boolean
}

export const MapTool = ({ label, onClick, children, isDisabled, isExpanded, isPressed }: Props) => (
  <button
    type="button"
    className={classes.tool}
    aria-label={label}
    title={label}
    aria-expanded={isExpanded}
    aria-pressed={isPressed}
    disabled={isDisabled}
    onClick={onClick}
  >
    {children}
  </button>
)
