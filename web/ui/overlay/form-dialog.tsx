import { Button } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Detail, useDetails } from '#web/ui/lists/split.tsx'
import { Dialog, DialogFoot } from './dialog.tsx'
import classes from './form-dialog.module.css'
import { UnsavedGuard } from './unsaved-guard.tsx'

type Props = {
  title: string
  lead?: string
  /** The result of `useForm`. */
  of: { form: ComponentProps<'form'>; isBusy: boolean; isDirty: boolean; failure: string | null }
  /** Label of the submit button; defaults to "Save". */
  action?: string
  /** Shows the form without a dialog, as details beside a list (`Split`). */
  isInPlace?: boolean
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog that asks before unsent input is lost. */
export function FormDialog({ title, lead, of: { form, isBusy, isDirty, failure }, action, isInPlace = false, onClose, children }: Props) {
  const { t } = useTranslation()
  const details = useDetails()
  const Frame = isInPlace ? Detail : Dialog
  const submit = (
    <Button type="submit" h={44} loading={isBusy}>
      {action ?? t('action.save')}
    </Button>
  )
  return (
    <Frame title={title} onClose={onClose} {...(lead && { lead })}>
      <form {...form} className={classes.form}>
        <FormAlert>{failure}</FormAlert>
        {children}
        {isInPlace ? (
          <div className={classes.buttons}>
            {submit}
            {isDirty && (
              <Button variant="default" h={44} onClick={details?.reset}>
                {t('action.cancel')}
              </Button>
            )}
          </div>
        ) : (
          <DialogFoot>
            <Button variant="default" h={44} onClick={onClose}>
              {t('action.cancel')}
            </Button>
            {submit}
          </DialogFoot>
        )}
        <UnsavedGuard isDirty={isDirty} />
      </form>
    </Frame>
  )
}
