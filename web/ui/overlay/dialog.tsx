import { IconX } from '@tabler/icons-react'
import { createContext, type ReactNode, type RefObject, type SyntheticEvent, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'
import { openModal } from './open-modal.ts'

type Props = {
  title: string
  lead?: string
  /** Name in the address, with which a reload opens it again. */
  sheet?: string
  onClose: () => void
  children: ReactNode
}

type Ask = RefObject<(() => void) | null>

/** Lets content of a dialog intercept closing (`ask`) or close it without asking (`close`). */
export const DialogClosing = createContext<{ ask: Ask; close: () => void } | null>(null)

/** Buttons of a dialog, which stay visible while the content scrolls. */
export const DialogFoot = ({ children }: { children: ReactNode }) => <div className={classes.foot}>{children}</div>

/** A native modal dialog. Escape, Back or a click on the backdrop closes it. */
export function Dialog({ title, lead, sheet, onClose, children }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  const ask: Ask = useRef(null)
  const close = () => (ask.current ?? onClose)()
  const onDialog = (act: (event: SyntheticEvent<HTMLDialogElement>) => void) => (event: SyntheticEvent<HTMLDialogElement>) =>
    event.target === event.currentTarget && act(event)
  return (
    <dialog
      ref={openModal}
      className={classes.dialog}
      data-sheet={sheet}
      aria-labelledby={heading}
      onCancel={onDialog((event) => {
        if (!ask.current) return
        event.preventDefault()
        ask.current()
      })}
      onClose={onDialog(({ currentTarget }) => {
        // Browsers ignore preventDefault for repeated cancel events, so the dialog is reopened.
        if (ask.current) currentTarget.showModal()
        close()
      })}
      onMouseDown={onDialog(close)}
    >
      <DialogClosing value={{ ask, close: onClose }}>
        <div className={classes.body}>
          <header className={classes.header}>
            <h2 id={heading}>{title}</h2>
            <button type="button" className={classes.close} aria-label={t('action.close')} onClick={close}>
              <IconX size={20} />
            </button>
          </header>
          {lead && <p className={classes.lead}>{lead}</p>}
          {children}
        </div>
      </DialogClosing>
    </dialog>
  )
}
