import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import disclosure from '#web/ui/disclosure.module.css'
import classes from './section.module.css'

/** A collapsible part of the panel; its content is mounted only while open. */
export function Section({ title, isOpen: opensAtOnce = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(opensAtOnce)
  return (
    <details
      className={`${disclosure.disclosure} ${classes.section}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {title}
        <IconChevronDown size={16} aria-hidden="true" />
      </summary>
      {isOpen && children}
    </details>
  )
}
