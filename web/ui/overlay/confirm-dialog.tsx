import { Button } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, wordsOf } from '#web/lib/api/api-error.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './confirm-dialog.module.css'
import { Dialog, DialogFoot } from './dialog.tsx'

type Props = {
  title: string
  children: ReactNode
  /** Label of the confirm button, a verb. */
  action: string
  isDanger?: boolean
  onConfirm: () => Promise<unknown>
  onClose: () => void
  /** Error text; undefined selects the general message. */
  failure?: (error: ApiError) => string | undefined
}

/** Asks for confirmation. Stays open with an error when `onConfirm` fails. */
export function ConfirmDialog({ title, children, action, isDanger = false, onConfirm, onClose, failure }: Props) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiError | null>(null)
  // The second click of a double click comes before the button is disabled.
  const isRunning = useRef(false)
  const confirm = async () => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(null)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!error.isLeaving) setProblem(error)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <FormAlert>{problem && (failure?.(problem) ?? t(wordsOf(problem)))}</FormAlert>
      <div className={classes.text}>{children}</div>
      <DialogFoot>
        <Button variant="default" h={44} onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button
          h={44}
          loading={isBusy}
          {...(isDanger && { color: 'var(--bad)', className: classes.danger ?? '' })}
          onClick={() => void confirm()}
        >
          {action}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
