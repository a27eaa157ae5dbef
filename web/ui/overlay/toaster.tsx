import { IconX } from '@tabler/icons-react'
import { useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { dismissToast, useToasts } from '#web/lib/toasts.ts'
import { useFrontDialog } from './open-modal.ts'
import classes from './toaster.module.css'

/** Shows toasts, inside the topmost modal dialog if one is open. */
export function Toaster() {
  const { t } = useTranslation()
  const toasts = useToasts()
  const dialog = useFrontDialog()
  // The same element is moved around, because screen readers announce only content added to an existing live region.
  const [region] = useState(newRegion)
  useLayoutEffect(() => {
    const place = dialog ?? document.body
    place.append(region)
    return () => region.remove()
  }, [dialog, region])
  return createPortal(
    toasts.map(({ id, text, undo }) => (
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
    )),
    region,
  )
}

function newRegion() {
  const region = document.createElement('div')
  region.className = classes.toasts ?? ''
  region.setAttribute('aria-live', 'polite')
  return region
}
