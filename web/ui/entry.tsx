import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import classes from './entry.module.css'

/** A list of things that can be changed and deleted. */
export const Entries = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.entries} aria-label={label}>
    {children}
  </ul>
)

type Props = {
  icon: ReactNode
  /** What it is called: buttons say it as well. */
  name: string
  children: ReactNode
  /** Opens a form, here or at an address. */
  onEdit?: (() => void) | string | undefined
  onDelete?: (() => void) | undefined
}

/** One of them: what it is, and a button for each thing that can be done with it. */
export function Entry({ icon, name, children, onEdit, onDelete }: Props) {
  const { t } = useTranslation()
  const edit = { className: classes.button, 'aria-label': `${t('action.edit')}: ${name}`, title: t('action.edit') }
  return (
    <li className={classes.entry}>
      {icon}
      <div className={classes.text}>{children}</div>
      {typeof onEdit === 'string' && (
        <Link to={onEdit} {...edit}>
          <IconPencil size={20} aria-hidden="true" />
        </Link>
      )}
      {typeof onEdit === 'function' && (
        <button type="button" {...edit} onClick={onEdit}>
          <IconPencil size={20} aria-hidden="true" />
        </button>
      )}
      {onDelete && (
        <button
          type="button"
          className={classes.button}
          aria-label={`${t('action.delete')}: ${name}`}
          title={t('action.delete')}
          onClick={onDelete}
        >
          <IconTrash size={20} aria-hidden="true" />
        </button>
      )}
    </li>
  )
}

/** The sign of an entry that has no picture of its own. */
export const EntryDisc = ({ children }: { children: ReactNode }) => (
  <span className={classes.disc} aria-hidden="true">
    {children}
  </span>
)
