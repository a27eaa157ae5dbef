import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'
import { openModal } from './open-modal.ts'

type Props = { title: string; lead?: string; onClose: () => void; children: ReactNode }

/** A modal dialog of the browser: it keeps the focus, Escape closes it, a click beside it too. */
export function Dialog({ title, lead, onClose, children }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  return (
    <dialog
      ref={openModal}
      className={classes.dialog}
      aria-labelledby={heading}
      onClose={onClose}
      onMouseDown={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className={classes.body}>
        <header className={classes.header}>
          <h2 id={heading}>{title}</h2>
          <button type="button" className={classes.close} aria-label={t('action.close')} onClick={onClose}>
            <IconX size={20} />
          </button>
        </header>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
    </dialog>
  )
}
