import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './entry.module.css'

export const Entries = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.entries} aria-label={label}>
    {children}
  </ul>
)

type Props = {
  icon?: ReactNode
  /** The name also becomes part of the buttons' labels. */
  name: string
  children: ReactNode
  /** Additional buttons, shown before edit and delete. */
  more?: ReactNode
  /** Whether it was just saved: it flashes once. */
  isNew?: boolean
  /** A button in place of delete. */
  side?: ReactNode
  /** A callback, or the URL of the edit page. */
  onEdit?: (() => void) | string | undefined
  onDelete?: (() => void) | undefined
  /** The address that shows the details beside the list; the whole line leads there. */
  to?: string | undefined
  isChosen?: boolean
}

export function Entry({ icon, name, children, more, isNew = false, side, onEdit, onDelete, to, isChosen = false }: Props) {
  const { t } = useTranslation()
  return (
    <li className={classes.entry} data-more={Boolean(more) || undefined} data-new={isNew || undefined} data-chosen={isChosen || undefined}>
      {icon}
      {to !== undefined && <Link to={to} className={classes.cover} aria-label={name} aria-current={isChosen || undefined} />}
      <div className={classes.text}>{children}</div>
      <div className={classes.buttons}>
        {more}
        {typeof onEdit === 'string' && <IconButton label={t('action.edit')} of={name} Icon={IconPencil} to={onEdit} />}
        {typeof onEdit === 'function' && <IconButton label={t('action.edit')} of={name} Icon={IconPencil} onClick={onEdit} />}
        {side}
        {onDelete && <IconButton label={t('action.delete')} of={name} Icon={IconTrash} onClick={onDelete} />}
      </div>
    </li>
  )
}

/** Placeholder icon for an entry without a picture. */
export const EntryDisc = ({ isOff = false, children }: { isOff?: boolean; children: ReactNode }) => (
  <span className={classes.disc} data-off={isOff || undefined} aria-hidden="true">
    {children}
  </span>
)
