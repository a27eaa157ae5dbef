import { IconAlertCircle } from '@tabler/icons-react'
import classes from './form-alert.module.css'

/** The sentence that belongs to a whole form; announced when it appears. */
export const FormAlert = ({ children }: { children: string | null }) => (
  <div role="alert" className={classes.slot}>
    {children && (
      <p className={classes.alert}>
        <IconAlertCircle size={18} aria-hidden="true" />
        {children}
      </p>
    )}
  </div>
)
