import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router-dom'
import classes from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'

/** Asks before a page with unsaved changes is left, by a link or by closing the tab. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation()
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname)
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog title={t('form.unsaved')} onClose={blocker.reset}>
      <p className={classes.text}>{t('form.unsavedLead')}</p>
      <div className={classes.buttons}>
        <Button variant="default" h={44} onClick={blocker.proceed}>
          {t('action.discard')}
        </Button>
        <Button h={44} onClick={blocker.reset}>
          {t('action.stay')}
        </Button>
      </div>
    </Dialog>
  )
}
