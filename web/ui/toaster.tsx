import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { dismissToast, useToasts } from '#web/lib/toasts.ts'
import classes from './toaster.module.css'

/** What has just been done; announced, and gone after a few seconds. */
export function Toaster() {
  const { t } = useTranslation()
  const toasts = useToasts()
  return (
    <div className={classes.toasts} aria-live="polite">
      {toasts.map(({ id, text, undo }) => (
        <div key={id} className={classes.toast}>
          <p>{text}</p>
          {undo && (
            <button
              type="button"
              className={classes.undo}
              onClick={() => {
                undo()
                dismissToast(id)
              }}
            >
              {t('action.undo')}
            </button>
          )}
          <button type="button" className={classes.close} aria-label={t('action.close')} onClick={() => dismissToast(id)}>
            <IconX size={18} />
          </button>
        </div>
      ))}
    </div>
  )
}
