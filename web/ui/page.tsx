import { IconChevronLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import classes from './page.module.css'

type Props = {
  title: string
  lead?: ReactNode
  /** Number of items, shown beside the title. */
  count?: number
  /** Link to the parent page. */
  back?: { to: string; label: string }
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Limits the line length, for forms and texts. */
  isNarrow?: boolean
  children: ReactNode
}

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
