import { IconChevronLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import classes from './page.module.css'

type Props = {
  title: string
  lead?: ReactNode
  /** How many there are. */
  count?: number
  /** Where this page belongs to. */
  back?: { to: string; label: string }
  /** What can be done here; at the heading. */
  actions?: ReactNode
  /** Forms and texts are easier to read when lines are short. */
  isNarrow?: boolean
  children: ReactNode
}

/** A page beside the rail: its heading, what can be done here, its content. */
export const Page = ({ title, lead, count, back, actions, isNarrow = false, children }: Props) => (
  <div className={classes.page} data-narrow={isNarrow || undefined}>
    {back && (
      <Link to={back.to} className={classes.back}>
        <IconChevronLeft size={18} aria-hidden="true" />
        {back.label}
      </Link>
    )}
    <header className={classes.header}>
      <h1>
        {title} {count !== undefined && <span>{count}</span>}
      </h1>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
    {lead && <p className={classes.lead}>{lead}</p>}
    {children}
  </div>
)
