import type { ReactNode } from 'react'
import classes from '#web/ui/auth-form.module.css'

type Props = { title: string; lead: string; isFailure?: boolean; children?: ReactNode }

/** How a step with an e-mail ended, announced, and the ways on. */
export const Outcome = ({ title, lead, isFailure = false, children }: Props) => (
  <div className={classes.form}>
    <div role={isFailure ? 'alert' : 'status'} className={classes.form}>
      <h1>{title}</h1>
      <p className={classes.lead}>{lead}</p>
    </div>
    {children}
  </div>
)
