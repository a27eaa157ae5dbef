import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import classes from './conflict.module.css'

export const Way = ({ to, icon, label, hint }: { to: string; icon: ReactNode; label: string; hint: string }) => (
  <Link to={to} className={classes.way}>
    {icon}
    <span>
      {label}
      <small>{hint}</small>
    </span>
    <IconChevronRight size={18} aria-hidden="true" />
  </Link>
)
