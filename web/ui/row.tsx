import type { ReactNode } from 'react'
import classes from './row.module.css'

/** The rows of a dialog. */
export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.rows} aria-label={label}>
    {children}
  </ul>
)

type Props = { icon?: ReactNode; name: ReactNode; hint: ReactNode; children: ReactNode }

/** What it is, something about it, and its buttons. */
export const Row = ({ icon, name, hint, children }: Props) => (
  <li className={classes.row}>
    {icon}
    <span className={classes.what}>
      <b>{name}</b>
      <small>{hint}</small>
    </span>
    {children}
  </li>
)

/** Why no more can be added, or what must not be missed. */
export const RowNote = ({ children }: { children: ReactNode }) => <p className={classes.note}>{children}</p>
