import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Notice } from './notice.tsx'

type Props = {
  icon: ReactNode
  title: string
  children?: ReactNode
  /** A link to continue with, usually the list of such objects. */
  link: { to: string; label: string }
}

/** Replaces a page whose URL names an object that does not exist or belongs to another account; the two look the same. */
export const NotFoundNotice = ({ icon, title, children, link }: Props) => (
  <Notice
    role="alert"
    isPage
    icon={icon}
    title={title}
    action={
      <Button component={Link} to={link.to} variant="default" h={44}>
        {link.label}
      </Button>
    }
  >
    {children}
  </Notice>
)
