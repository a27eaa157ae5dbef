import type { ReactNode } from 'react'
import classes from '#web/ui/auth-form.module.css'

type Props = { title: string; lead: string; isFailure?: boolean; children?: ReactNode }

/** Result of a confirmation step, announced to screen readers, with links to continue. */
export const Outcome = ({ title, lead, isFailure = false, children }: Props) => (
  <div className={classes.form}>
    <div role={isFailure ? 'alert' : 'status'} className={classes.form}>
      <h1>{title}</h1>
      <p className={classes.lead}>{lead}</p>
    </div>
    {children}
  </div>
)
