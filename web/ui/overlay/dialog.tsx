import { IconX } from '@tabler/icons-react'
import { createContext, type ReactNode, type RefObject, type SyntheticEvent, useCallback, useEffect, useId, useRef } from 'react'
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

/** On a narrow screen a dialog is a sheet, and pulling it down closes it. Returns the function that ends this. */
function pullToClose(dialog: HTMLDialogElement, close: () => void) {
  const ended = new AbortController()
  const start = async () => {
    const { createSheetMotion } = await import('./sheet-motion.ts')
    if (ended.signal.aborted) return
    const motion = createSheetMotion(dialog, {
      read: () => ({ stops: [0, 1], at: 1 }),
      onStop: (stop) => {
        if (stop > 0) return
        close()
        // A form may ask first, so the dialog comes back.
        motion.follow()
      },
      height: () => dialog.offsetHeight,
    })
    ended.signal.addEventListener('abort', motion.end)
  }
  // If that fails, the dialog closes by its button.
  if (window.matchMedia('(max-width: 768px)').matches) start().catch(() => undefined)
  return () => ended.abort()
}

/** A native modal dialog. Escape, Back or a click on the backdrop closes it. */
export function Dialog({ title, lead, sheet, onClose, children }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  const ask: Ask = useRef(null)
  const close = () => (ask.current ?? onClose)()
  const latestClose = useRef(close)
  useEffect(() => {
    latestClose.current = close
  })
  const openDialog = useCallback((dialog: HTMLDialogElement) => {
    const ends = [openModal(dialog), pullToClose(dialog, () => latestClose.current())]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  const onDialog = (act: (event: SyntheticEvent<HTMLDialogElement>) => void) => (event: SyntheticEvent<HTMLDialogElement>) =>
    event.target === event.currentTarget && act(event)
  return (
    <dialog
      ref={openDialog}
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
          <span data-grip className={classes.grab} aria-hidden="true" />
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
