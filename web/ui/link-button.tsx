import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { href: string; isMain?: boolean; children: ReactNode }

/** A link that leaves the portal, e.g. to an app, a store or a mail program. */
export const LinkButton = ({ href, isMain = false, children }: Props) => (
  <Button component="a" href={href} h={44} variant={isMain ? 'filled' : 'default'}>
    {children}
  </Button>
)
