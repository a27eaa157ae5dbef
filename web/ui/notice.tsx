import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

type Props = {
  icon: ReactNode
  title: string
  children?: ReactNode
  /** The next step. */
  action?: ReactNode
  role?: 'alert' | 'status'
  /** A page of its own has its title as the first heading. */
  isPage?: boolean
}

/** An icon, a sentence and a next step, in the middle of the space it has. */
export function Notice({ icon, title, children, action, role, isPage = false }: Props) {
  const Title = isPage ? 'h1' : 'h2'
  return (
    <div className={classes.notice} role={role} data-page={isPage || undefined}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <Title className={classes.title}>{title}</Title>
      {children && <p className={classes.text}>{children}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}

export const NoticeButton = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <Button onClick={onClick} size="md">
    {children}
  </Button>
)
