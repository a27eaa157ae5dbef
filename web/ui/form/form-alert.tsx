import { IconAlertCircle } from '@tabler/icons-react'
import { createContext, useContext } from 'react'
import classes from './form-alert.module.css'

/** Replaces all form errors with one explanation, such as a lost connection; null to show them. */
export const AlertHint = createContext<string | null>(null)

/**
 * Error of a whole form, announced when it appears. The element is always present, because screen readers announce only changes of a
 * region.
 */
export function FormAlert({ children }: { children: string | null }) {
  const hint = useContext(AlertHint)
  return (
    <div role="alert" className={classes.slot}>
      {children && (
        <p className={classes.alert}>
          <IconAlertCircle size={18} aria-hidden="true" />
          {hint ?? children}
        </p>
      )}
    </div>
  )
}
