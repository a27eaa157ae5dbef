import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

type Props = {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  role?: 'alert' | 'status'
  /** Whether the notice is the whole page, so that its title is an h1. */
  isPage?: boolean
}

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

export const Empty = (props: { icon: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) => <Notice {...props} />
