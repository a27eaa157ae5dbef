import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Notice } from './notice.tsx'

type Props = {
  icon: ReactNode
  title: string
  children?: ReactNode
  /** A link to continue with, usually the list of such objects. */
  link: { to: string; label: string } | undefined
  /** Whether it replaces the whole page, rather than a part of it. */
  isPage?: boolean
}

/** Says that the object in the URL does not exist or belongs to another account; the two look the same. */
export const NotFoundNotice = ({ icon, title, children, link, isPage = true }: Props) => (
  <Notice
    role="alert"
    isPage={isPage}
    icon={icon}
    title={title}
    action={
      link && (
        <Button component={Link} to={link.to} variant="default" h={44}>
          {link.label}
        </Button>
      )
    }
  >
    {children}
  </Notice>
)
