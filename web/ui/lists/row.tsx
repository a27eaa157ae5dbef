import type { ReactNode } from 'react'
import classes from './row.module.css'

export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.rows} aria-label={label}>
    {children}
  </ul>
)

type Props = { icon?: ReactNode; name: ReactNode; hint: ReactNode; children?: ReactNode }

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

export const RowNote = ({ children }: { children: ReactNode }) => <p className={classes.note}>{children}</p>
