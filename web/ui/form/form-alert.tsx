import { IconAlertCircle } from '@tabler/icons-react'
import { createContext, useContext } from 'react'
import classes from './form-alert.module.css'

/** What explains every failure for the moment, as a broken connection does; null when nothing does. */
export const AlertHint = createContext<string | null>(null)

/** The sentence that belongs to a whole form; announced when it appears. */
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
