import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './entry.module.css'
import { IconButton } from './icon-button.tsx'

/** A list of things that can be changed and deleted. */
export const Entries = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.entries} aria-label={label}>
    {children}
  </ul>
)

type Props = {
  icon?: ReactNode
  /** What it is called: buttons say it as well. */
  name: string
  children: ReactNode
  /** Further buttons, before those of every list. */
  more?: ReactNode
  /** Opens a form, here or at an address. */
  onEdit?: (() => void) | string | undefined
  onDelete?: (() => void) | undefined
}

/** One of them: what it is, and a button for each thing that can be done with it. */
export function Entry({ icon, name, children, more, onEdit, onDelete }: Props) {
  const { t } = useTranslation()
  return (
    <li className={classes.entry}>
      {icon}
      <div className={classes.text}>{children}</div>
      {more}
      {typeof onEdit === 'string' && <IconButton label={t('action.edit')} of={name} Icon={IconPencil} to={onEdit} />}
      {typeof onEdit === 'function' && <IconButton label={t('action.edit')} of={name} Icon={IconPencil} onClick={onEdit} />}
      {onDelete && <IconButton label={t('action.delete')} of={name} Icon={IconTrash} onClick={onDelete} />}
    </li>
  )
}

/** The sign of an entry that has no picture of its own. */
export const EntryDisc = ({ children }: { children: ReactNode }) => (
  <span className={classes.disc} aria-hidden="true">
    {children}
  </span>
)
